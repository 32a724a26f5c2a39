from trainwright.proto.tfma import config_pb2 as _config_pb2
from trainwright.proto.tfma import metrics_for_slice_pb2 as _metrics_for_slice_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ValidationFailure(_message.Message):
    __slots__ = ("metric_key", "metric_threshold", "metric_value", "message")
    METRIC_KEY_FIELD_NUMBER: _ClassVar[int]
    METRIC_THRESHOLD_FIELD_NUMBER: _ClassVar[int]
    METRIC_VALUE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    metric_key: _metrics_for_slice_pb2.MetricKey
    metric_threshold: _config_pb2.MetricThreshold
    metric_value: _metrics_for_slice_pb2.MetricValue
    message: str
    def __init__(self, metric_key: _Optional[_Union[_metrics_for_slice_pb2.MetricKey, _Mapping]] = ..., metric_threshold: _Optional[_Union[_config_pb2.MetricThreshold, _Mapping]] = ..., metric_value: _Optional[_Union[_metrics_for_slice_pb2.MetricValue, _Mapping]] = ..., message: _Optional[str] = ...) -> None: ...

class SlicingDetails(_message.Message):
    __slots__ = ("slicing_spec", "cross_slicing_spec", "num_matching_slices")
    SLICING_SPEC_FIELD_NUMBER: _ClassVar[int]
    CROSS_SLICING_SPEC_FIELD_NUMBER: _ClassVar[int]
    NUM_MATCHING_SLICES_FIELD_NUMBER: _ClassVar[int]
    slicing_spec: _config_pb2.SlicingSpec
    cross_slicing_spec: _config_pb2.CrossSlicingSpec
    num_matching_slices: int
    def __init__(self, slicing_spec: _Optional[_Union[_config_pb2.SlicingSpec, _Mapping]] = ..., cross_slicing_spec: _Optional[_Union[_config_pb2.CrossSlicingSpec, _Mapping]] = ..., num_matching_slices: _Optional[int] = ...) -> None: ...

class ValidationDetails(_message.Message):
    __slots__ = ("slicing_details",)
    SLICING_DETAILS_FIELD_NUMBER: _ClassVar[int]
    slicing_details: _containers.RepeatedCompositeFieldContainer[SlicingDetails]
    def __init__(self, slicing_details: _Optional[_Iterable[_Union[SlicingDetails, _Mapping]]] = ...) -> None: ...

class MetricsValidationForSlice(_message.Message):
    __slots__ = ("slice_key", "cross_slice_key", "failures")
    SLICE_KEY_FIELD_NUMBER: _ClassVar[int]
    CROSS_SLICE_KEY_FIELD_NUMBER: _ClassVar[int]
    FAILURES_FIELD_NUMBER: _ClassVar[int]
    slice_key: _metrics_for_slice_pb2.SliceKey
    cross_slice_key: _metrics_for_slice_pb2.CrossSliceKey
    failures: _containers.RepeatedCompositeFieldContainer[ValidationFailure]
    def __init__(self, slice_key: _Optional[_Union[_metrics_for_slice_pb2.SliceKey, _Mapping]] = ..., cross_slice_key: _Optional[_Union[_metrics_for_slice_pb2.CrossSliceKey, _Mapping]] = ..., failures: _Optional[_Iterable[_Union[ValidationFailure, _Mapping]]] = ...) -> None: ...

class ValidationResult(_message.Message):
    __slots__ = ("validation_ok", "missing_thresholds", "metric_validations_per_slice", "missing_slices", "missing_cross_slices", "validation_details", "rubber_stamp")
    VALIDATION_OK_FIELD_NUMBER: _ClassVar[int]
    MISSING_THRESHOLDS_FIELD_NUMBER: _ClassVar[int]
    METRIC_VALIDATIONS_PER_SLICE_FIELD_NUMBER: _ClassVar[int]
    MISSING_SLICES_FIELD_NUMBER: _ClassVar[int]
    MISSING_CROSS_SLICES_FIELD_NUMBER: _ClassVar[int]
    VALIDATION_DETAILS_FIELD_NUMBER: _ClassVar[int]
    RUBBER_STAMP_FIELD_NUMBER: _ClassVar[int]
    validation_ok: bool
    missing_thresholds: bool
    metric_validations_per_slice: _containers.RepeatedCompositeFieldContainer[MetricsValidationForSlice]
    missing_slices: _containers.RepeatedCompositeFieldContainer[_config_pb2.SlicingSpec]
    missing_cross_slices: _containers.RepeatedCompositeFieldContainer[_config_pb2.CrossSlicingSpec]
    validation_details: ValidationDetails
    rubber_stamp: bool
    def __init__(self, validation_ok: bool = ..., missing_thresholds: bool = ..., metric_validations_per_slice: _Optional[_Iterable[_Union[MetricsValidationForSlice, _Mapping]]] = ..., missing_slices: _Optional[_Iterable[_Union[_config_pb2.SlicingSpec, _Mapping]]] = ..., missing_cross_slices: _Optional[_Iterable[_Union[_config_pb2.CrossSlicingSpec, _Mapping]]] = ..., validation_details: _Optional[_Union[ValidationDetails, _Mapping]] = ..., rubber_stamp: bool = ...) -> None: ...
