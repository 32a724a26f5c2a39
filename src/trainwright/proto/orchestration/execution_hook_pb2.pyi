from trainwright.proto.mlmd import metadata_store_pb2 as _metadata_store_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class PreExecutionOutput(_message.Message):
    __slots__ = ("flags", "vars", "extra_flags")
    class Flag(_message.Message):
        __slots__ = ("name", "value")
        NAME_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        name: str
        value: _metadata_store_pb2.Value
        def __init__(self, name: _Optional[str] = ..., value: _Optional[_Union[_metadata_store_pb2.Value, _Mapping]] = ...) -> None: ...
    class VarsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _metadata_store_pb2.Value
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_metadata_store_pb2.Value, _Mapping]] = ...) -> None: ...
    FLAGS_FIELD_NUMBER: _ClassVar[int]
    VARS_FIELD_NUMBER: _ClassVar[int]
    EXTRA_FLAGS_FIELD_NUMBER: _ClassVar[int]
    flags: _containers.RepeatedCompositeFieldContainer[PreExecutionOutput.Flag]
    vars: _containers.MessageMap[str, _metadata_store_pb2.Value]
    extra_flags: _containers.RepeatedCompositeFieldContainer[_metadata_store_pb2.Value]
    def __init__(self, flags: _Optional[_Iterable[_Union[PreExecutionOutput.Flag, _Mapping]]] = ..., vars: _Optional[_Mapping[str, _metadata_store_pb2.Value]] = ..., extra_flags: _Optional[_Iterable[_Union[_metadata_store_pb2.Value, _Mapping]]] = ...) -> None: ...
