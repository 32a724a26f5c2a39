"""tf.Example and tf.SequenceExample as messages, without TensorFlow.

TensorFlow's own classes cost the import of TensorFlow, seconds in each process. These are made
from the same wire format in a descriptor pool of their own, so that both can live in one process.
"""

from __future__ import annotations

import functools
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

_Field = descriptor_pb2.FieldDescriptorProto
_PACKAGE = "tensorflow"


@functools.cache
def example_class() -> Any:
    """The class of tf.Example messages.

    >>> example = example_class()()
    >>> example.features.feature["age"].int64_list.value.append(3)
    >>> example_class().FromString(example.SerializeToString()) == example
    True
    """
    return message_factory.GetMessageClass(_pool().FindMessageTypeByName(f"{_PACKAGE}.Example"))


@functools.cache
def sequence_example_class() -> Any:
    """The class of tf.SequenceExample messages."""
    descriptor = _pool().FindMessageTypeByName(f"{_PACKAGE}.SequenceExample")
    return message_factory.GetMessageClass(descriptor)


@functools.cache
def feature_lists_class() -> Any:
    """The class of what a tf.SequenceExample has beside its context."""
    return message_factory.GetMessageClass(
        _pool().FindMessageTypeByName(f"{_PACKAGE}.FeatureLists")
    )


@functools.cache
def _pool() -> descriptor_pool.DescriptorPool:
    file = descriptor_pb2.FileDescriptorProto(
        name="trainwright/example.proto", package=_PACKAGE, syntax="proto3"
    )
    for name, kind in (
        ("BytesList", _Field.TYPE_BYTES),
        ("FloatList", _Field.TYPE_FLOAT),
        ("Int64List", _Field.TYPE_INT64),
    ):
        values = file.message_type.add(name=name).field.add(name="value", number=1, type=kind)
        values.label = _Field.LABEL_REPEATED
    feature = file.message_type.add(name="Feature")
    feature.oneof_decl.add(name="kind")
    for number, kind_name in enumerate(("bytes_list", "float_list", "int64_list"), start=1):
        type_name = kind_name.title().replace("_", "")
        _add_message_field(feature, kind_name, number, type_name).oneof_index = 0
    _add_map_field(file.message_type.add(name="Features"), "feature", "Feature")
    feature_list = file.message_type.add(name="FeatureList")
    _add_message_field(feature_list, "feature", 1, "Feature").label = _Field.LABEL_REPEATED
    _add_map_field(file.message_type.add(name="FeatureLists"), "feature_list", "FeatureList")
    _add_message_field(file.message_type.add(name="Example"), "features", 1, "Features")
    sequence_example = file.message_type.add(name="SequenceExample")
    _add_message_field(sequence_example, "context", 1, "Features")
    _add_message_field(sequence_example, "feature_lists", 2, "FeatureLists")
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return pool


def _add_message_field(
    message: descriptor_pb2.DescriptorProto, name: str, number: int, type_name: str
) -> descriptor_pb2.FieldDescriptorProto:
    return message.field.add(
        name=name,
        number=number,
        type=_Field.TYPE_MESSAGE,
        type_name=f".{_PACKAGE}.{type_name}",
        label=_Field.LABEL_OPTIONAL,
    )


def _add_map_field(message: descriptor_pb2.DescriptorProto, name: str, value_type: str) -> None:
    """Field 1 of a message: a map from strings to messages, as protoc declares one."""
    entry_name = f"{name.title().replace('_', '')}Entry"
    entry = message.nested_type.add(name=entry_name)
    entry.options.map_entry = True
    entry.field.add(name="key", number=1, type=_Field.TYPE_STRING, label=_Field.LABEL_OPTIONAL)
    _add_message_field(entry, "value", 2, value_type)
    entries = _add_message_field(message, name, 1, f"{message.name}.{entry_name}")
    entries.label = _Field.LABEL_REPEATED
