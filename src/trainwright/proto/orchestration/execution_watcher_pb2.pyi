from trainwright.proto.mlmd import metadata_store_pb2 as _metadata_store_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class UpdateExecutionInfoRequest(_message.Message):
    __slots__ = ("updates", "execution_id")
    class UpdatesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _metadata_store_pb2.Value
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_metadata_store_pb2.Value, _Mapping]] = ...) -> None: ...
    UPDATES_FIELD_NUMBER: _ClassVar[int]
    EXECUTION_ID_FIELD_NUMBER: _ClassVar[int]
    updates: _containers.MessageMap[str, _metadata_store_pb2.Value]
    execution_id: int
    def __init__(self, updates: _Optional[_Mapping[str, _metadata_store_pb2.Value]] = ..., execution_id: _Optional[int] = ...) -> None: ...

class UpdateExecutionInfoResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
