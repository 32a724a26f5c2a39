"""Source files in object stores: which content of each a node reads, and its copy on this host.

Before a node runs it is noted what the store said of its source files: the cache key is made of
that, and the executor reads that content and no other, on whatever machine it runs.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from trainwright._paths import MissingInputError, check_local_path, is_remote
from trainwright.storage.local_copies import Copy, check_copies, default_copies
from trainwright.storage.objects import ObjectFacts, stat
from trainwright.storage.uris import check_slashes, check_uri, is_supported

# The property of an execution that has it: size, time of change and tag by address.
REMOTE_FILES = "_remote_files"

_AT_ONCE = 4  # each download has several requests of its own

_held: dict[tuple[str, str | None], Copy] = {}
_lock = threading.Lock()


def check_source_path(path: str, name: str) -> None:
    """Refuses a path that is neither one on this machine nor the address of an object.

    Nothing is asked for: whether something is there is another matter.

    Args:
        path: What was given.
        name: What messages call it, for example "input_base of CsvExampleGen".

    Raises:
        ValueError: naming the path and what is wrong with it.
    """
    check_slashes(path, name)
    if is_remote(path) and "://" in path and path.partition(":")[0].lower() != "file":
        check_uri(path, name)
        check_copies()
    else:
        check_local_path(path, name)


def note_remote_files(exec_properties: dict[str, Any], facts: Iterable[ObjectFacts]) -> None:
    """Notes in the properties of an execution which content of its source files it reads."""
    noted = {fact.uri: [fact.size, fact.modified_ns, fact.etag] for fact in facts}
    if noted:
        exec_properties[REMOTE_FILES] = noted


def noted_facts(exec_properties: Mapping[str, Any], uri: str) -> ObjectFacts | None:
    """What was noted of a source file; None where nobody has, as in a call by hand."""
    found = (exec_properties.get(REMOTE_FILES) or {}).get(uri)
    if found is None:
        return None
    size, modified_ns, etag = found
    return ObjectFacts(uri=uri, size=size, modified_ns=modified_ns, etag=etag)


def local_file(path: str, exec_properties: Mapping[str, Any] | None = None) -> str:
    """Where a source file lies on this machine: a local path as it is, an object as a copy.

    A copy stays until this process ends.

    Args:
        path: The path or the address.
        exec_properties: Of the execution, which say what content of it is meant.

    Raises:
        NoSuchObjectError: if there is no such object.
        ObjectChangedError: if its content is another one by now.
    """
    if not is_supported(path):
        return path
    facts = noted_facts(exec_properties or {}, path)
    if facts is not None:
        with _lock:
            held = _held.get((path, facts.etag))
        if held is not None:
            return held.path
    copy = default_copies().fetch_file(path, facts=facts)
    tag = facts.etag if facts is not None else copy.path
    with _lock:
        return _held.setdefault((path, tag), copy).path


def is_copy(path: str) -> bool:
    """Whether a path is that of a copy of an object, which this process has fetched."""
    with _lock:
        return any(copy.path == path for copy in _held.values())


def local_files(paths: Sequence[str], exec_properties: Mapping[str, Any]) -> list[str]:
    """`local_file` for each of several files, fetched side by side."""
    if not any(map(is_supported, paths)):
        return list(paths)
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return list(pool.map(lambda path: local_file(path, exec_properties), paths))


@contextlib.contextmanager
def fetched_for_check(
    node_id: str,
    source_files: Sequence[str],
    properties: Mapping[str, Any],
) -> Iterator[dict[str, Any]]:
    """The properties with local copies in place of source files that are objects.

    A ValueError about such a copy speaks of the object.

    Args:
        node_id: The node, for messages.
        source_files: The source files that its driver names.
        properties: The properties.

    Raises:
        MissingInputError: if there is no such object.
        StorageError: if it cannot be read.
    """
    local, uris = dict(properties), {}
    remote = {
        name: value
        for name, value in properties.items()
        if isinstance(value, str) and value in source_files and is_supported(value)
    }
    with contextlib.ExitStack() as held:
        for name, uri in remote.items():
            facts = stat(uri)
            if facts is None:
                raise MissingInputError(f"{name} of {node_id} {uri!r} does not exist.")
            path = held.enter_context(default_copies().fetch_file(uri, facts=facts)).path
            local[name], uris[path] = path, uri
        try:
            yield local
        except ValueError as error:
            text = str(error)
            for path, uri in uris.items():
                text = text.replace(path, uri)
            if text == str(error):
                raise
            kind = MissingInputError if isinstance(error, MissingInputError) else ValueError
            raise kind(text) from error
