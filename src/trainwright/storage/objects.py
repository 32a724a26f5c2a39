"""Objects by address: read, written, listed and removed one at a time.

Every function takes whole addresses, such as `s3://bucket/data/a.csv`, and raises the errors of
`storage.errors`. What is written is there whole or not at all, for every reader. All may be called
by several threads at once, and in processes forked after another call.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from trainwright.storage._obstore import interruptible, obstore
from trainwright.storage.errors import (
    NoSuchObjectError,
    StorageError,
    StorageUnreachableError,
    UnreadableNameError,
    storage_errors,
)
from trainwright.storage.files import open_input as open_input
from trainwright.storage.files import open_output as open_output
from trainwright.storage.stores import goes_through_link, is_bulk, open_store, timeout
from trainwright.storage.uploads import abort_uploads
from trainwright.storage.uris import join, parent, split

_BATCH = 1000  # objects in one request: the limit of S3
_WORTH_LISTING = 4  # as many objects of a directory are asked for one by one at most

# Buckets that this process has seen: a missing object's answer does not tell whether there is one.
_seen_buckets: set[str] = set()


@dataclass(frozen=True, kw_only=True)
class ObjectFacts:
    """What a store says of an object.

    `etag` changes whenever the content does; None where the store has none.
    """

    uri: str
    size: int
    modified_ns: int
    etag: str | None


def stat(uri: str) -> ObjectFacts | None:
    """What the store says of an object; None if there is none.

    Raises:
        NoSuchBucketError: if there is not even a bucket.
    """
    store, key = open_store(uri)
    if not key:
        check_bucket(uri)
        return None
    try:
        with storage_errors(uri):
            return _facts(uri, interruptible(lambda: obstore().head(store, key)))
    except NoSuchObjectError:
        check_bucket(uri)
        return None


def exists(uri: str) -> bool:
    """Whether there is an object, or anything below the address."""
    return stat(uri) is not None or _has_any(uri)


def check_bucket(uri: str) -> None:
    """Refuses an address whose bucket does not exist, or that may not be listed.

    It is asked once per process and bucket, and only below the address: credentials may be good for
    a prefix alone, and what lies elsewhere in the bucket is nobody's business here.
    """
    root = split(uri).root
    if root in _seen_buckets:
        return
    _has_any(uri)
    _seen_buckets.add(root)


def list_tree(uri: str) -> list[ObjectFacts]:
    """All objects below an address, sorted by name; the object of that very name is not one."""
    store, key = open_store(uri)
    base = split(uri)
    found = []
    with storage_errors(uri, "listed"):
        for chunk in interruptible(
            lambda: list(obstore().list(store, key or None, chunk_size=_BATCH))
        ):
            found += [_facts(f"{base.root}/{entry['path']}", entry) for entry in chunk]
    if base.scheme == "memory":  # where markers cannot be, and links can
        found = [facts for facts in found if not goes_through_link(split(facts.uri))]
    else:
        found = _without_markers(found, f"{base.root}/{key}")
    return sorted(found, key=lambda facts: facts.uri)


def _without_markers(found: list[ObjectFacts], base: str) -> list[ObjectFacts]:
    """Consoles make an empty object for a directory, whose name ends with a slash.

    A listing shows it without the slash, under which name no object can be found.
    """
    found = _without_parents(found, base)
    empty = [facts.uri for facts in found if not facts.size]
    there: Collection[str] = stat_all(empty) if empty else ()
    return [facts for facts in found if facts.size or facts.uri in there]


def _without_parents(found: list[ObjectFacts], base: str) -> list[ObjectFacts]:
    if all(facts.size for facts in found):
        return found
    parents = {base}
    for facts in found:
        above = facts.uri.rpartition("/")[0]
        while len(above) > len(base) and above not in parents:
            parents.add(above)
            above = above.rpartition("/")[0]
    return [facts for facts in found if facts.size or facts.uri not in parents]


def stat_all(uris: Iterable[str]) -> dict[str, ObjectFacts]:
    """What the store says of several objects, by address; those that are not there are left out.

    Where many lie in one directory, it is listed once.
    """
    above: dict[str, list[str]] = {}
    for uri in dict.fromkeys(uris):
        above.setdefault(parent(uri), []).append(uri)
    found: dict[str, ObjectFacts] = {}
    for directory, wanted in above.items():
        if len(wanted) < _WORTH_LISTING:
            known = [facts for uri in wanted if (facts := stat(uri)) is not None]
        else:
            known = _list_directory(directory)
        found.update((facts.uri, facts) for facts in known)
    return {uri: found[uri] for group in above.values() for uri in group if uri in found}


def _list_directory(uri: str) -> list[ObjectFacts]:
    store, key = open_store(uri)
    root = split(uri).root
    with storage_errors(uri, "listed"):
        found = interruptible(lambda: obstore().list_with_delimiter(store, key or None))
    listed = [_facts(f"{root}/{entry['path']}", entry) for entry in found["objects"]]
    return [facts for facts in listed if not goes_through_link(split(facts.uri))]


def list_names(uri: str) -> tuple[list[str], list[str]]:
    """The names directly below an address: those that have more below them, and the objects.

    >>> list_names("s3://bucket/data")  # doctest: +SKIP
    (['train', 'eval'], ['schema.pbtxt'])
    """
    store, key = open_store(uri)
    with storage_errors(uri, "listed"):
        found = interruptible(lambda: obstore().list_with_delimiter(store, key or None))
    directories = [path.rstrip("/").rpartition("/")[2] for path in found["common_prefixes"]]
    objects = [entry["path"].rpartition("/")[2] for entry in found["objects"]]

    def is_real(name: str) -> bool:
        return not goes_through_link(split(join(uri, name)))

    return sorted(filter(is_real, directories)), sorted(filter(is_real, objects))


def read(uri: str) -> bytes:
    """The content of an object.

    Raises:
        NoSuchObjectError: if there is none.
    """
    store, key = open_store(uri)
    with storage_errors(uri):
        return interruptible(lambda: bytes(obstore().get(store, key).bytes()))


def read_small(uri: str, limit: int) -> bytes | None:
    """The content of an object, unless it has more than `limit` bytes; then None.

    Anybody with rights in a bucket can put an object there that would fill the memory of who reads
    it: so the size is looked at first, and that content is read and no other.

    Raises:
        NoSuchObjectError: if there is none.
    """
    with open_input(uri) as file:
        if file.seek(0, os.SEEK_END) > limit:
            return None
        file.seek(0)
        return file.read()


def write(uri: str, data: bytes) -> None:
    """Writes an object; one that is there is replaced."""
    store, key = open_store(uri, bulk=is_bulk(len(data)))
    with storage_errors(uri, "written"):
        interruptible(lambda: obstore().put(store, key, data))


def create(uri: str, data: bytes) -> bool:
    """Writes an object if there is none: of several who try it at once, one succeeds.

    A caller whose answer was lost on the way learns by the content that it succeeded. So two who
    must not both succeed have to write something different.

    Returns:
        False if there is an object of other content already.
    """
    store, key = open_store(uri, bulk=is_bulk(len(data)))
    deadline = time.monotonic() + timeout()
    while True:
        try:
            with storage_errors(uri, "written"):
                interruptible(lambda: _put_new(store, key, data))
            return True
        except StorageUnreachableError as error:
            # It may have arrived nevertheless.
            try:
                found = _content(uri)
            except StorageUnreachableError:
                raise error from None  # which says what was tried
            if found is None and time.monotonic() > deadline:
                raise
        except obstore().exceptions.AlreadyExistsError:
            found = _content(uri)
            if found is None and time.monotonic() > deadline:
                raise StorageError(f"{uri!r} cannot be written: it comes and goes.") from None
        if found is not None:
            return found == data
        time.sleep(0.05)  # S3 says so too while another's is under way


def _put_new(store: Any, key: str, data: bytes) -> None:
    obstore().put(store, key, data, mode="create", use_multipart=False)


def copy(source: str, target: str) -> None:
    """Copies an object; inside one bucket, the store does it by itself."""
    store, key = open_store(source, bulk=True)
    if split(source).root == split(target).root:
        with storage_errors(source, "copied"):
            interruptible(lambda: obstore().copy(store, key, open_store(target)[1]))
        return
    with open_input(source) as reader, open_output(target) as writer:
        while piece := reader.read(1 << 22):
            writer.write(piece)


def remove(uri: str) -> None:
    """Removes an object; that there is none is fine."""
    _delete(uri, [split(uri).key])


def remove_tree(uri: str) -> int:
    """Removes all objects below an address, and what abandoned uploads have left there.

    Returns:
        The number of objects.
    """
    found = list_tree(uri)
    keys = [split(facts.uri).key for facts in found]
    for start in range(0, len(keys), _BATCH):
        _delete(uri, keys[start : start + _BATCH])
    abort_uploads(uri)
    return len(found)


def _delete(uri: str, keys: list[str]) -> None:
    store, _ = open_store(uri)
    with storage_errors(uri, "removed"):
        try:
            interruptible(lambda: obstore().delete(store, keys))
        except FileNotFoundError as error:
            if "NoSuchBucket" in str(error):
                raise
            # Somebody else was quicker with one of them; only files tell.
            for key in keys if len(keys) > 1 else []:
                _delete(uri, [key])


def _has_any(uri: str) -> bool:
    store, key = open_store(uri)
    if split(uri).scheme == "memory":
        return bool(list_tree(uri))  # among what is listed there may be links
    try:
        with storage_errors(uri, "listed"):
            first = interruptible(
                lambda: next(iter(obstore().list(store, key or None, chunk_size=1)), None)
            )
    except UnreadableNameError:
        return True
    return bool(first)


def _content(uri: str) -> bytes | None:
    try:
        return read(uri)
    except NoSuchObjectError:
        return None


def _facts(uri: str, entry: Any) -> ObjectFacts:
    return ObjectFacts(
        uri=uri,
        size=entry["size"],
        modified_ns=int(entry["last_modified"].timestamp() * 1_000_000) * 1000,
        etag=entry["e_tag"],
    )
