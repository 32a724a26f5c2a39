"""Directories that only this user can read, for what comes out of stores: data, logs, models."""

from __future__ import annotations

import contextlib
import os
import stat

from trainwright.storage.errors import StorageError


def make_private_directory(path: str, purpose: str, *, is_ours: bool = True) -> str:
    """Makes a directory, with those above it, that no other user can look into, and returns it.

    One that is there already has to be this user's own, and for no one else: what others can write
    to, they can put files into that are then read here as an artifact's.

    Args:
        path: The directory.
        purpose: What messages call it.
        is_ours: Whether nobody but this package makes the directory, so that one which an earlier
            version left open is closed. One that the user has named is not changed.

    Raises:
        StorageError: if it cannot be made, or is not this user's alone.
    """
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            os.mkdir(path, 0o700)
        link, found = os.lstat(path), os.stat(path)
    except OSError as error:
        raise StorageError(
            f"{purpose} {path!r} cannot be made: {error.strerror}. Choose a directory that you may "
            "write to."
        ) from None
    mode = stat.S_IMODE(found.st_mode)
    is_mine = stat.S_ISDIR(found.st_mode) and {link.st_uid, found.st_uid} == {os.getuid()}
    if is_mine and is_ours and mode & 0o077:
        os.chmod(path, mode & 0o700)
    elif not is_mine or mode & 0o077:
        raise StorageError(
            f"{purpose} {path!r} is not a directory of this user alone ({_describe(found)}): what "
            "is copied there is for nobody else's eyes. Name one that is not there yet, for "
            f"example {os.path.join(path, f'of-user-{os.getuid()}')!r}, or `chmod 700` your own."
        )
    return path


def _describe(found: os.stat_result) -> str:
    kind = "" if stat.S_ISDIR(found.st_mode) else "no directory, "
    return f"{kind}owner {found.st_uid}, mode {stat.S_IMODE(found.st_mode):o}"
