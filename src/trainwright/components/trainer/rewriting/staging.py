"""Models appear in their directory when they are whole, and not at all if writing them fails."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator

# The Trainer takes directories with this beginning for exports that were never finished.
UNFINISHED = "temp-rewrite-"


@contextlib.contextmanager
def staged_model(destination: str, model_file: str) -> Iterator[str]:
    """A directory to write a model to; its files move to the destination when the block ends.

    Other files of the destination stay. If the block raises, nothing has come to the destination;
    if the process is killed, nothing has but a directory whose name begins with `temp-rewrite-`.

    Args:
        destination: Where the model belongs; made if it is not there.
        model_file: The file that readers open first: it moves last.

    Raises:
        ValueError: if the destination cannot be written to.
    """
    made = _make_directory(destination)
    try:
        staging = tempfile.mkdtemp(prefix=UNFINISHED, dir=destination)
    except OSError as error:
        raise ValueError(_cannot_write(destination, error)) from error
    try:
        yield staging
        _move_files(staging, destination, model_file)
        made = []
    finally:
        shutil.rmtree(staging, ignore_errors=True)
        for directory in made:
            with contextlib.suppress(OSError):  # somebody else has written there meanwhile
                os.rmdir(directory)


def _make_directory(path: str) -> list[str]:
    """Makes a directory and those that it is in; gives what it made, the innermost first."""
    missing = []
    above = os.path.abspath(path)
    while not os.path.lexists(above):
        missing.append(above)
        above = os.path.dirname(above)
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        raise ValueError(_cannot_write(path, error)) from error
    return missing


def _cannot_write(path: str, error: OSError) -> str:
    return (
        f"The rewritten model cannot be written to {path} ({error.strerror}). Give a directory "
        "that can be written to, or the path of a new one."
    )


def _move_files(staging: str, destination: str, model_file: str) -> None:
    found = [
        os.path.relpath(os.path.join(directory, name), staging)
        for directory, _, names in os.walk(staging)
        for name in names
    ]
    try:
        for name in sorted(found, key=lambda name: (name == model_file, name)):
            target = os.path.join(destination, name)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            os.replace(os.path.join(staging, name), target)
    except OSError as error:
        raise ValueError(_cannot_write(destination, error)) from error


def refuse_same_directory(source: str, destination: str) -> None:
    """Raises ValueError if a model would be written over its source."""
    if source == destination or os.path.realpath(source) == os.path.realpath(destination):
        raise ValueError("Source path and destination path cannot match.")
