"""Addresses of objects: taken apart, put together and checked, without asking any store.

What follows the bucket is an object's name as it is, not a URL's path: nothing in it is quoted.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from trainwright._extras import install_advice
from trainwright._imports import is_installed

# Several names for one kind of store, as their own tools write them.
SCHEMES = ("s3", "s3a", "gs", "az", "abfs", "abfss", "memory")
SUPPORTED = "s3://, gs://, az:// and memory://"

_ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://([^/]*)(?:/(.*))?", re.DOTALL)
_BUCKET = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")
_CONTAINER_OF_ACCOUNT = re.compile(r"[a-z0-9-]+@[A-Za-z0-9.-]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
# A user and password before a host, also where the password has slashes in it: a colon behind `//`
# is that of a port only where digits alone follow.
_CREDENTIALS = re.compile(r"(?<=://)(?:[^/@\s:]*:(?!\d+(?:[/\s]|$))[^\s]*@|[^/@\s]*@)")
_QUERY = re.compile(r"[?#].*", re.DOTALL)


class Address(NamedTuple):
    """An address in parts: the scheme, the bucket or container, and the object's name."""

    scheme: str
    bucket: str
    key: str

    @property
    def root(self) -> str:
        """The address of the bucket."""
        return f"{self.scheme}://{self.bucket}"


def is_supported(path: str) -> bool:
    """Whether a path is an address of a store that this package can open.

    >>> is_supported("s3://bucket/data"), is_supported("hdfs://data"), is_supported("data")
    (True, False, False)
    """
    found = _ADDRESS.match(path)
    return found is not None and found[1].lower() in SCHEMES


def is_in_memory(place: str) -> bool:
    """Whether a place is known to the processes of this machine alone.

    >>> is_in_memory("memory://bucket/temp"), is_in_memory("gs://bucket/temp")
    (True, False)
    """
    return place.lower().startswith("memory://")


def split(uri: str) -> Address:
    """The parts of an address; slashes at its end do not count.

    >>> split("s3://bucket/data/a.csv")
    Address(scheme='s3', bucket='bucket', key='data/a.csv')
    """
    found = _ADDRESS.fullmatch(uri)
    if has_credentials(uri):
        raise _credentials_error(f"{without_secrets(uri)!r}")
    if found is None or found[1].lower() not in SCHEMES or not found[2]:
        raise ValueError(
            f"{without_secrets(uri)!r} is not the address of an object. Expected "
            f"'s3://bucket/name' or another of {SUPPORTED}."
        )
    return Address(found[1].lower(), found[2], (found[3] or "").rstrip("/"))


def join(uri: str, *names: str) -> str:
    """The address of what lies below another.

    >>> join("s3://bucket/data/", "a", "b.csv")
    's3://bucket/data/a/b.csv'
    """
    return "/".join([uri.rstrip("/"), *(name.strip("/") for name in names if name.strip("/"))])


def parent(uri: str) -> str:
    """The address without its last step; a bucket's is its own.

    >>> parent("s3://bucket/data/a.csv"), parent("s3://bucket")
    ('s3://bucket/data', 's3://bucket')
    """
    address = split(uri)
    above = address.key.rpartition("/")[0]
    return f"{address.root}/{above}" if above else address.root


def name(uri: str) -> str:
    """The last step of an address; "" for a bucket.

    >>> name("s3://bucket/data/a.csv")
    'a.csv'
    """
    return split(uri).key.rpartition("/")[2]


def relative(uri: str, base: str) -> str:
    """The steps that lead from one address to another below it.

    >>> relative("s3://bucket/data/a.csv", "s3://bucket")
    'data/a.csv'
    """
    inner, outer = split(uri), split(base)
    prefix = f"{outer.key}/" if outer.key else ""
    if inner.root != outer.root or not f"{inner.key}/".startswith(prefix):
        raise ValueError(f"{uri!r} does not lie below {base!r}.")
    return inner.key[len(prefix) :]


def check_slashes(path: str, name: str) -> None:
    """Refuses the address of an object that has lost a slash.

    Raises:
        ValueError: if it is one.
    """
    if "://" not in path and is_supported(path.replace(":/", "://", 1)):
        scheme = path.partition(":")[0]
        raise ValueError(
            f"{name} {path!r} is a remote path with a single slash, as pathlib and os.path.join "
            f"leave it. Give it as a string, which begins with '{scheme}://'."
        )


def check_uri(uri: str, name: str) -> None:
    """Refuses an address that no store can have, or that can be read in more than one way.

    Args:
        uri: What was given.
        name: What messages call it, for example "input_base of CsvExampleGen".

    Raises:
        ValueError: naming the address, without secrets that may be in it, and what is wrong.
    """
    shown = f"{name} {without_secrets(uri)!r}"
    found = _ADDRESS.fullmatch(uri)
    if found is None or found[1].lower() not in SCHEMES:
        scheme = found[1] if found else "no scheme"
        raise ValueError(
            f"{shown} is a remote path ({scheme}) of a kind that is not supported: those that are "
            f"begin with {SUPPORTED}. Copy the files to one of these, or to a local directory."
        )
    bucket, key = found[2], found[3] or ""
    if not bucket:
        raise ValueError(f"{shown} has no bucket. Write '{found[1]}://bucket/...'.")
    if has_credentials(uri):
        raise _credentials_error(shown)
    if "@" not in bucket and not _BUCKET.fullmatch(bucket):
        raise ValueError(
            f"{shown} has the bucket {without_secrets(bucket)!r}: expected letters, digits, '.', "
            "'-' and '_' only."
        )
    _check_key(uri, key, shown)
    if not is_installed("obstore"):
        raise ValueError(
            f"{shown} is in an object store, for which obstore is not installed. Install it with: "
            f"{install_advice('obstore')}"
        )


def _check_key(uri: str, key: str, shown: str) -> None:
    control = _CONTROL.search(uri)
    if control is not None:
        kind = "a NUL character" if control[0] == "\0" else f"the control character {control[0]!r}"
        raise ValueError(f"{shown} has {kind}, which no path can have. Remove it.")
    if "?" in key or "#" in key:
        raise ValueError(
            f"{shown} has a '?' or '#', as URLs have before a query. Give the address alone; an "
            "object with such a name has to be renamed."
        )
    steps = key.rstrip("/").split("/") if key.rstrip("/") else []
    if "" in steps:
        raise ValueError(f"{shown} has an empty step: '//'. Write a single slash.")
    for step in (".", ".."):
        if step in steps:
            raise ValueError(
                f"{shown} has the step {step!r}, which means nothing in an object store. Write "
                "the address out."
            )
    try:
        uri.encode()
    except UnicodeEncodeError as error:
        raise ValueError(
            f"{shown} has the character {uri[error.start]!r}, which is not valid Unicode. Give an "
            "address whose characters can be written in UTF-8."
        ) from None


def without_secrets(text: str) -> str:
    """An address as messages show it: no user and password, no query.

    >>> without_secrets("https://key:secret@host/bucket?X-Amz-Signature=1")
    'https://host/bucket'
    >>> without_secrets("s3://key:sec/ret@bucket/a")
    's3://bucket/a'
    >>> without_secrets("abfss://container@account.dfs.core.windows.net/data")
    'abfss://container@account.dfs.core.windows.net/data'
    """
    if _is_of_account(text):
        return text.partition("?")[0]
    if text.startswith("memory://"):
        return _CREDENTIALS.sub("", text)  # where nothing is signed, and a name is shown whole
    return _QUERY.sub("", _CREDENTIALS.sub("", text))


def hide_credentials(text: str) -> str:
    """A text in which there may be addresses, without the users and passwords of them.

    >>> hide_credentials("--temp_location=s3://key:secret@bucket/temp --runner=FlinkRunner")
    '--temp_location=s3://bucket/temp --runner=FlinkRunner'
    >>> hide_credentials("--temp_location=abfss://container@account.dfs.core.windows.net/a")
    '--temp_location=abfss://container@account.dfs.core.windows.net/a'
    """

    def hide(found: re.Match[str]) -> str:
        is_container = text[: found.start()].lower().endswith(("abfs://", "abfss://"))
        return found[0] if is_container and ":" not in found[0] else ""

    return _CREDENTIALS.sub(hide, text)


def has_credentials(uri: str) -> bool:
    """Whether an address has a user, or a user and a password, before its bucket or host.

    >>> has_credentials("s3://AKIA:abc/def@bucket/a"), has_credentials("s3://bucket/a@b")
    (True, False)
    """
    start = uri.find("://") + 3
    return start > 2 and bool(_CREDENTIALS.match(uri, start)) and not _is_of_account(uri)


def _is_of_account(uri: str) -> bool:
    """Whether an address is Azure's, which has the container before the account's host."""
    found = _ADDRESS.match(uri)
    if found is None or not found[1].lower().startswith("abfs"):
        return False
    return _CONTAINER_OF_ACCOUNT.fullmatch(found[2]) is not None


def _credentials_error(shown: str) -> ValueError:
    return ValueError(
        f"{shown} has credentials in it. Remove them: they are taken from the environment "
        "(AWS_ACCESS_KEY_ID and the like), so that no file or log has them."
    )
