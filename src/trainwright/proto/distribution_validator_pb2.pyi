from tensorflow_metadata.proto.v0 import path_pb2 as _path_pb2
from tensorflow_metadata.proto.v0 import schema_pb2 as _schema_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class FeatureComparator(_message.Message):
    __slots__ = ("path", "distribution_comparator")
    PATH_FIELD_NUMBER: _ClassVar[int]
    DISTRIBUTION_COMPARATOR_FIELD_NUMBER: _ClassVar[int]
    path: _path_pb2.Path
    distribution_comparator: _schema_pb2.FeatureComparator
    def __init__(self, path: _Optional[_Union[_path_pb2.Path, _Mapping]] = ..., distribution_comparator: _Optional[_Union[_schema_pb2.FeatureComparator, _Mapping]] = ...) -> None: ...

class DistributionValidatorConfig(_message.Message):
    __slots__ = ("default_slice_config",)
    class DatasetConfig(_message.Message):
        __slots__ = ("feature", "num_examples_comparator")
        FEATURE_FIELD_NUMBER: _ClassVar[int]
        NUM_EXAMPLES_COMPARATOR_FIELD_NUMBER: _ClassVar[int]
        feature: _containers.RepeatedCompositeFieldContainer[FeatureComparator]
        num_examples_comparator: _schema_pb2.NumericValueComparator
        def __init__(self, feature: _Optional[_Iterable[_Union[FeatureComparator, _Mapping]]] = ..., num_examples_comparator: _Optional[_Union[_schema_pb2.NumericValueComparator, _Mapping]] = ...) -> None: ...
    DEFAULT_SLICE_CONFIG_FIELD_NUMBER: _ClassVar[int]
    default_slice_config: DistributionValidatorConfig.DatasetConfig
    def __init__(self, default_slice_config: _Optional[_Union[DistributionValidatorConfig.DatasetConfig, _Mapping]] = ...) -> None: ...
