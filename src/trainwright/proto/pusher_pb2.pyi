from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Versioning(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    AUTO: _ClassVar[Versioning]
    UNIX_TIMESTAMP: _ClassVar[Versioning]
AUTO: Versioning
UNIX_TIMESTAMP: Versioning

class PushDestination(_message.Message):
    __slots__ = ("filesystem",)
    class Filesystem(_message.Message):
        __slots__ = ("base_directory", "versioning")
        BASE_DIRECTORY_FIELD_NUMBER: _ClassVar[int]
        VERSIONING_FIELD_NUMBER: _ClassVar[int]
        base_directory: str
        versioning: Versioning
        def __init__(self, base_directory: _Optional[str] = ..., versioning: _Optional[_Union[Versioning, str]] = ...) -> None: ...
    FILESYSTEM_FIELD_NUMBER: _ClassVar[int]
    filesystem: PushDestination.Filesystem
    def __init__(self, filesystem: _Optional[_Union[PushDestination.Filesystem, _Mapping]] = ...) -> None: ...
