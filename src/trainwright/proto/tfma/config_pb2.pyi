from google.protobuf import wrappers_pb2 as _wrappers_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class MetricDirection(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    UNKNOWN: _ClassVar[MetricDirection]
    LOWER_IS_BETTER: _ClassVar[MetricDirection]
    HIGHER_IS_BETTER: _ClassVar[MetricDirection]
UNKNOWN: MetricDirection
LOWER_IS_BETTER: MetricDirection
HIGHER_IS_BETTER: MetricDirection

class ModelSpec(_message.Message):
    __slots__ = ("name", "model_type", "signature_name", "preprocessing_function_names", "label_key", "label_keys", "prediction_key", "prediction_keys", "example_weight_key", "example_weight_keys", "is_baseline", "padding_options", "inference_batch_size")
    class LabelKeysEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    class PredictionKeysEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    class ExampleWeightKeysEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    NAME_FIELD_NUMBER: _ClassVar[int]
    MODEL_TYPE_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_NAME_FIELD_NUMBER: _ClassVar[int]
    PREPROCESSING_FUNCTION_NAMES_FIELD_NUMBER: _ClassVar[int]
    LABEL_KEY_FIELD_NUMBER: _ClassVar[int]
    LABEL_KEYS_FIELD_NUMBER: _ClassVar[int]
    PREDICTION_KEY_FIELD_NUMBER: _ClassVar[int]
    PREDICTION_KEYS_FIELD_NUMBER: _ClassVar[int]
    EXAMPLE_WEIGHT_KEY_FIELD_NUMBER: _ClassVar[int]
    EXAMPLE_WEIGHT_KEYS_FIELD_NUMBER: _ClassVar[int]
    IS_BASELINE_FIELD_NUMBER: _ClassVar[int]
    PADDING_OPTIONS_FIELD_NUMBER: _ClassVar[int]
    INFERENCE_BATCH_SIZE_FIELD_NUMBER: _ClassVar[int]
    name: str
    model_type: str
    signature_name: str
    preprocessing_function_names: _containers.RepeatedScalarFieldContainer[str]
    label_key: str
    label_keys: _containers.ScalarMap[str, str]
    prediction_key: str
    prediction_keys: _containers.ScalarMap[str, str]
    example_weight_key: str
    example_weight_keys: _containers.ScalarMap[str, str]
    is_baseline: bool
    padding_options: PaddingOptions
    inference_batch_size: int
    def __init__(self, name: _Optional[str] = ..., model_type: _Optional[str] = ..., signature_name: _Optional[str] = ..., preprocessing_function_names: _Optional[_Iterable[str]] = ..., label_key: _Optional[str] = ..., label_keys: _Optional[_Mapping[str, str]] = ..., prediction_key: _Optional[str] = ..., prediction_keys: _Optional[_Mapping[str, str]] = ..., example_weight_key: _Optional[str] = ..., example_weight_keys: _Optional[_Mapping[str, str]] = ..., is_baseline: bool = ..., padding_options: _Optional[_Union[PaddingOptions, _Mapping]] = ..., inference_batch_size: _Optional[int] = ...) -> None: ...

class SlicingSpec(_message.Message):
    __slots__ = ("feature_keys", "feature_values", "slice_keys_sql")
    class FeatureValuesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    FEATURE_KEYS_FIELD_NUMBER: _ClassVar[int]
    FEATURE_VALUES_FIELD_NUMBER: _ClassVar[int]
    SLICE_KEYS_SQL_FIELD_NUMBER: _ClassVar[int]
    feature_keys: _containers.RepeatedScalarFieldContainer[str]
    feature_values: _containers.ScalarMap[str, str]
    slice_keys_sql: str
    def __init__(self, feature_keys: _Optional[_Iterable[str]] = ..., feature_values: _Optional[_Mapping[str, str]] = ..., slice_keys_sql: _Optional[str] = ...) -> None: ...

class CrossSlicingSpec(_message.Message):
    __slots__ = ("baseline_spec", "slicing_specs")
    BASELINE_SPEC_FIELD_NUMBER: _ClassVar[int]
    SLICING_SPECS_FIELD_NUMBER: _ClassVar[int]
    baseline_spec: SlicingSpec
    slicing_specs: _containers.RepeatedCompositeFieldContainer[SlicingSpec]
    def __init__(self, baseline_spec: _Optional[_Union[SlicingSpec, _Mapping]] = ..., slicing_specs: _Optional[_Iterable[_Union[SlicingSpec, _Mapping]]] = ...) -> None: ...

class AggregationOptions(_message.Message):
    __slots__ = ("micro_average", "macro_average", "weighted_macro_average", "class_weights", "top_k_list")
    class ClassWeightsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: int
        value: float
        def __init__(self, key: _Optional[int] = ..., value: _Optional[float] = ...) -> None: ...
    MICRO_AVERAGE_FIELD_NUMBER: _ClassVar[int]
    MACRO_AVERAGE_FIELD_NUMBER: _ClassVar[int]
    WEIGHTED_MACRO_AVERAGE_FIELD_NUMBER: _ClassVar[int]
    CLASS_WEIGHTS_FIELD_NUMBER: _ClassVar[int]
    TOP_K_LIST_FIELD_NUMBER: _ClassVar[int]
    micro_average: bool
    macro_average: bool
    weighted_macro_average: bool
    class_weights: _containers.ScalarMap[int, float]
    top_k_list: RepeatedInt32Value
    def __init__(self, micro_average: bool = ..., macro_average: bool = ..., weighted_macro_average: bool = ..., class_weights: _Optional[_Mapping[int, float]] = ..., top_k_list: _Optional[_Union[RepeatedInt32Value, _Mapping]] = ...) -> None: ...

class BinarizationOptions(_message.Message):
    __slots__ = ("class_ids", "k_list", "top_k_list")
    CLASS_IDS_FIELD_NUMBER: _ClassVar[int]
    K_LIST_FIELD_NUMBER: _ClassVar[int]
    TOP_K_LIST_FIELD_NUMBER: _ClassVar[int]
    class_ids: RepeatedInt32Value
    k_list: RepeatedInt32Value
    top_k_list: RepeatedInt32Value
    def __init__(self, class_ids: _Optional[_Union[RepeatedInt32Value, _Mapping]] = ..., k_list: _Optional[_Union[RepeatedInt32Value, _Mapping]] = ..., top_k_list: _Optional[_Union[RepeatedInt32Value, _Mapping]] = ...) -> None: ...

class ExampleWeightOptions(_message.Message):
    __slots__ = ("weighted", "unweighted")
    WEIGHTED_FIELD_NUMBER: _ClassVar[int]
    UNWEIGHTED_FIELD_NUMBER: _ClassVar[int]
    weighted: bool
    unweighted: bool
    def __init__(self, weighted: bool = ..., unweighted: bool = ...) -> None: ...

class PaddingOptions(_message.Message):
    __slots__ = ("label_int_padding", "label_float_padding", "prediction_int_padding", "prediction_float_padding")
    LABEL_INT_PADDING_FIELD_NUMBER: _ClassVar[int]
    LABEL_FLOAT_PADDING_FIELD_NUMBER: _ClassVar[int]
    PREDICTION_INT_PADDING_FIELD_NUMBER: _ClassVar[int]
    PREDICTION_FLOAT_PADDING_FIELD_NUMBER: _ClassVar[int]
    label_int_padding: int
    label_float_padding: float
    prediction_int_padding: int
    prediction_float_padding: float
    def __init__(self, label_int_padding: _Optional[int] = ..., label_float_padding: _Optional[float] = ..., prediction_int_padding: _Optional[int] = ..., prediction_float_padding: _Optional[float] = ...) -> None: ...

class GenericChangeThreshold(_message.Message):
    __slots__ = ("absolute", "relative", "direction")
    ABSOLUTE_FIELD_NUMBER: _ClassVar[int]
    RELATIVE_FIELD_NUMBER: _ClassVar[int]
    DIRECTION_FIELD_NUMBER: _ClassVar[int]
    absolute: _wrappers_pb2.DoubleValue
    relative: _wrappers_pb2.DoubleValue
    direction: MetricDirection
    def __init__(self, absolute: _Optional[_Union[_wrappers_pb2.DoubleValue, _Mapping]] = ..., relative: _Optional[_Union[_wrappers_pb2.DoubleValue, _Mapping]] = ..., direction: _Optional[_Union[MetricDirection, str]] = ...) -> None: ...

class GenericValueThreshold(_message.Message):
    __slots__ = ("lower_bound", "upper_bound")
    LOWER_BOUND_FIELD_NUMBER: _ClassVar[int]
    UPPER_BOUND_FIELD_NUMBER: _ClassVar[int]
    lower_bound: _wrappers_pb2.DoubleValue
    upper_bound: _wrappers_pb2.DoubleValue
    def __init__(self, lower_bound: _Optional[_Union[_wrappers_pb2.DoubleValue, _Mapping]] = ..., upper_bound: _Optional[_Union[_wrappers_pb2.DoubleValue, _Mapping]] = ...) -> None: ...

class MetricThreshold(_message.Message):
    __slots__ = ("value_threshold", "change_threshold")
    VALUE_THRESHOLD_FIELD_NUMBER: _ClassVar[int]
    CHANGE_THRESHOLD_FIELD_NUMBER: _ClassVar[int]
    value_threshold: GenericValueThreshold
    change_threshold: GenericChangeThreshold
    def __init__(self, value_threshold: _Optional[_Union[GenericValueThreshold, _Mapping]] = ..., change_threshold: _Optional[_Union[GenericChangeThreshold, _Mapping]] = ...) -> None: ...

class PerSliceMetricThreshold(_message.Message):
    __slots__ = ("slicing_specs", "threshold")
    SLICING_SPECS_FIELD_NUMBER: _ClassVar[int]
    THRESHOLD_FIELD_NUMBER: _ClassVar[int]
    slicing_specs: _containers.RepeatedCompositeFieldContainer[SlicingSpec]
    threshold: MetricThreshold
    def __init__(self, slicing_specs: _Optional[_Iterable[_Union[SlicingSpec, _Mapping]]] = ..., threshold: _Optional[_Union[MetricThreshold, _Mapping]] = ...) -> None: ...

class PerSliceMetricThresholds(_message.Message):
    __slots__ = ("thresholds",)
    THRESHOLDS_FIELD_NUMBER: _ClassVar[int]
    thresholds: _containers.RepeatedCompositeFieldContainer[PerSliceMetricThreshold]
    def __init__(self, thresholds: _Optional[_Iterable[_Union[PerSliceMetricThreshold, _Mapping]]] = ...) -> None: ...

class CrossSliceMetricThreshold(_message.Message):
    __slots__ = ("cross_slicing_specs", "threshold")
    CROSS_SLICING_SPECS_FIELD_NUMBER: _ClassVar[int]
    THRESHOLD_FIELD_NUMBER: _ClassVar[int]
    cross_slicing_specs: _containers.RepeatedCompositeFieldContainer[CrossSlicingSpec]
    threshold: MetricThreshold
    def __init__(self, cross_slicing_specs: _Optional[_Iterable[_Union[CrossSlicingSpec, _Mapping]]] = ..., threshold: _Optional[_Union[MetricThreshold, _Mapping]] = ...) -> None: ...

class CrossSliceMetricThresholds(_message.Message):
    __slots__ = ("thresholds",)
    THRESHOLDS_FIELD_NUMBER: _ClassVar[int]
    thresholds: _containers.RepeatedCompositeFieldContainer[CrossSliceMetricThreshold]
    def __init__(self, thresholds: _Optional[_Iterable[_Union[CrossSliceMetricThreshold, _Mapping]]] = ...) -> None: ...

class MetricConfig(_message.Message):
    __slots__ = ("class_name", "module", "config", "threshold", "per_slice_thresholds", "cross_slice_thresholds")
    CLASS_NAME_FIELD_NUMBER: _ClassVar[int]
    MODULE_FIELD_NUMBER: _ClassVar[int]
    CONFIG_FIELD_NUMBER: _ClassVar[int]
    THRESHOLD_FIELD_NUMBER: _ClassVar[int]
    PER_SLICE_THRESHOLDS_FIELD_NUMBER: _ClassVar[int]
    CROSS_SLICE_THRESHOLDS_FIELD_NUMBER: _ClassVar[int]
    class_name: str
    module: str
    config: str
    threshold: MetricThreshold
    per_slice_thresholds: _containers.RepeatedCompositeFieldContainer[PerSliceMetricThreshold]
    cross_slice_thresholds: _containers.RepeatedCompositeFieldContainer[CrossSliceMetricThreshold]
    def __init__(self, class_name: _Optional[str] = ..., module: _Optional[str] = ..., config: _Optional[str] = ..., threshold: _Optional[_Union[MetricThreshold, _Mapping]] = ..., per_slice_thresholds: _Optional[_Iterable[_Union[PerSliceMetricThreshold, _Mapping]]] = ..., cross_slice_thresholds: _Optional[_Iterable[_Union[CrossSliceMetricThreshold, _Mapping]]] = ...) -> None: ...

class MetricsSpec(_message.Message):
    __slots__ = ("metrics", "model_names", "output_names", "output_weights", "binarize", "aggregate", "example_weights", "query_key", "thresholds", "per_slice_thresholds", "cross_slice_thresholds")
    class OutputWeightsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: float
        def __init__(self, key: _Optional[str] = ..., value: _Optional[float] = ...) -> None: ...
    class ThresholdsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: MetricThreshold
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[MetricThreshold, _Mapping]] = ...) -> None: ...
    class PerSliceThresholdsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: PerSliceMetricThresholds
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[PerSliceMetricThresholds, _Mapping]] = ...) -> None: ...
    class CrossSliceThresholdsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: CrossSliceMetricThresholds
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[CrossSliceMetricThresholds, _Mapping]] = ...) -> None: ...
    METRICS_FIELD_NUMBER: _ClassVar[int]
    MODEL_NAMES_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_NAMES_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_WEIGHTS_FIELD_NUMBER: _ClassVar[int]
    BINARIZE_FIELD_NUMBER: _ClassVar[int]
    AGGREGATE_FIELD_NUMBER: _ClassVar[int]
    EXAMPLE_WEIGHTS_FIELD_NUMBER: _ClassVar[int]
    QUERY_KEY_FIELD_NUMBER: _ClassVar[int]
    THRESHOLDS_FIELD_NUMBER: _ClassVar[int]
    PER_SLICE_THRESHOLDS_FIELD_NUMBER: _ClassVar[int]
    CROSS_SLICE_THRESHOLDS_FIELD_NUMBER: _ClassVar[int]
    metrics: _containers.RepeatedCompositeFieldContainer[MetricConfig]
    model_names: _containers.RepeatedScalarFieldContainer[str]
    output_names: _containers.RepeatedScalarFieldContainer[str]
    output_weights: _containers.ScalarMap[str, float]
    binarize: BinarizationOptions
    aggregate: AggregationOptions
    example_weights: ExampleWeightOptions
    query_key: str
    thresholds: _containers.MessageMap[str, MetricThreshold]
    per_slice_thresholds: _containers.MessageMap[str, PerSliceMetricThresholds]
    cross_slice_thresholds: _containers.MessageMap[str, CrossSliceMetricThresholds]
    def __init__(self, metrics: _Optional[_Iterable[_Union[MetricConfig, _Mapping]]] = ..., model_names: _Optional[_Iterable[str]] = ..., output_names: _Optional[_Iterable[str]] = ..., output_weights: _Optional[_Mapping[str, float]] = ..., binarize: _Optional[_Union[BinarizationOptions, _Mapping]] = ..., aggregate: _Optional[_Union[AggregationOptions, _Mapping]] = ..., example_weights: _Optional[_Union[ExampleWeightOptions, _Mapping]] = ..., query_key: _Optional[str] = ..., thresholds: _Optional[_Mapping[str, MetricThreshold]] = ..., per_slice_thresholds: _Optional[_Mapping[str, PerSliceMetricThresholds]] = ..., cross_slice_thresholds: _Optional[_Mapping[str, CrossSliceMetricThresholds]] = ...) -> None: ...

class Options(_message.Message):
    __slots__ = ("include_default_metrics", "compute_confidence_intervals", "confidence_intervals", "min_slice_size", "disabled_outputs")
    INCLUDE_DEFAULT_METRICS_FIELD_NUMBER: _ClassVar[int]
    COMPUTE_CONFIDENCE_INTERVALS_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_INTERVALS_FIELD_NUMBER: _ClassVar[int]
    MIN_SLICE_SIZE_FIELD_NUMBER: _ClassVar[int]
    DISABLED_OUTPUTS_FIELD_NUMBER: _ClassVar[int]
    include_default_metrics: _wrappers_pb2.BoolValue
    compute_confidence_intervals: _wrappers_pb2.BoolValue
    confidence_intervals: ConfidenceIntervalOptions
    min_slice_size: _wrappers_pb2.Int32Value
    disabled_outputs: RepeatedStringValue
    def __init__(self, include_default_metrics: _Optional[_Union[_wrappers_pb2.BoolValue, _Mapping]] = ..., compute_confidence_intervals: _Optional[_Union[_wrappers_pb2.BoolValue, _Mapping]] = ..., confidence_intervals: _Optional[_Union[ConfidenceIntervalOptions, _Mapping]] = ..., min_slice_size: _Optional[_Union[_wrappers_pb2.Int32Value, _Mapping]] = ..., disabled_outputs: _Optional[_Union[RepeatedStringValue, _Mapping]] = ...) -> None: ...

class ConfidenceIntervalOptions(_message.Message):
    __slots__ = ("method",)
    class ConfidenceIntervalMethod(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        UNKNOWN_CONFIDENCE_INTERVAL_METHOD: _ClassVar[ConfidenceIntervalOptions.ConfidenceIntervalMethod]
        POISSON_BOOTSTRAP: _ClassVar[ConfidenceIntervalOptions.ConfidenceIntervalMethod]
        JACKKNIFE: _ClassVar[ConfidenceIntervalOptions.ConfidenceIntervalMethod]
    UNKNOWN_CONFIDENCE_INTERVAL_METHOD: ConfidenceIntervalOptions.ConfidenceIntervalMethod
    POISSON_BOOTSTRAP: ConfidenceIntervalOptions.ConfidenceIntervalMethod
    JACKKNIFE: ConfidenceIntervalOptions.ConfidenceIntervalMethod
    METHOD_FIELD_NUMBER: _ClassVar[int]
    method: ConfidenceIntervalOptions.ConfidenceIntervalMethod
    def __init__(self, method: _Optional[_Union[ConfidenceIntervalOptions.ConfidenceIntervalMethod, str]] = ...) -> None: ...

class EvalConfig(_message.Message):
    __slots__ = ("model_specs", "slicing_specs", "cross_slicing_specs", "metrics_specs", "options")
    MODEL_SPECS_FIELD_NUMBER: _ClassVar[int]
    SLICING_SPECS_FIELD_NUMBER: _ClassVar[int]
    CROSS_SLICING_SPECS_FIELD_NUMBER: _ClassVar[int]
    METRICS_SPECS_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    model_specs: _containers.RepeatedCompositeFieldContainer[ModelSpec]
    slicing_specs: _containers.RepeatedCompositeFieldContainer[SlicingSpec]
    cross_slicing_specs: _containers.RepeatedCompositeFieldContainer[CrossSlicingSpec]
    metrics_specs: _containers.RepeatedCompositeFieldContainer[MetricsSpec]
    options: Options
    def __init__(self, model_specs: _Optional[_Iterable[_Union[ModelSpec, _Mapping]]] = ..., slicing_specs: _Optional[_Iterable[_Union[SlicingSpec, _Mapping]]] = ..., cross_slicing_specs: _Optional[_Iterable[_Union[CrossSlicingSpec, _Mapping]]] = ..., metrics_specs: _Optional[_Iterable[_Union[MetricsSpec, _Mapping]]] = ..., options: _Optional[_Union[Options, _Mapping]] = ...) -> None: ...

class RepeatedStringValue(_message.Message):
    __slots__ = ("values",)
    VALUES_FIELD_NUMBER: _ClassVar[int]
    values: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, values: _Optional[_Iterable[str]] = ...) -> None: ...

class RepeatedInt32Value(_message.Message):
    __slots__ = ("values",)
    VALUES_FIELD_NUMBER: _ClassVar[int]
    values: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, values: _Optional[_Iterable[int]] = ...) -> None: ...

class EvalConfigAndVersion(_message.Message):
    __slots__ = ("eval_config", "version")
    EVAL_CONFIG_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    eval_config: EvalConfig
    version: str
    def __init__(self, eval_config: _Optional[_Union[EvalConfig, _Mapping]] = ..., version: _Optional[str] = ...) -> None: ...

class EvalRun(_message.Message):
    __slots__ = ("eval_config", "version", "data_location", "file_format", "model_locations")
    class ModelLocationsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    EVAL_CONFIG_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    DATA_LOCATION_FIELD_NUMBER: _ClassVar[int]
    FILE_FORMAT_FIELD_NUMBER: _ClassVar[int]
    MODEL_LOCATIONS_FIELD_NUMBER: _ClassVar[int]
    eval_config: EvalConfig
    version: str
    data_location: str
    file_format: str
    model_locations: _containers.ScalarMap[str, str]
    def __init__(self, eval_config: _Optional[_Union[EvalConfig, _Mapping]] = ..., version: _Optional[str] = ..., data_location: _Optional[str] = ..., file_format: _Optional[str] = ..., model_locations: _Optional[_Mapping[str, str]] = ...) -> None: ...
