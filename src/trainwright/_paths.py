"""Paths that users give: what can be on a local disk, and which files can be read like files.

A remote path that is taken for a local one becomes a directory named `gs:`, and reading a device or
a named pipe may never end. Both are refused here, in one wording, wherever a path comes in.
"""

from __future__ import annotations

import os
import re
import stat

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


def check_local_path(path: str | bytes, name: str = "") -> None:
    """Refuses a path that no local file can have.

    Args:
        path: What was given.
        name: What messages call it, for example "input_base of CsvExampleGen".

    Raises:
        ValueError: if the path has a scheme, as in gs://bucket, or characters that no file name
            can have.
    """
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
            "supported in this version. Copy the files to a local directory, or mount them, and "
            "give that path."
        )
    _check_characters(text, subject)


def _check_characters(text: str, subject: str) -> None:
    if "\0" in text:
        raise ValueError(f"{subject} has a NUL character in it, which no path can have. Remove it.")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(
            f"{subject} has the character {text[error.start]!r} in it, half of a surrogate pair, "
            "which is not valid Unicode. Rename the file with characters of UTF-8."
        ) from None


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
