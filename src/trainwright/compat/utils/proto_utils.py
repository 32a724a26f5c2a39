"""Messages and their descriptors, as TFX programs handle them.

Reading here passes over keys that are not fields, as TFX's functions do; components read what users
give them with `trainwright.proto.proto_json`, which refuses such keys.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar, cast

from google.protobuf import descriptor_pool, json_format, message_factory
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.descriptor import FileDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import Message

ProtoMessage = TypeVar("ProtoMessage", bound=Message)


def json_to_proto(json_str: str, proto: ProtoMessage) -> ProtoMessage:
    """Merges a JSON object into a message and returns it; unknown keys are passed over."""
    return json_format.Parse(json_str, proto, ignore_unknown_fields=True)


def dict_to_proto(json_dict: dict[Any, Any], proto: ProtoMessage) -> ProtoMessage:
    """Merges a dict into a message and returns it; unknown keys are passed over."""
    return json_format.ParseDict(json_dict, proto, ignore_unknown_fields=True)


def gather_file_descriptors(file_descriptor: FileDescriptor) -> Iterator[FileDescriptor]:
    """A .proto file and all that it imports, each once, after what it imports itself."""
    seen: set[str] = set()

    def visit(file: FileDescriptor) -> Iterator[FileDescriptor]:
        if file.name not in seen:
            seen.add(file.name)
            for imported in file.dependencies:
                yield from visit(imported)
            yield file

    return visit(file_descriptor)


def build_file_descriptor_set(
    pb_message: Message | type[Message], fd_set: FileDescriptorSet
) -> FileDescriptorSet:
    """Adds to a set the file that declares a message, with all that it imports."""
    for file in gather_file_descriptors(cast(FileDescriptor, pb_message.DESCRIPTOR.file)):
        file.CopyToProto(fd_set.file.add())
    return fd_set


def get_pool_with_descriptors(
    file_descriptors: FileDescriptorSet | None = None,
) -> DescriptorPool:
    """The default descriptor pool, after adding those of the files that it does not have yet."""
    pool = descriptor_pool.Default()
    for file in file_descriptors.file if file_descriptors else ():
        if not _has_file(pool, file.name):
            pool.AddSerializedFile(file.SerializeToString())
    return pool


def _has_file(pool: DescriptorPool, name: str) -> bool:
    try:
        pool.FindFileByName(name)
    except KeyError:
        return False
    return True


def deserialize_proto_message(
    serialized_message: str,
    message_name: str,
    file_descriptors: FileDescriptorSet | None = None,
) -> Message:
    """Reads a message from JSON, given its full name and, if need be, the files that declare it."""
    pool = get_pool_with_descriptors(file_descriptors)
    return json_format.Parse(
        serialized_message, _new_message(message_name, pool), descriptor_pool=pool
    )


def unpack_proto_any(any_proto: AnyMessage, pool: DescriptorPool | None = None) -> Message:
    """The message inside an `Any`, in its own class."""
    message = _new_message(any_proto.type_url.rpartition("/")[2], pool or descriptor_pool.Default())
    any_proto.Unpack(message)
    return message


def _new_message(name: str, pool: DescriptorPool) -> Message:
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(name))()
