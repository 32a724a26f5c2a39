"""Small helpers around files that module files and executors call, under TFX's names."""

from __future__ import annotations

import functools
import operator
import os
import re
import tempfile
from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeVar

from google.protobuf import json_format, text_format
from google.protobuf.message import Message

from trainwright.dsl.io import fileio
from trainwright.storage.uris import is_supported

if TYPE_CHECKING:
    from tensorflow_metadata.proto.v0 import schema_pb2

ProtoMessage = TypeVar("ProtoMessage", bound=Message)

NANO_PER_SEC = 1_000_000_000

_REMOTE_FS_PREFIX = ("gs://", "hdfs://", "s3://")


def ensure_local(file_path: str) -> str:
    """The path itself, or that of a temporary copy of a file that is not local.

    Raises ValueError for a remote path whose filesystem is not registered.
    """
    if file_path.startswith(_REMOTE_FS_PREFIX) or is_supported(file_path):
        local_path = os.path.join(tempfile.mkdtemp(), os.path.basename(file_path))
        copy_file(file_path, local_path, overwrite=True)
        return local_path
    fileio.exists(file_path)
    return file_path


def copy_file(src: str, dst: str, overwrite: bool = False) -> None:
    """Copies a file, making the directory it goes to."""
    _make_parent(dst)
    fileio.copy(src, dst, overwrite=overwrite)


def copy_dir(
    src: str,
    dst: str,
    allow_regex_patterns: Iterable[str] = (),
    deny_regex_patterns: Iterable[str] = (),
) -> None:
    """Makes `dst` a copy of the directory `src`; what was there before is removed.

    Args:
        allow_regex_patterns: If any are given, only files and directories are copied whose path
            below `src`, written with it, contains a match of one of them.
        deny_regex_patterns: What contains a match of one of these is not copied.
    """
    src, dst = src.rstrip("/"), dst.rstrip("/")
    if not fileio.isdir(src):
        raise fileio.NotFoundError(
            f"{src!r} is not a directory, so it cannot be copied to {dst!r}."
        )
    _check_apart(src, dst)
    allowed = [re.compile(pattern) for pattern in allow_regex_patterns]
    denied = [re.compile(pattern) for pattern in deny_regex_patterns]

    def is_wanted(path: str) -> bool:
        if allowed and not any(pattern.search(path) for pattern in allowed):
            return False
        return not any(pattern.search(path) for pattern in denied)

    delete_dir(dst)
    fileio.makedirs(dst)
    for directory, subdirectories, files in fileio.walk(src):
        target = os.path.join(dst, directory[len(src) :].lstrip("/")).rstrip("/")
        for name in files:
            if is_wanted(os.path.join(directory, name)):
                copy_file(os.path.join(directory, name), os.path.join(target, name))
        for name in subdirectories:
            if is_wanted(os.path.join(directory, name)):
                fileio.makedirs(os.path.join(target, name))


def delete_dir(path: str) -> None:
    """Removes a directory with all that is in it, if it exists."""
    if fileio.isdir(path):
        fileio.rmtree(path)


def get_only_uri_in_dir(dir_path: str) -> str:
    """The path of the one file or directory that a directory holds."""
    names = fileio.listdir(dir_path)
    if len(names) != 1:
        raise RuntimeError(
            f"Only one file per dir is supported: {dir_path}. It holds {names or 'nothing'}."
        )
    return os.path.join(dir_path, names[0])


def all_files_pattern(file_pattern: str) -> str:
    """The pattern of all files in a directory.

    >>> all_files_pattern("/data/Split-train")
    '/data/Split-train/*'
    """
    return os.path.join(file_pattern, "*")


def write_string_file(file_name: str, string_value: str) -> None:
    """Writes a text file, making its directory."""
    _make_parent(file_name)
    with fileio.open(file_name, "w") as file:
        file.write(string_value)


def write_bytes_file(file_name: str, content: bytes) -> None:
    """Writes a file of bytes, making its directory."""
    _make_parent(file_name)
    with fileio.open(file_name, "wb") as file:
        file.write(content)


def write_pbtxt_file(file_name: str, proto: Message) -> None:
    """Writes a message in text form, making the file's directory."""
    write_string_file(file_name, text_format.MessageToString(proto))


def read_string_file(file_name: str) -> str:
    """The content of a text file."""
    with fileio.open(file_name) as file:
        return str(file.read())


def read_bytes_file(file_name: str) -> bytes:
    """The content of a file."""
    with fileio.open(file_name, "rb") as file:
        return bytes(file.read())


def parse_pbtxt_file(file_name: str, message: ProtoMessage) -> ProtoMessage:
    """Merges a message in text form into `message` and returns it.

    Raises `text_format.ParseError`, with the name of the file, if the text is not one of this type.

    Example: `schema = parse_pbtxt_file(fn_args.schema_path, schema_pb2.Schema())`
    """
    try:
        text_format.Parse(read_string_file(file_name), message)
    except text_format.ParseError as error:
        raise text_format.ParseError(
            f"{file_name} is not a {message.DESCRIPTOR.name} in text form: {error}"
        ) from error
    return message


def parse_json_file(file_name: str, message: ProtoMessage) -> ProtoMessage:
    """Merges a message in JSON into `message` and returns it.

    Raises `json_format.ParseError`, with the name of the file, if the text is not one of this type.
    """
    try:
        json_format.Parse(read_string_file(file_name), message)
    except json_format.ParseError as error:
        raise json_format.ParseError(
            f"{file_name} is not a {message.DESCRIPTOR.name} in JSON: {error}"
        ) from error
    return message


def load_csv_column_names(csv_file: str) -> list[str]:
    """The names in the first line of a CSV file, split at every comma."""
    with fileio.open(csv_file) as file:
        return str(file.readline()).strip().split(",")


def generate_fingerprint(split_name: str, file_pattern: str) -> str:
    """What tells whether the files of a split have changed: their number, sizes and times.

    Times count in whole seconds, and the order of the files does not matter.
    """
    files = [fileio.stat(path) for path in fileio.glob(file_pattern)]
    seconds = [file.mtime_nsec // NANO_PER_SEC for file in files]
    xor = functools.reduce(operator.xor, seconds, 0)
    return (
        f"split:{split_name},num_files:{len(files)},total_bytes:{sum(f.length for f in files)},"
        f"xor_checksum:{xor},sum_checksum:{sum(seconds)}"
    )


class SchemaReader:
    """Reads schemas: `SchemaReader().read(fn_args.schema_path)`."""

    def read(self, schema_path: str) -> schema_pb2.Schema:
        from tensorflow_metadata.proto.v0 import schema_pb2

        return parse_pbtxt_file(schema_path, schema_pb2.Schema())


def _make_parent(path: str) -> None:
    parent = os.path.dirname(path)
    if parent:
        fileio.makedirs(parent)


def _check_apart(src: str, dst: str) -> None:
    """Refuses a copy that would remove its own source or never end."""
    source, target = os.path.realpath(src), os.path.realpath(dst)
    if os.path.commonpath([source, target]) in (source, target):
        raise ValueError(f"Cannot copy {src!r} to {dst!r}: one lies in the other.")
