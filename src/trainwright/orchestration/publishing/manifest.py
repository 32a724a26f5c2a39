"""The manifest of an artifact: which files it is made of, so that a damaged one is noticed.

A worker writes its outputs through to the disk and lists them before it says that it is done. The
list is published with the outputs; whoever wants to reuse them compares it with what is there.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import stat
from collections.abc import Iterable, Iterator
from typing import Any

from trainwright._paths import check_not_special, is_remote, kind_of
from trainwright.orchestration.planning.lookup_stop import check_stop, interruptible
from trainwright.orchestration.publishing import layout, object_manifest

_logger = logging.getLogger(__name__)

# By path relative to the artifact ("" is the artifact itself, if it is a file): size in bytes, time
# of the last change in nanoseconds, CRC32C of the content. What is imported is what its links lead
# to. In an output a link is its text, with a fourth number, 1, if it led somewhere when it was
# listed. A path that ends with "/" is an empty directory: zeros, or else, for a linked one whose
# files are listed elsewhere, the CRC32C of where it leads.
Manifest = dict[str, list[int]]
# The same without the content: by relative path, size and time of the last change; of a link, its
# own and those of the file that it leads to.
FileTimes = dict[str, tuple[int, ...]]

# Links behind links to more files than this have multiplied them.
_MOST_BEHIND_A_LINK = 100_000

# Python's and Jupyter's caches, what macOS and NFS leave in directories, and what TensorBoard's
# profiler writes beside a profile that is looked at.
_HARMLESS = re.compile(
    r"(^|/)(__pycache__/|\.ipynb_checkpoints/|\.DS_Store$|\.nfs[0-9a-f]+$|plugins/profile/)"
)


def write_through(uri: str) -> Manifest:
    """Makes sure that all files of an artifact are on disk; returns what they are.

    A link is listed as a link, also one that leads nowhere, as a removed checkpoint leaves it.
    Empty directories are listed too: an empty split is part of what was made.

    Raises:
        ValueError: if there is something else than files and links, such as a named pipe.
    """
    paths = list(_walk_artifact(uri))
    for path in paths:
        if not os.path.islink(path) or os.path.exists(path):
            check_not_special(path, "An output holds a special file:")
    manifest = {_relative(path, uri): _write_file_through(path) for path in _listed(paths, uri)}
    for directory in _walk_directories(uri):
        _sync_directory(directory)
    return manifest


def find_damage(uri: str, manifest: Manifest | None, *, is_imported: bool = False) -> str | None:
    """What is wrong with an artifact, in words; None if it is whole.

    Whole means: all files that are listed, unchanged, and no others, where they were listed. What a
    user imports may lie behind links, and counts as what they lead to (`is_imported`); a directory
    of ours never did. Without a manifest (the artifact lies where an executor chose) it only has to
    be there.
    """
    if is_remote(uri):
        return object_manifest.find_damage(
            uri, manifest, is_imported=is_imported, is_harmless=is_harmless
        )
    if not os.path.exists(uri):
        return f"{uri} is gone"
    if manifest is None:
        return None
    if not is_imported and os.path.islink(layout.output_directory(uri)):
        return f"{layout.output_directory(uri)} has become a link"
    find_changed = _find_changed_import if is_imported else _find_changed_output
    for relative, facts in manifest.items():
        check_stop()
        path = os.path.join(uri, relative) if relative else uri
        change = find_changed(path, facts, uri)
        if change is not None:
            return f"{path.rstrip(os.sep)} {change}"
    return _find_added_file(uri, manifest, is_imported)


def _find_changed_output(path: str, facts: list[int], uri: str) -> str | None:
    try:
        status = os.lstat(path.rstrip(os.sep))
    except OSError:
        return "is gone"
    if _is_directory_entry(path):
        if stat.S_ISLNK(status.st_mode):
            return "has become a link"
        return None if stat.S_ISDIR(status.st_mode) else f"is {kind_of(path.rstrip(os.sep))}"
    _, _, _, *led_somewhere = facts
    change = _find_change(path, status, facts)
    if change is None and led_somewhere and not os.path.exists(path):
        return "is a link that leads nowhere now"
    return change


def _find_changed_import(path: str, facts: list[int], uri: str) -> str | None:
    try:
        status = os.stat(path.rstrip(os.sep))
    except OSError:
        return "is gone"
    if not _is_directory_entry(path):
        return _find_change(path, status, facts, follow_links=True)
    if not stat.S_ISDIR(status.st_mode):
        return f"is {kind_of(path.rstrip(os.sep))}"
    return None if _describe_directory(path, uri) == facts else "leads elsewhere"


def _find_change(
    path: str, status: os.stat_result, facts: list[int], *, follow_links: bool = False
) -> str | None:
    size, mtime_ns, checksum = facts[:3]
    if not (stat.S_ISREG(status.st_mode) or stat.S_ISLNK(status.st_mode)):
        return f"is {kind_of(path)}"
    if status.st_size != size:
        return f"has {status.st_size} bytes instead of {size}"
    # A copy of the artifact has other times and the same content.
    if status.st_mtime_ns != mtime_ns and _checksum(path, follow_links=follow_links) != checksum:
        return "was changed"
    return None


def _find_added_file(uri: str, manifest: Manifest, is_imported: bool) -> str | None:
    """Whoever reads an artifact takes every file in it for data."""
    for path in _walk_artifact(uri, follow_links=is_imported):
        check_stop()
        relative = _relative(path, uri)
        if relative in manifest or is_harmless(relative):
            continue
        entry = path.rstrip(os.sep)
        if _is_directory_entry(path) and not os.path.islink(entry):
            continue  # no file is in it
        if os.path.islink(path) and any(name.startswith(relative + os.sep) for name in manifest):
            return f"{path} has become a link"
        return f"{entry} was added"
    return None


def is_harmless(relative: str) -> bool:
    """Whether a file is one of those that tools leave where people look at an artifact."""
    return _HARMLESS.search(relative) is not None


def list_files(uri: str) -> Manifest:
    """The manifest of what lies outside of a pipeline, which is not ours to write through.

    Links are followed: nodes read what they lead to.

    Raises:
        ValueError: if there is something else than files, or a link that leads nowhere.
    """
    if is_remote(uri):
        return object_manifest.list_import(uri)
    paths = []
    for path in _walk_artifact(uri, follow_links=True):
        check_stop()
        check_not_special(path)
        paths.append(path)
    return {_relative(path, uri): _describe_import(path, uri) for path in _listed(paths, uri)}


def list_for_upload(uri: str) -> Manifest:
    """The manifest of an output that goes to an object store, where there are no links.

    A link counts as what it leads to: the files of a linked directory are listed under the name of
    each link too. A link that leads nowhere, as a removed checkpoint leaves it, or to a directory
    that it lies in, is not listed. Neither are times: they are the store's there.

    Raises:
        ValueError: if there is something else than files and links, such as a named pipe, or if
            links multiply what is there beyond all measure.
        OSError: if a directory cannot be read.
    """
    manifest: Manifest = {}
    paths = _walk_for_upload(uri, uri, ()) if os.path.isdir(uri) else _walk_artifact(uri)
    for path in _listed(list(paths), uri):
        if _is_directory_entry(path):
            manifest[_relative(path, uri)] = [0, 0, 0]
        else:
            check_not_special(path, "An output holds a special file:")
            size = os.stat(path).st_size
            manifest[_relative(path, uri)] = [size, 0, _checksum(path, follow_links=True)]
    return manifest


def list_times(uri: str, *, follow_links: bool = False) -> FileTimes | None:
    """Size and time of each file of an artifact; None if there is nothing at the uri."""
    if not os.path.exists(uri):
        return None
    times: FileTimes = {}
    for path in _walk_files(uri, follow_links=follow_links):
        relative = _relative(path, uri)
        with contextlib.suppress(OSError):  # it goes in this moment
            if not is_harmless(relative):
                times[relative] = _times(path)
    return times


def _times(path: str) -> tuple[int, ...]:
    status = os.lstat(path)
    times = (status.st_size, status.st_mtime_ns)
    if stat.S_ISLNK(status.st_mode):
        with contextlib.suppress(OSError):  # it leads nowhere
            target = os.stat(path)
            if stat.S_ISREG(target.st_mode):
                return (*times, target.st_size, target.st_mtime_ns)
    return times


def size_of(uri: str) -> int:
    """How many bytes an artifact takes."""
    if is_remote(uri):
        return object_manifest.size_of(uri)
    return sum(os.lstat(path).st_size for path in _walk_files(uri))


def _listed(paths: Iterable[str], uri: str) -> Iterator[str]:
    """Without empty directories that tools leave."""
    for path in paths:
        if not (_is_directory_entry(path) and is_harmless(_relative(path, uri))):
            yield path


def _relative(path: str, uri: str) -> str:
    return path[len(os.path.join(uri, "")) :] if path != uri else ""


def _write_file_through(path: str) -> list[int]:
    if _is_directory_entry(path):
        return [0, 0, 0]
    if stat.S_ISREG(os.lstat(path).st_mode):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    status = os.lstat(path)
    facts = [status.st_size, status.st_mtime_ns, _checksum(path)]
    return [*facts, 1] if stat.S_ISLNK(status.st_mode) and os.path.exists(path) else facts


def _describe_import(path: str, uri: str) -> list[int]:
    if _is_directory_entry(path):
        return _describe_directory(path, uri)
    status = os.stat(path)
    return [status.st_size, status.st_mtime_ns, _checksum(path, follow_links=True)]


def _describe_directory(path: str, uri: str) -> list[int]:
    """A directory without files of its own in a manifest; of a linked one, where it leads."""
    link = path.rstrip(os.sep)
    if not os.path.islink(link):
        return [0, 0, 0]
    return [0, 0, _text_checksum(os.path.relpath(os.path.realpath(link), os.path.realpath(uri)))]


def _sync_directory(path: str) -> None:
    """Makes sure that the names in a directory are on disk."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _checksum(path: str, *, follow_links: bool = False) -> int:
    if not follow_links and os.path.islink(path):
        return _text_checksum(os.readlink(path))
    # Neither declaring a pipeline nor finding that all is cached needs it.
    import google_crc32c

    checksum: Any = 0
    with interruptible(), open(path, "rb") as file:
        while chunk := file.read(1 << 20):
            check_stop()
            checksum = google_crc32c.extend(checksum, chunk)
    return int(checksum)


def _text_checksum(path: str) -> int:
    import google_crc32c

    return int(google_crc32c.value(os.fsencode(path)))


def _walk_artifact(uri: str, *, follow_links: bool = False) -> Iterator[str]:
    """All files below a directory, or the one file; a path that ends with `/` is a directory.

    Directories are listed if nothing is in them. A link counts as a file and is not followed, or
    else as what it leads to: a linked directory is walked once, and listed without its files if it
    is a circle or if they are listed already.
    """
    if os.path.isdir(uri):
        yield from _walk(uri, uri, [os.path.realpath(uri)] if follow_links else None)
    elif os.path.exists(uri):
        yield uri


def _walk_files(uri: str, *, follow_links: bool = False) -> Iterator[str]:
    """The same without directories."""
    for path in _walk_artifact(uri, follow_links=follow_links):
        if not _is_directory_entry(path):
            yield path


def _is_directory_entry(path: str) -> bool:
    """Whether a path stands for a directory in what `_walk_artifact` lists."""
    return path.endswith(os.sep)


def _walk_directories(uri: str) -> Iterator[str]:
    """The directories that name the files: from those within to the one that holds the artifact."""
    if os.path.isdir(uri):
        for directory, _, _ in os.walk(uri, topdown=False):
            yield directory
    else:
        yield os.path.dirname(uri)
    yield os.path.dirname(uri if os.path.isdir(uri) else os.path.dirname(uri))


def _walk(top: str, uri: str, walked: list[str] | None) -> Iterator[str]:
    """Walks a directory; if links are followed, `walked` has the real ones that were begun with."""
    for directory, directories, names in os.walk(top):
        if not directories and not names and directory != uri:
            yield os.path.join(directory, "")
        directories.sort()
        links = {name for name in directories if os.path.islink(os.path.join(directory, name))}
        for name in sorted([*names, *links]):
            path = os.path.join(directory, name)
            if name not in links or walked is None:
                yield path
            elif _is_walked(path, directory, walked):
                yield os.path.join(path, "")
            else:
                walked.append(os.path.realpath(path))
                yield from _walk(path, uri, walked)


def _walk_for_upload(top: str, uri: str, above: tuple[str, ...]) -> Iterator[str]:
    """Walks a directory with all that its links lead to, as often as they do.

    Args:
        top: The directory, or a link to one.
        uri: The artifact, which is not listed itself.
        above: The real directories in which the links lie that have led here.
    """
    for directory, directories, names in os.walk(top, onerror=_raise):
        directories.sort()
        around = (*above, os.path.realpath(directory))
        paths = [os.path.join(directory, name) for name in sorted([*directories, *names])]
        kept = [path for path in paths if not os.path.islink(path) or _can_follow(path, around)]
        if not kept and directory != uri:
            yield os.path.join(directory, "")
        for path in kept:
            if not os.path.isdir(path):
                yield path
            elif os.path.islink(path):
                found = _walk_for_upload(path, uri, around)
                yield from _limited(found, path) if above else found


def _limited(found: Iterator[str], link: str) -> Iterator[str]:
    """Links to directories with links to directories multiply, without being a circle."""
    for number, path in enumerate(found):
        if number == _MOST_BEHIND_A_LINK:
            raise ValueError(
                f"{link!r}, which lies behind another link, leads to more than "
                f"{_MOST_BEHIND_A_LINK} files, counted each time that a link leads to them. An "
                "object store has no links: all would become files. Remove links from the output."
            )
        yield path


def _can_follow(link: str, around: tuple[str, ...]) -> bool:
    if not os.path.exists(link):
        _logger.warning("%s leads nowhere and is left out.", link)
        return False
    target = os.path.realpath(link)
    if any(_is_within(directory, target) for directory in around):
        _logger.warning("%s leads to a directory that it lies in and is left out.", link)
        return False
    return True


def _raise(error: OSError) -> None:
    raise error


def _is_walked(link: str, directory: str, walked: list[str]) -> bool:
    """Whether a link leads to what is walked anyway, or to a directory that it lies in."""
    target = os.path.realpath(link)
    return _is_within(os.path.realpath(directory), target) or any(
        _is_within(target, each) for each in walked
    )


def _is_within(path: str, directory: str) -> bool:
    return path == directory or path.startswith(os.path.join(directory, ""))
