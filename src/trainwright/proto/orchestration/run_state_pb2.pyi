from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class RunState(_message.Message):
    __slots__ = ("state", "status_code", "status_msg", "update_time")
    class State(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        UNKNOWN: _ClassVar[RunState.State]
        READY: _ClassVar[RunState.State]
        RUNNING: _ClassVar[RunState.State]
        COMPLETE: _ClassVar[RunState.State]
        SKIPPED: _ClassVar[RunState.State]
        SKIPPED_PARTIAL_RUN: _ClassVar[RunState.State]
        STOPPED: _ClassVar[RunState.State]
        FAILED: _ClassVar[RunState.State]
    UNKNOWN: RunState.State
    READY: RunState.State
    RUNNING: RunState.State
    COMPLETE: RunState.State
    SKIPPED: RunState.State
    SKIPPED_PARTIAL_RUN: RunState.State
    STOPPED: RunState.State
    FAILED: RunState.State
    class StatusCodeValue(_message.Message):
        __slots__ = ("value",)
        VALUE_FIELD_NUMBER: _ClassVar[int]
        value: int
        def __init__(self, value: _Optional[int] = ...) -> None: ...
    STATE_FIELD_NUMBER: _ClassVar[int]
    STATUS_CODE_FIELD_NUMBER: _ClassVar[int]
    STATUS_MSG_FIELD_NUMBER: _ClassVar[int]
    UPDATE_TIME_FIELD_NUMBER: _ClassVar[int]
    state: RunState.State
    status_code: RunState.StatusCodeValue
    status_msg: str
    update_time: int
    def __init__(self, state: _Optional[_Union[RunState.State, str]] = ..., status_code: _Optional[_Union[RunState.StatusCodeValue, _Mapping]] = ..., status_msg: _Optional[str] = ..., update_time: _Optional[int] = ...) -> None: ...
