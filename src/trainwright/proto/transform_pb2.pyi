from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

class SplitsConfig(_message.Message):
    __slots__ = ("analyze", "transform")
    ANALYZE_FIELD_NUMBER: _ClassVar[int]
    TRANSFORM_FIELD_NUMBER: _ClassVar[int]
    analyze: _containers.RepeatedScalarFieldContainer[str]
    transform: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, analyze: _Optional[_Iterable[str]] = ..., transform: _Optional[_Iterable[str]] = ...) -> None: ...
