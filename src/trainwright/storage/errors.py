"""Errors of object stores, in words: one for each thing that a user does about it.

obstore raises a few types of its own whose messages run over a page; here they become errors that
name the address, what the store said in a line, and what to do. No message has credentials.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator

from trainwright._errors import TrainwrightError
from trainwright.storage.uris import split, without_secrets


class StorageError(TrainwrightError, OSError):
    """An object store has refused or failed."""


class NoSuchBucketError(StorageError):
    """There is no such bucket or container."""


class StoragePermissionError(StorageError, PermissionError):
    """The credentials are missing, wrong, or do not allow this."""


class StorageUnreachableError(StorageError, ConnectionError):
    """The store does not answer, or answers with errors of its own. A later try may work."""


class NoSuchObjectError(StorageError, FileNotFoundError):
    """There is no such object."""


class UnreadableNameError(StorageError):
    """Below an address lies an object whose name cannot be read."""


class ObjectChangedError(StorageError):
    """An object was replaced or removed while it was read."""


_CODE = re.compile(r"<Code>(.*?)</Code>", re.DOTALL)
_MESSAGE = re.compile(r"<Message>(.*?)</Message>", re.DOTALL)
_STATUS = re.compile(r"status code: (\d{3})([^:\n]*)|\bStatus \{[^}]*status: (\d{3})")
_ENDPOINT = re.compile(r"(https?://)(?:[^/\s@]*@)?([^/\s,?\"]+)")
_RETRIES = re.compile(
    r" in [\d.]+[a-zµ]+,? after \d+ retries, max_retries: \d+, retry_timeout: \S+"
)
_SYSTEM_MESSAGE = re.compile(r'message: "([^"]+)"')
_UNREACHABLE = re.compile(
    r"error sending request|connect|timed ?out|dns error|error decoding|connection|incomplete "
    r"message|reset by peer|broken pipe|IncompleteMessage",
    re.IGNORECASE,
)
_DENIED = re.compile(r"\bAccess ?Denied\b")
_NO_BUCKET = ("NoSuchBucket", "ContainerNotFound", "The specified bucket does not exist")
_WRONG_REGION = ("incorrectly configured region", "AuthorizationHeaderMalformed")
_ODD_NAME = re.compile(r'Path "(.*?)"', re.DOTALL)
_MISSING_KEY = re.compile(r"\bMissing (AccessKeyId|SecretAccessKey)\b")
_KEY_VARIABLES = {
    "AccessKeyId": "AWS_ACCESS_KEY_ID",
    "SecretAccessKey": "AWS_SECRET_ACCESS_KEY",
}
_BAD_TLS = ("InvalidContentType", "InvalidMessage", "received corrupt message", "wrong version")
# Where obstore looks for credentials last: the metadata service of a cloud's own machines.
_METADATA_SERVICES = ("169.254.169.254", "169.254.170.2", "metadata.google.internal")

_CREDENTIALS = {
    "s3": "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (or AWS_PROFILE with boto3 installed; "
    "AWS_SKIP_SIGNATURE=true for a public bucket)",
    "gs": "GOOGLE_APPLICATION_CREDENTIALS",
    "az": "AZURE_STORAGE_ACCOUNT_NAME with AZURE_STORAGE_ACCOUNT_KEY or AZURE_STORAGE_SAS_KEY",
}
_ENDPOINTS = {
    "s3": "AWS_ENDPOINT_URL and AWS_REGION",
    "gs": "the network, and proxies in HTTPS_PROXY",
    "az": "AZURE_STORAGE_ACCOUNT_NAME and AZURE_ENDPOINT",
}


@contextlib.contextmanager
def storage_errors(uri: str, action: str = "read") -> Iterator[None]:
    """Turns what obstore raises into a StorageError that names the address.

    Args:
        uri: What is read or written.
        action: What was tried, for the message: "read", "written", "listed", "removed".
    """
    try:
        yield
    except StorageError:
        raise
    except BaseException as error:
        translated = translate(error, uri, action)
        if translated is None:
            raise
        # The cause would show obstore's page of text, with the request that it made.
        raise translated from None


def translate(error: BaseException, uri: str, action: str = "read") -> StorageError | None:
    """The StorageError for what obstore raised; None for what the store has no part in."""
    text, shown = str(error), repr(without_secrets(uri))
    if type(error).__name__ == "PanicException":  # of Rust, and no Exception
        return StorageError(
            f"{shown} cannot be {action}: obstore gives up ({_line(without_secrets(text))}). Check "
            f"{_ENDPOINTS.get(_family(uri), 'the address')}."
        )
    if not _is_of_obstore(error) or type(error).__name__ == "AlreadyExistsError":
        return None  # a conflict is an answer: objects.create
    status = _status(text)
    said = _said(text)
    if any(code in text for code in _NO_BUCKET):
        return no_such_bucket(uri, said)
    kind = type(error).__name__
    odd = _ODD_NAME.search(text)
    if kind == "InvalidPathError" and odd is not None:
        return UnreadableNameError(
            f"{shown} cannot be {action}: an object there has the name {odd[1]!r}, with an empty "
            "step, '.' or '..' in it, which cannot be read as a path. Rename or remove it with the "
            "store's own tools, or give a prefix that it does not lie below."
        )
    missing = _MISSING_KEY.search(text)
    if missing is not None:
        return no_credentials(uri, _KEY_VARIABLES[missing[1]])
    if "Filenames containing trailing" in text:
        return StorageError(
            f"{shown} cannot be {action}: in memory:// no name ends with '#' and digits. Choose "
            "another name."
        )
    if "File name too long" in text:
        return name_too_long(uri, action)
    if any(host in text for host in _METADATA_SERVICES):
        return no_credentials(uri)
    is_denied = kind in ("PermissionDeniedError", "UnauthenticatedError") or status in (401, 403)
    # A request that removes several objects succeeds, and says in its answer which it may not.
    if is_denied or (status is None and _DENIED.search(text)):
        return StoragePermissionError(
            f"{shown} cannot be {action}: the store denies it ({said}). Check that the credentials "
            f"in {_CREDENTIALS[_family(uri)]} are right and allow this. (Some stores also "
            "say this of an object that is not there.)"
            if _family(uri) in _CREDENTIALS
            else f"{shown} cannot be {action}: permission denied ({said})."
        )
    if kind in ("PreconditionError", "NotModifiedError") or status == 412:
        return ObjectChangedError(
            f"{shown} was replaced while it was read. Run again, when nothing writes to it."
        )
    if isinstance(error, FileNotFoundError) or status == 404:
        return no_such_object(uri) if action != "written" else _no_such_place(uri, said)
    if "BadScheme" in text:
        prefix = {"s3": "AWS", "gs": "GOOGLE"}.get(_family(uri), "AZURE")
        return StorageError(
            f"{shown} cannot be {action}: its endpoint begins with http://, which is used only if "
            f"{prefix}_ALLOW_HTTP is true. Set it, or give an https:// endpoint."
        )
    if status in (301, 307) or any(sign in text for sign in _WRONG_REGION):
        return StorageError(
            f"{shown} cannot be {action}: the store says that its bucket is in another region "
            f"({said}). Set AWS_REGION to the bucket's."
        )
    if (status or 0) >= 500 or (status is None and _UNREACHABLE.search(text)):
        return _unreachable(text, uri, action, status)
    return StorageError(f"{shown} cannot be {action}: {said}.")


def no_such_bucket(uri: str, said: str = "") -> NoSuchBucketError:
    """The error for a bucket that does not exist."""
    address = split(uri)
    return NoSuchBucketError(
        f"{without_secrets(uri)!r}: there is no bucket {address.bucket!r}"
        f"{f' ({said})' if said else ''}. Create it, correct the name, or point "
        f"{_ENDPOINTS.get(_family(uri), 'the environment')} to the store that has it."
    )


def no_such_object(uri: str) -> NoSuchObjectError:
    """The error for an object that does not exist."""
    return NoSuchObjectError(
        f"{without_secrets(uri)!r} does not exist. Check the name, capital letters included, and "
        "that it was not removed meanwhile."
    )


def _no_such_place(uri: str, said: str) -> StorageError:
    """The error for a 404 to what is written, and so cannot be there yet."""
    address = split(uri)
    return StorageError(
        f"{without_secrets(uri)!r} cannot be written: the server knows of no such place ({said}). "
        f"Check that the bucket {address.bucket!r} exists, and that "
        f"{_ENDPOINTS.get(_family(uri), 'the environment')} lead to the store that has it."
    )


def name_too_long(uri: str, action: str = "copied to this machine") -> StorageError:
    """The error for an object whose name no file can have."""
    return StorageError(
        f"{_shortened(uri)} cannot be {action}: its name is too long. One that is copied to a "
        "disk, or lies in memory://, has at most 255 bytes between two slashes. Rename it."
    )


def no_credentials(uri: str, missing: str = "") -> StoragePermissionError:
    """The error for a store that was opened without credentials, or with a part of them."""
    if missing:
        return StoragePermissionError(
            f"{without_secrets(uri)!r} cannot be opened: of its credentials, {missing} is not set."
        )
    wanted = _CREDENTIALS.get(_family(uri), "the environment")
    return StoragePermissionError(
        f"{without_secrets(uri)!r} cannot be opened: no credentials were found. Set {wanted}."
    )


def _unreachable(text: str, uri: str, action: str, status: int | None) -> StorageUnreachableError:
    endpoint = _ENDPOINT.search(text)
    where = f" at {endpoint[1]}{endpoint[2]}" if endpoint else ""
    if status is not None:
        what = f"the store{where} answers with errors of its own ({_said(text)})"
    else:
        what = f"the store{where} does not answer ({_said(text)})"
    return StorageUnreachableError(
        f"{without_secrets(uri)!r} cannot be {action}: {what}. Check that it runs and can be "
        f"reached from here, and {_ENDPOINTS.get(_family(uri), 'its directory')}. How long is "
        "waited is in TRAINWRIGHT_STORAGE_TIMEOUT, in seconds."
    )


def _is_of_obstore(error: BaseException) -> bool:
    return (
        any(base.__module__.startswith("obstore") for base in type(error).__mro__)
        or (isinstance(error, FileNotFoundError) and error.errno is None)
        or (isinstance(error, ValueError) and "parse path" in str(error))
    )


def _family(uri: str) -> str:
    scheme = split(uri).scheme
    return {"s3a": "s3", "abfs": "az", "abfss": "az"}.get(scheme, scheme)


def _status(text: str) -> int | None:
    found = _STATUS.search(text)
    return int(found[1] or found[3]) if found else None


def _said(text: str) -> str:
    """What the store said, in one line without addresses of requests."""
    code, message = _CODE.search(text), _MESSAGE.search(text)
    if code is not None:
        return f"{code[1].strip()}{': ' + _line(message[1]) if message else ''}"
    status = _STATUS.search(text)
    if status is not None:
        return f"status {status[1] or status[3]}{(status[2] or '').rstrip(' .')}"
    system = _SYSTEM_MESSAGE.findall(text)
    if any(sign in text for sign in _BAD_TLS):
        return "it does not speak TLS there: an http:// server behind an https:// address"
    if "TimedOut" in text or "timed out" in text:
        return "timed out"
    if "dns error" in text or "failed to lookup" in text:
        return "the name of its host is not known"
    if system:
        return _line(system[-1])
    return _line(_RETRIES.sub("", without_secrets(text.partition("Debug source")[0])))


def _shortened(uri: str) -> str:
    shown = without_secrets(uri)
    return repr(shown if len(shown) <= 120 else f"{shown[:80]}...{shown[-30:]}")


def _line(text: str) -> str:
    return " ".join(text.split())[:300].rstrip(". ")
