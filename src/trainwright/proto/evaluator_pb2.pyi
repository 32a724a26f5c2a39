from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SingleSlicingSpec(_message.Message):
    __slots__ = ("column_for_slicing",)
    COLUMN_FOR_SLICING_FIELD_NUMBER: _ClassVar[int]
    column_for_slicing: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, column_for_slicing: _Optional[_Iterable[str]] = ...) -> None: ...

class FeatureSlicingSpec(_message.Message):
    __slots__ = ("specs",)
    SPECS_FIELD_NUMBER: _ClassVar[int]
    specs: _containers.RepeatedCompositeFieldContainer[SingleSlicingSpec]
    def __init__(self, specs: _Optional[_Iterable[_Union[SingleSlicingSpec, _Mapping]]] = ...) -> None: ...
