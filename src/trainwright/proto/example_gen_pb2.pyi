from google.protobuf import any_pb2 as _any_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class PayloadFormat(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FORMAT_UNSPECIFIED: _ClassVar[PayloadFormat]
    FORMAT_TF_EXAMPLE: _ClassVar[PayloadFormat]
    FORMAT_TF_SEQUENCE_EXAMPLE: _ClassVar[PayloadFormat]
    FORMAT_PROTO: _ClassVar[PayloadFormat]
    FORMAT_PARQUET: _ClassVar[PayloadFormat]

class FileFormat(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FILE_FORMAT_UNSPECIFIED: _ClassVar[FileFormat]
    FORMAT_TFRECORDS_GZIP: _ClassVar[FileFormat]
    FILE_FORMAT_PARQUET: _ClassVar[FileFormat]
FORMAT_UNSPECIFIED: PayloadFormat
FORMAT_TF_EXAMPLE: PayloadFormat
FORMAT_TF_SEQUENCE_EXAMPLE: PayloadFormat
FORMAT_PROTO: PayloadFormat
FORMAT_PARQUET: PayloadFormat
FILE_FORMAT_UNSPECIFIED: FileFormat
FORMAT_TFRECORDS_GZIP: FileFormat
FILE_FORMAT_PARQUET: FileFormat

class Input(_message.Message):
    __slots__ = ("splits",)
    class Split(_message.Message):
        __slots__ = ("name", "pattern")
        NAME_FIELD_NUMBER: _ClassVar[int]
        PATTERN_FIELD_NUMBER: _ClassVar[int]
        name: str
        pattern: str
        def __init__(self, name: _Optional[str] = ..., pattern: _Optional[str] = ...) -> None: ...
    SPLITS_FIELD_NUMBER: _ClassVar[int]
    splits: _containers.RepeatedCompositeFieldContainer[Input.Split]
    def __init__(self, splits: _Optional[_Iterable[_Union[Input.Split, _Mapping]]] = ...) -> None: ...

class CustomConfig(_message.Message):
    __slots__ = ("custom_config",)
    CUSTOM_CONFIG_FIELD_NUMBER: _ClassVar[int]
    custom_config: _any_pb2.Any
    def __init__(self, custom_config: _Optional[_Union[_any_pb2.Any, _Mapping]] = ...) -> None: ...

class Output(_message.Message):
    __slots__ = ("split_config",)
    SPLIT_CONFIG_FIELD_NUMBER: _ClassVar[int]
    split_config: SplitConfig
    def __init__(self, split_config: _Optional[_Union[SplitConfig, _Mapping]] = ...) -> None: ...

class SplitConfig(_message.Message):
    __slots__ = ("splits", "partition_feature_name")
    class Split(_message.Message):
        __slots__ = ("name", "hash_buckets")
        NAME_FIELD_NUMBER: _ClassVar[int]
        HASH_BUCKETS_FIELD_NUMBER: _ClassVar[int]
        name: str
        hash_buckets: int
        def __init__(self, name: _Optional[str] = ..., hash_buckets: _Optional[int] = ...) -> None: ...
    SPLITS_FIELD_NUMBER: _ClassVar[int]
    PARTITION_FEATURE_NAME_FIELD_NUMBER: _ClassVar[int]
    splits: _containers.RepeatedCompositeFieldContainer[SplitConfig.Split]
    partition_feature_name: str
    def __init__(self, splits: _Optional[_Iterable[_Union[SplitConfig.Split, _Mapping]]] = ..., partition_feature_name: _Optional[str] = ...) -> None: ...
