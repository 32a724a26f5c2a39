from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

class TrainArgs(_message.Message):
    __slots__ = ("splits", "num_steps")
    SPLITS_FIELD_NUMBER: _ClassVar[int]
    NUM_STEPS_FIELD_NUMBER: _ClassVar[int]
    splits: _containers.RepeatedScalarFieldContainer[str]
    num_steps: int
    def __init__(self, splits: _Optional[_Iterable[str]] = ..., num_steps: _Optional[int] = ...) -> None: ...

class EvalArgs(_message.Message):
    __slots__ = ("splits", "num_steps")
    SPLITS_FIELD_NUMBER: _ClassVar[int]
    NUM_STEPS_FIELD_NUMBER: _ClassVar[int]
    splits: _containers.RepeatedScalarFieldContainer[str]
    num_steps: int
    def __init__(self, splits: _Optional[_Iterable[str]] = ..., num_steps: _Optional[int] = ...) -> None: ...
