"""Versions of a model in an object store, where nothing can be renamed into place.

A push first takes a number, by an object that only one can create, `.trainwright-push-<number>`.
Then it uploads the files, those last that a reader opens first, and after them all
`.trainwright-complete` with the list of the files. Our readers believe that object alone. A server
that looks only for the model, as TensorFlow Serving does, finds it when all else is there.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import time
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from trainwright.components.pusher.versions import HIGHEST_VERSION, may_go_on, no_number
from trainwright.metadata.leases import current_lease
from trainwright.metadata.records import Lease
from trainwright.storage import objects, uris
from trainwright.storage.errors import NoSuchObjectError, StorageError
from trainwright.storage.transfer import upload_tree

COMPLETE = ".trainwright-complete"
# With the list of the files of a version; what is larger is not ours.
_LARGEST_MARKER = 1 << 26
_TAKEN = ".trainwright-push-"
# One name for all checks: where nothing may be removed, one object stays and not one for each.
_PROBE = ".trainwright-probe"
_NUMBER = re.compile("[0-9]+")
# What readers of a model open first, of several kinds of models; the last of these comes last.
_OPENED_FIRST = re.compile(r"[^/]*\.(?:tflite|onnx|keras|h5)|model\.json|saved_model\.pb")


def push_to_store(source: str, base: str) -> str:
    """Uploads a model as a new version below an address, and returns the version's address.

    Raises:
        StorageError: if the store fails; then there is no new version.
    """
    base = base.rstrip("/")
    _clear_dead_pushes(base)
    with _taken_number(base) as (number, token):
        version = uris.join(base, str(number))
        files = _files_of(source)
        last = sorted(
            filter(_OPENED_FIRST.fullmatch, files), key=lambda name: name == "saved_model.pb"
        )
        upload_tree(source, version, files, last=last)
        _check_still_taken(base, number, token)
        marker = json.dumps({"files": files, "push": token}, sort_keys=True).encode()
        if not objects.create(uris.join(version, COMPLETE), marker):
            raise StorageError(f"{version!r} was completed by another push. Push again.")
        return version


def newest_remote_version(base: str) -> int | None:
    """The highest version below an address, or None; one that is being pushed does not count yet.

    One that something else has put there counts: a server takes it, too.
    """
    numbers, taken = _look_at(base)
    return max((n for n in numbers if n not in taken or _has_marker(base, n)), default=None)


def find_remote_damage(version: str) -> str | None:
    """What is wrong with a version that was pushed, in words; None if it is whole."""
    marker = _read_json(uris.join(version, COMPLETE))
    if marker is None:
        is_there = objects.exists(version)
        return f"it lacks {COMPLETE}, so that it is not whole" if is_there else "it is gone"
    files = marker.get("files")
    if not isinstance(files, dict):
        return f"its {COMPLETE} does not say which files it has"
    found = {uris.relative(one.uri, version): one.size for one in objects.list_tree(version)}
    for name, size in sorted(files.items()):
        if name not in found:
            return f"{name} is gone"
        if found[name] != size:
            return f"{name} has {found[name]} bytes instead of {size}"
    return None


def check_can_push(base: str) -> None:
    """Refuses an address at which nothing can be written, or not removed again: it is tried.

    Raises:
        StorageError: with what the store says.
    """
    probe = uris.join(base, _PROBE)
    objects.write(probe, b"")
    try:
        objects.remove(probe)
    except StorageError as error:
        raise StorageError(
            f"{error} A push removes objects of its own when it is done, and what a killed push "
            f"has left. The empty object {_PROBE!r}, with which this was tried, stays there: "
            "remove it when you can."
        ) from error


@contextlib.contextmanager
def _taken_number(base: str) -> Iterator[tuple[int, str]]:
    """A number of this push's own, and the token of the push; if it fails, all is removed."""
    token = secrets.token_hex(8)
    owner = json.dumps({**asdict(current_lease()), "push": token}).encode()
    number = 0
    while True:
        numbers, taken = _look_at(base)
        newest = max([number, *numbers, *taken])
        if newest >= HIGHEST_VERSION:
            raise ValueError(no_number(uris.join(base, str(newest))))
        number = max(int(time.time()), newest + 1)
        if not objects.create(_place_of(base, number), owner):
            continue
        if not objects.exists(uris.join(base, str(number))):
            break
        # A push that has ended since we looked had it.
        objects.remove(_place_of(base, number))
    try:
        yield number, token
    except BaseException:
        with contextlib.suppress(StorageError):  # else the next push clears it
            objects.remove_tree(uris.join(base, str(number)))
            objects.remove(_place_of(base, number))
        raise
    objects.remove(_place_of(base, number))


def _check_still_taken(base: str, number: int, token: str) -> None:
    """Another push would have to take this one for dead, after a day; then it is not whole."""
    owner = _owner(base, number)
    if owner is None or owner.get("push") != token:
        raise StorageError(
            f"The push of {uris.join(base, str(number))!r} took so long that another has cleared "
            "it away. Push again."
        )


def _clear_dead_pushes(base: str) -> None:
    """Removes what pushes that were killed have left: versions without their last object."""
    _, taken = _look_at(base)
    for number in sorted(taken):
        owner = _owner(base, number)
        if owner is None:
            continue
        facts = objects.stat(_place_of(base, number))
        changed_at = time.time() if facts is None else facts.modified_ns / 1e9
        if may_go_on(_lease_of(owner), changed_at):
            continue
        if not _has_marker(base, number):
            objects.remove_tree(uris.join(base, str(number)))
        objects.remove(_place_of(base, number))


def _lease_of(owner: Mapping[str, Any]) -> Lease | None:
    """The process that a push says it is of, if it is one of this host."""
    here = current_lease().host
    pid, started = owner.get("pid"), owner.get("process_started_at")
    if owner.get("host") != here or not isinstance(pid, int) or not isinstance(started, float):
        return None
    return Lease(host=here, pid=pid, process_started_at=started)


def _look_at(base: str) -> tuple[Collection[int], Collection[int]]:
    """The numbers below an address, and those that pushes have taken."""
    directories, names = objects.list_names(base)
    numbers = {int(name) for name in (*directories, *names) if _NUMBER.fullmatch(name)}
    tails = (name[len(_TAKEN) :] for name in names if name.startswith(_TAKEN))
    taken = {int(tail) for tail in tails if _NUMBER.fullmatch(tail)}
    return {number for number in numbers if number <= HIGHEST_VERSION}, taken


def _place_of(base: str, number: int) -> str:
    return uris.join(base, f"{_TAKEN}{number}")


def _owner(base: str, number: int) -> dict[str, Any] | None:
    return _read_json(_place_of(base, number))


def _has_marker(base: str, number: int) -> bool:
    """Whether a version has its last object; one that is not ours is nothing to remove either."""
    return objects.stat(uris.join(base, str(number), COMPLETE)) is not None


def _read_json(uri: str) -> dict[str, Any] | None:
    """What an object says; nothing if it is not one of ours, and None if there is none.

    Anybody with rights in the bucket may have put it there.
    """
    try:
        content = objects.read_small(uri, _LARGEST_MARKER)
        found = json.loads(content or b"")
    except NoSuchObjectError:
        return None
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _files_of(source: str) -> dict[str, int]:
    """The sizes of a model's files by relative path; links are what they lead to."""
    return {
        os.path.relpath(path, source): os.path.getsize(path)
        for directory, _, names in os.walk(source, followlinks=True)
        for path in (os.path.join(directory, name) for name in sorted(names))
    }
