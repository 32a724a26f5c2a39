"""Addresses in object stores where a command takes a path."""

from __future__ import annotations

from trainwright._paths import is_remote
from trainwright.cli.errors import WrongQuestionError


def fetched(path: str, name: str) -> str:
    """A path of this machine for one that a user gives: that of a copy if it is in an object store.

    Args:
        path: What was given.
        name: What messages call it.

    Raises:
        WrongQuestionError: if there is nothing at an address, or it is none.
    """
    from trainwright.storage.uris import check_slashes, check_uri

    try:
        check_slashes(path, name)
        if not is_remote(path):
            return path
        check_uri(path, name)
        from trainwright.storage.local_copies import on_this_machine

        return on_this_machine(path)
    except (OSError, ValueError, ModuleNotFoundError) as error:
        raise WrongQuestionError(str(error)) from error
