"""Descriptions of messages that travel with them, for readers that do not have their classes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from google.protobuf import descriptor_pb2
from google.protobuf.descriptor import FileDescriptor


def add_file_descriptors(file: Any, descriptors: descriptor_pb2.FileDescriptorSet) -> None:
    """Adds the description of a file and of all files that it imports, each once."""
    present = {known.name for known in descriptors.file}
    for needed in _with_imports(file, set()):
        if needed.name not in present:
            needed.CopyToProto(descriptors.file.add())


def _with_imports(file: FileDescriptor, seen: set[str]) -> Iterator[FileDescriptor]:
    """A file after the files that it imports, so that a pool can take them in this order."""
    if file.name in seen:
        return
    seen.add(file.name)
    for imported in file.dependencies:
        yield from _with_imports(imported, seen)
    yield file
