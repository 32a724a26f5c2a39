"""Paths that users give: what can be on a local disk, and which files can be read like files.

A remote path that is taken for a local one becomes a directory named `gs:`, and reading a device or
a named pipe may never end. Both are refused here, in one wording, wherever a path comes in.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import tempfile

from trainwright._errors import TrainwrightError

# pathlib and os.path turn "gs://bucket" into "gs:/bucket", so one slash counts for these.
_STORAGE_SCHEMES = "gs|s3|s3a|s3n|hdfs|viewfs|abfss?|adl|az|azure|wasbs?|dbfs|oss|https?|ftp|file"
_REMOTE = re.compile(rf"([A-Za-z][A-Za-z0-9+.-]*)://|({_STORAGE_SCHEMES}):/", re.IGNORECASE)

_KINDS = {
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFDIR: "a directory",
    stat.S_IFREG: "a file",
}


class MissingInputError(TrainwrightError, ValueError):
    """What a node reads is not there; something that runs before the node may still make it."""


def absence_error(path: str, message: str) -> ValueError:
    """The error to raise for a path at which there is not what is needed.

    It is a MissingInputError if nothing is there and something can still be made: not below a
    file, nor where this process may not look.
    """
    try:
        os.lstat(path)
    except FileNotFoundError:
        return MissingInputError(message)
    except OSError:
        pass
    return ValueError(message)


def is_remote(path: str) -> bool:
    """Whether a path has a scheme, as those of object stores have.

    >>> is_remote("gs://bucket/data"), is_remote("data")
    (True, False)
    """
    return _REMOTE.match(path) is not None


def check_local_path(path: str, name: str) -> None:
    """Refuses a path that no file on this machine can have, or none that can be written down.

    Args:
        path: What was given.
        name: What messages call it, for example "input_base of CsvExampleGen".

    Raises:
        ValueError: if the path has a scheme, as in gs://bucket, or characters that are not
            possible in a path or in the metadata store.
    """
    check_not_remote(path, name)
    if "\0" in path:
        raise ValueError(f"{name} {path!r} has a NUL character, which no path can have. Remove it.")
    try:
        path.encode()
    except UnicodeEncodeError as error:
        raise ValueError(
            f"{name} {path!r} has the character {path[error.start]!r}, which is not valid Unicode. "
            "Give a path whose characters can be written in UTF-8, and rename the file if need be."
        ) from None


def check_not_remote(path: str | bytes, name: str = "") -> None:
    """Refuses a path with a scheme, which would be taken for the name of a directory."""
    text = os.fsdecode(path)
    subject = f"{name} {path!r}" if name else repr(path)
    scheme = _REMOTE.match(text)
    if scheme is not None and (scheme[1] or scheme[2]).lower() == "file":
        raise ValueError(
            f"{subject} is a URL. Give the path alone: {'/' + text[scheme.end() :].lstrip('/')!r}."
        )
    if scheme is not None:
        raise ValueError(
            f"{subject} is a remote path ({scheme[1] or scheme[2]}), but only local paths are "
            "supported here. Copy the files to a local directory, or mount them, and "
            "give that path."
        )


def kind_of(path: str) -> str:
    """What is at a path, in words; a link counts as what it leads to.

    >>> kind_of("/dev/null"), kind_of("/"), kind_of("/nowhere")
    ('a device', 'a directory', 'nothing')
    """
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return "a link that leads nowhere" if os.path.islink(path) else "nothing"
    return _KINDS.get(stat.S_IFMT(mode), "a special file")


def special_kind(path: str) -> str | None:
    """What a path is that is neither a file nor a directory and still there; None for the rest.

    >>> special_kind("/dev/zero"), special_kind("/nowhere")
    ('a device', None)
    """
    kind = kind_of(path)
    return None if kind in ("a file", "a directory", "nothing") else kind


def check_not_special(path: str, name: str = "") -> None:
    """Refuses devices, named pipes, sockets and links that lead nowhere: reading may never end.

    Raises:
        ValueError: naming the path and what it is.
    """
    kind = special_kind(path)
    if kind is not None:
        raise ValueError(
            f"{name + ' ' if name else ''}{path!r} is {kind}. Only files and directories can be "
            "read: remove it, or put a file in its place."
        )


def check_file(path: str, name: str) -> None:
    """Refuses what is not a file that can be read.

    Raises:
        MissingInputError: if there is no such file.
        ValueError: naming the path and what it is instead.
    """
    kind = kind_of(path)
    if kind == "nothing":
        raise absence_error(
            path, f"{name} {path!r} does not exist. Relative paths count from {os.getcwd()}."
        )
    if kind != "a file":
        raise ValueError(f"{name} {path!r} is {kind}, not a file.")
    if not os.access(path, os.R_OK, effective_ids=os.access in os.supports_effective_ids):
        raise ValueError(f"{name} {path!r} cannot be read: permission denied.")


def check_can_write_below(directory: str, name: str) -> None:
    """Refuses a directory in which nothing can be made, or that cannot be made itself.

    It is tried, in the directory or the nearest one above it that exists: neither permissions nor
    mount options tell that nothing can be made in /proc.

    Raises:
        ValueError: naming the directory and what the system says.
    """
    existing = _nearest_existing(directory, name)
    if not os.path.isdir(existing):
        raise ValueError(
            f"{name} {directory!r} cannot be written to: {existing!r} is {kind_of(existing)}, not "
            "a directory."
        )
    try:
        os.rmdir(tempfile.mkdtemp(prefix=".trainwright-probe-", dir=existing))
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            return  # what is written first says it, and nothing may have to be written
        raise ValueError(
            f"{name} {directory!r} cannot be written to: nothing can be made in {existing!r} "
            f"({error.strerror}). Choose a directory that you may write to."
        ) from error


def _nearest_existing(directory: str, name: str) -> str:
    existing = os.path.abspath(directory)
    while True:
        try:
            os.lstat(existing)
            return existing
        except (FileNotFoundError, NotADirectoryError):
            existing = os.path.dirname(existing)
        except OSError as error:
            raise ValueError(
                f"{name} {directory!r} cannot be used: {error.strerror}. Choose another directory."
            ) from error
