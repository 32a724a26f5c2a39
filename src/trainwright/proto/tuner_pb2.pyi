from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

class TuneArgs(_message.Message):
    __slots__ = ("num_parallel_trials",)
    NUM_PARALLEL_TRIALS_FIELD_NUMBER: _ClassVar[int]
    num_parallel_trials: int
    def __init__(self, num_parallel_trials: _Optional[int] = ...) -> None: ...
