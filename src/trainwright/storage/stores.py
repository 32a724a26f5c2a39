"""Stores by address: opened once per process and bucket, with limits on how long they may take.

Credentials, endpoint and region come from the environment, as obstore reads them (`AWS_*`,
`GOOGLE_*`, `AZURE_*`); for S3 without keys there, from boto3's chain where boto3 is installed.
`memory://` addresses are files in the shared memory of this machine that only this user can read:
an object store for tests and for trying things out, seen by all processes and gone at a restart.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
import stat
import tempfile
import threading
import urllib.parse
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from trainwright._imports import is_installed
from trainwright.storage._obstore import obstore
from trainwright.storage.errors import StorageError, no_credentials, storage_errors
from trainwright.storage.uris import Address, split, without_secrets

TIMEOUT_VARIABLE = "TRAINWRIGHT_STORAGE_TIMEOUT"
_DEFAULT_TIMEOUT = 30.0
# What carries much data up may take longer until it is answered: a part of a file on a slow line.
_BULK_PATIENCE = 6
_BULK = 1 << 20  # bytes; less is there as soon as it is sent
_PREFIXES = {"s3": "AWS", "s3a": "AWS", "gs": "GOOGLE", "az": "AZURE"}
# What is given to obstore by hand hides all of these that it would read from the environment.
_CLIENT_SETTINGS = ("allow_invalid_certificates", "proxy_url", "proxy_excludes", "user_agent")
# With any of these obstore finds credentials by itself.
_OWN_CREDENTIALS = (
    "AWS_ACCESS_KEY_ID",
    "AWS_SKIP_SIGNATURE",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
)

_BLANK = re.compile(r"[\s\x00-\x1f\x7f]")

_stores: dict[Any, Any] = {}
_lock = threading.Lock()


def _after_fork() -> None:
    global _lock
    _lock = threading.Lock()
    _stores.clear()


os.register_at_fork(after_in_child=_after_fork)


def open_store(uri: str, *, bulk: bool = False) -> tuple[Any, str]:
    """The store of an address, and the object's name in it.

    A store is kept for this process as long as the environment's settings stay as they are.

    Args:
        uri: The address.
        bulk: Whether a request may have to carry much data before it is answered: see `is_bulk`.
            Reading is none of these, because something comes all the time.

    Raises:
        ValueError: if it is not an address.
        StorageError: if the store cannot be opened, for example without credentials.
        ModuleNotFoundError: if obstore is not installed.
    """
    address = split(uri)
    if goes_through_link(address):
        raise StorageError(
            f"{uri!r} leads through a symbolic link, which object stores have none of. Remove the "
            f"link in {memory_directory(address.bucket)!r}, or give what it leads to as a path."
        )
    settings = _settings(address.scheme)
    key = (address.root, bulk, tuple(sorted(settings.items())))
    store = _stores.get(key)
    if store is None:
        with _lock:
            store = _stores.get(key)
            if store is None:
                with storage_errors(uri, "opened"):
                    store = _stores[key] = _open(address, uri, settings, bulk)
    return store, address.key


def is_bulk(size: int) -> bool:
    """Whether this many bytes may take a while to go up, so that the answer comes late."""
    return size > _BULK


def timeout() -> float:
    """How many seconds a store may take to answer before it counts as unreachable."""
    text = os.environ.get(TIMEOUT_VARIABLE, "")
    try:
        seconds = float(text) if text else _DEFAULT_TIMEOUT
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 86_400:
        raise ValueError(
            f"{TIMEOUT_VARIABLE} is {text!r}: expected a number of seconds, above 0 and at most "
            "86400."
        )
    return seconds


def memory_directory(bucket: str = "") -> str:
    """Where the objects of `memory://` addresses, or of one bucket of them, lie as files.

    Raises:
        StorageError: if the directory there is not this user's alone.
    """
    root = os.path.join(_shared_memory(), f"trainwright-{os.getuid()}")
    try:
        found = os.lstat(root)
    except FileNotFoundError:
        with contextlib.suppress(FileExistsError):
            os.mkdir(root, 0o700)
        found = os.lstat(root)
    if (
        not stat.S_ISDIR(found.st_mode)
        or found.st_uid != os.getuid()
        or stat.S_IMODE(found.st_mode) & 0o077
    ):
        raise StorageError(
            f"memory:// cannot be used: {root!r} is not a directory that only this user can read. "
            "Remove it, or ask its owner to."
        )
    return os.path.join(root, bucket) if bucket else root


@functools.cache
def _shared_memory() -> str:
    return "/dev/shm" if os.path.isdir("/dev/shm") else tempfile.gettempdir()  # noqa: S108


def goes_through_link(address: Address) -> bool:
    """Whether a `memory://` address leads through a symbolic link, as none of ours does: what is
    behind one lies outside of the bucket."""
    if address.scheme != "memory":
        return False
    path = memory_directory(address.bucket)
    if os.path.islink(path):
        return True
    for step in address.key.split("/"):
        path = os.path.join(path, step)
        if os.path.islink(path):
            return True
    return False


def _settings(scheme: str) -> dict[str, str]:
    prefix = _PREFIXES.get(scheme, "AZURE")
    if scheme == "memory":
        return {}
    names = (f"{prefix}_", "TRAINWRIGHT_STORAGE_")
    return {name: value for name, value in os.environ.items() if name.startswith(names)}


def _open(address: Address, uri: str, settings: Mapping[str, str], bulk: bool) -> Any:
    stores = obstore().store
    if address.scheme == "memory":
        directory = memory_directory(address.bucket)
        os.makedirs(directory, exist_ok=True)
        return stores.LocalStore(directory, automatic_cleanup=True)
    _check_endpoint(uri, settings)
    options = {
        "client_options": _client_options(_PREFIXES.get(address.scheme, "AZURE"), settings, bulk),
        "retry_config": _retry_config(),
    }
    if address.scheme in ("s3", "s3a"):
        return stores.S3Store(address.bucket, **options, **_s3_credentials(uri, settings))
    if address.scheme == "gs":
        return stores.GCSStore(address.bucket, **options)
    return stores.AzureStore.from_url(address.root, **options)


# Where a user says which server it is; obstore ends the process's thread over what is not a URL.
_ENDPOINTS = ("AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT", "AZURE_ENDPOINT")


def _check_endpoint(uri: str, settings: Mapping[str, str]) -> None:
    for name in _ENDPOINTS:
        value = settings.get(name)
        if value and not _is_url(value):
            host = value.rpartition("@")[2].rpartition("//")[2]
            advice = f"http://{host}" if _is_url(f"http://{host}") else "https://minio.example:9000"
            raise StorageError(
                f"{without_secrets(uri)!r} cannot be opened: {name} is "
                f"{_without_user(value)!r}, which is not the URL of a server. Write it as "
                f"{advice} (http:// or https://, the host, and a port if it has one of its own)."
            )


def _without_user(endpoint: str) -> str:
    return without_secrets(endpoint) if "://" in endpoint else endpoint.rpartition("@")[2]


def _is_url(text: str) -> bool:
    try:
        parts = urllib.parse.urlsplit(text)
        is_complete = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:  # an invalid port, a bracket that is not closed
        return False
    return parts.scheme in ("http", "https") and is_complete and not _BLANK.search(text)


def _client_options(prefix: str, settings: Mapping[str, str], bulk: bool) -> dict[str, Any]:
    """Without a limit on the whole of a request, a large object may take its time; what is limited
    is how long nothing comes."""
    seconds = timeout()
    allows_http = settings.get(f"{prefix}_ALLOW_HTTP", "").lower() in ("1", "true", "yes", "on")
    # Who writes http:// means it.
    names_http = any(
        "ENDPOINT" in name and value.startswith("http://") for name, value in settings.items()
    )
    options: dict[str, Any] = {
        "connect_timeout": timedelta(seconds=min(5.0, seconds)),
        "read_timeout": timedelta(seconds=seconds * (_BULK_PATIENCE if bulk else 1)),
        "timeout": timedelta(days=1),
        "allow_http": allows_http or names_http,
    }
    for name in _CLIENT_SETTINGS:
        value = settings.get(f"{prefix}_{name.upper()}")
        if value:
            options[name] = value
    return options


def _retry_config() -> dict[str, Any]:
    return {
        "max_retries": 1000,  # the time decides
        "retry_timeout": timedelta(seconds=timeout()),
        "backoff": {
            "init_backoff": timedelta(milliseconds=100),
            "max_backoff": timedelta(seconds=2),
            "base": 2,
        },
    }


def _s3_credentials(uri: str, settings: Mapping[str, str]) -> dict[str, Any]:
    """boto3's credentials, where the environment has none of its own."""
    if any(settings.get(name) for name in _OWN_CREDENTIALS) or not is_installed("boto3"):
        return {}
    import boto3
    from obstore.auth.boto3 import Boto3CredentialProvider

    session = boto3.Session()
    if session.get_credentials() is None:
        raise no_credentials(uri)
    return {"credential_provider": Boto3CredentialProvider(session)}
