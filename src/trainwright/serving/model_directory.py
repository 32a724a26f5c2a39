"""Kinds of model directory: one SavedModel, or a directory of its versions."""

from __future__ import annotations

import contextlib
import os
import re
from dataclasses import dataclass

from trainwright.types import model_paths

SAVED_MODEL_FILE = "saved_model.pb"
# Versions are int64 for TensorFlow Serving; a longer number is not a version.
HIGHEST_VERSION = 2**63 - 1
_VERSION = re.compile("[0-9]+")
_MODEL_NAME = re.compile(r"[A-Za-z0-9_.-]+")
_DEFAULT_NAME = "model"


def version_of(name: str) -> int | None:
    """The version that a name in a directory of versions stands for, or None.

    >>> version_of("1700000000"), version_of(".trainwright-push-1"), version_of("9" * 30)
    (1700000000, None, None)
    """
    if not _VERSION.fullmatch(name):
        return None
    return int(name) if len(name) <= 100 and int(name) <= HIGHEST_VERSION else None


def is_model_name(name: str) -> bool:
    """Whether a name can stand in the path of a request."""
    return _MODEL_NAME.fullmatch(name) is not None


@dataclass(frozen=True, kw_only=True)
class ModelDirectory:
    """Where a model is served from.

    Args:
        path: A directory of versions, or the directory of a SavedModel.
        name: What requests call the model.
        only_version: The number of the SavedModel, where the path is one; None if the path has
            versions, which are watched.
    """

    path: str
    name: str
    only_version: int | None = None

    def versions(self) -> dict[int, str]:
        """The directories of the versions that are whole, as far as their names tell.

        A version is a directory whose name is a number, with a `saved_model.pb`, which a Pusher
        writes last. What else is there, half written or not, is not looked at.

        Raises:
            OSError: if the directory cannot be read just now.
        """
        if self.only_version is not None:
            return {self.only_version: self.path}
        found = {}
        for name in os.listdir(self.path):
            version = version_of(name)
            path = os.path.join(self.path, name)
            if version is not None and os.path.isfile(os.path.join(path, SAVED_MODEL_FILE)):
                found[version] = path
        return found


def fingerprint(path: str) -> tuple[tuple[str, int, int], ...]:
    """The files of a version with their sizes and times: a changed one may be tried again."""
    found = []
    for directory, _, names in os.walk(path):
        for name in names:
            file = os.path.join(directory, name)
            with contextlib.suppress(OSError):  # it goes just now
                status = os.stat(file)
                found.append((os.path.relpath(file, path), status.st_size, status.st_mtime_ns))
    return tuple(sorted(found))


def find_model(path: str, name: str = "") -> ModelDirectory:
    """What is to be served, by a path: a SavedModel, versions of one, or a Model artifact.

    Args:
        path: The directory.
        name: What to call the model; by default its directory's name.

    Raises:
        ValueError: if there is nothing to serve, and nothing will be; the message has what is
            there. An empty directory is waited in.
    """
    path = os.path.abspath(path)
    if not os.path.isdir(path):
        is_file = os.path.exists(path)
        raise ValueError(
            f"There is no model at {path}: "
            + ("that is a file. Name its directory." if is_file else "there is no such directory.")
        )
    for directory in (path, *_models_in_artifact(path)):
        if os.path.isfile(os.path.join(directory, SAVED_MODEL_FILE)):
            return _one_version(directory, name)
    found = os.listdir(path)
    entries = sorted(entry for entry in found if not entry.startswith("."))
    if entries and not any(version_of(entry) is not None for entry in entries):
        raise ValueError(
            f"There is no model at {path}: expected {SAVED_MODEL_FILE}, or versions, which are "
            f"directories with numbers for names; found {_listed(entries)}."
        )
    return ModelDirectory(path=path, name=_name(name, os.path.basename(path)))


def _models_in_artifact(path: str) -> list[str]:
    """Where a Model or an InfraBlessing artifact has its model, if it is one."""
    found = [model_paths.stamped_model_path(path)]
    if os.path.isdir(model_paths.serving_model_dir(path)):
        found.append(model_paths.serving_model_path(path))
    return found


def _one_version(directory: str, name: str) -> ModelDirectory:
    """A SavedModel by itself; one that lies among versions keeps its number and their name."""
    parent, own_name = os.path.split(directory)
    version = version_of(own_name)
    if version is not None:
        return ModelDirectory(
            path=directory, name=_name(name, os.path.basename(parent)), only_version=version
        )
    is_inside_artifact = own_name in (
        model_paths.SERVING_MODEL_DIR,
        model_paths.STAMPED_MODEL_DIR,
    )
    default = _DEFAULT_NAME if is_inside_artifact else own_name
    return ModelDirectory(path=directory, name=_name(name, default), only_version=1)


def _name(given: str, default: str) -> str:
    if given and not is_model_name(given):
        raise ValueError(
            f"A model cannot be called {given!r}, which is a part of a path in requests: expected "
            "letters, digits, dots, dashes and underscores."
        )
    return given or (default if is_model_name(default) else _DEFAULT_NAME)


def _listed(entries: list[str]) -> str:
    shown = ", ".join(entries[:10])
    return f"{shown} and {len(entries) - 10} more" if len(entries) > 10 else shown
