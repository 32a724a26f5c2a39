"""Manifests of artifacts in an object store, in the form of those on disk (`manifest.py`).

Of what a run uploads the content is known, because it was on disk before: size and CRC32C are as
they were there, the time is 0. Of what a user imports it is not: the third number is the CRC32C of
the store's own tag of the content, and the time is the store's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from trainwright.orchestration.planning.lookup_stop import check_stop
from trainwright.orchestration.publishing import places
from trainwright.storage import objects


def list_import(uri: str) -> dict[str, list[int]]:
    """What lies at the URI of an import, by relative name; "" is the object itself."""
    found = places.files_below(uri)
    return {name: _describe(facts) for name, facts in found if not _is_marker(name)}


def find_damage(
    uri: str,
    manifest: Mapping[str, list[int]] | None,
    *,
    is_imported: bool,
    is_harmless: Callable[[str], bool],
) -> str | None:
    """What is wrong with an artifact, in words; None if it is whole.

    An object is written at once and never in part, so size is proof enough of what was uploaded;
    whoever stages it checks the content as well.
    """
    found = dict(places.files_below(uri))
    if manifest is None:
        return None if found else f"{uri} is gone"
    listed = {name: facts for name, facts in manifest.items() if not name.endswith("/")}
    for name, (size, time, tag, *_) in listed.items():
        check_stop()
        facts = found.get(name)
        path = f"{uri}/{name}" if name else uri
        if facts is None:
            return f"{path} is gone"
        if facts.size != size:
            return f"{path} has {facts.size} bytes instead of {size}"
        if is_imported and facts.modified_ns != time and _checksum(facts.etag) != tag:
            return f"{path} was changed"
    added = [name for name in found if name not in listed]
    unexpected = (name for name in added if not (is_harmless(name) or _is_marker(name)))
    return next((f"{uri}/{name} was added" for name in unexpected), None)


def size_of(uri: str) -> int:
    """How many bytes an artifact takes."""
    return sum(facts.size for _, facts in places.files_below(uri))


def _describe(facts: objects.ObjectFacts) -> list[int]:
    return [facts.size, facts.modified_ns, _checksum(facts.etag)]


def _checksum(tag: str | None) -> int:
    import google_crc32c

    return int(google_crc32c.value((tag or "").encode()))


def _is_marker(name: str) -> bool:
    """Whether an object stands for a directory, as the consoles of object stores make them."""
    return name.endswith("/")
