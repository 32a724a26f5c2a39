from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class StaticRange(_message.Message):
    __slots__ = ("start_span_number", "end_span_number")
    START_SPAN_NUMBER_FIELD_NUMBER: _ClassVar[int]
    END_SPAN_NUMBER_FIELD_NUMBER: _ClassVar[int]
    start_span_number: int
    end_span_number: int
    def __init__(self, start_span_number: _Optional[int] = ..., end_span_number: _Optional[int] = ...) -> None: ...

class RollingRange(_message.Message):
    __slots__ = ("start_span_number", "num_spans")
    START_SPAN_NUMBER_FIELD_NUMBER: _ClassVar[int]
    NUM_SPANS_FIELD_NUMBER: _ClassVar[int]
    start_span_number: int
    num_spans: int
    def __init__(self, start_span_number: _Optional[int] = ..., num_spans: _Optional[int] = ...) -> None: ...

class RangeConfig(_message.Message):
    __slots__ = ("static_range", "rolling_range")
    STATIC_RANGE_FIELD_NUMBER: _ClassVar[int]
    ROLLING_RANGE_FIELD_NUMBER: _ClassVar[int]
    static_range: StaticRange
    rolling_range: RollingRange
    def __init__(self, static_range: _Optional[_Union[StaticRange, _Mapping]] = ..., rolling_range: _Optional[_Union[RollingRange, _Mapping]] = ...) -> None: ...
