from google.protobuf import wrappers_pb2 as _wrappers_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SubKey(_message.Message):
    __slots__ = ("class_id", "k", "top_k")
    CLASS_ID_FIELD_NUMBER: _ClassVar[int]
    K_FIELD_NUMBER: _ClassVar[int]
    TOP_K_FIELD_NUMBER: _ClassVar[int]
    class_id: _wrappers_pb2.Int32Value
    k: _wrappers_pb2.Int32Value
    top_k: _wrappers_pb2.Int32Value
    def __init__(self, class_id: _Optional[_Union[_wrappers_pb2.Int32Value, _Mapping]] = ..., k: _Optional[_Union[_wrappers_pb2.Int32Value, _Mapping]] = ..., top_k: _Optional[_Union[_wrappers_pb2.Int32Value, _Mapping]] = ...) -> None: ...

class AggregationType(_message.Message):
    __slots__ = ("micro_average", "macro_average", "weighted_macro_average")
    MICRO_AVERAGE_FIELD_NUMBER: _ClassVar[int]
    MACRO_AVERAGE_FIELD_NUMBER: _ClassVar[int]
    WEIGHTED_MACRO_AVERAGE_FIELD_NUMBER: _ClassVar[int]
    micro_average: bool
    macro_average: bool
    weighted_macro_average: bool
    def __init__(self, micro_average: bool = ..., macro_average: bool = ..., weighted_macro_average: bool = ...) -> None: ...

class MetricKey(_message.Message):
    __slots__ = ("name", "model_name", "output_name", "sub_key", "aggregation_type", "example_weighted", "is_diff")
    NAME_FIELD_NUMBER: _ClassVar[int]
    MODEL_NAME_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_NAME_FIELD_NUMBER: _ClassVar[int]
    SUB_KEY_FIELD_NUMBER: _ClassVar[int]
    AGGREGATION_TYPE_FIELD_NUMBER: _ClassVar[int]
    EXAMPLE_WEIGHTED_FIELD_NUMBER: _ClassVar[int]
    IS_DIFF_FIELD_NUMBER: _ClassVar[int]
    name: str
    model_name: str
    output_name: str
    sub_key: SubKey
    aggregation_type: AggregationType
    example_weighted: _wrappers_pb2.BoolValue
    is_diff: bool
    def __init__(self, name: _Optional[str] = ..., model_name: _Optional[str] = ..., output_name: _Optional[str] = ..., sub_key: _Optional[_Union[SubKey, _Mapping]] = ..., aggregation_type: _Optional[_Union[AggregationType, _Mapping]] = ..., example_weighted: _Optional[_Union[_wrappers_pb2.BoolValue, _Mapping]] = ..., is_diff: bool = ...) -> None: ...

class UnknownType(_message.Message):
    __slots__ = ("error", "value")
    ERROR_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    error: str
    value: bytes
    def __init__(self, error: _Optional[str] = ..., value: _Optional[bytes] = ...) -> None: ...

class BoundedValue(_message.Message):
    __slots__ = ("lower_bound", "upper_bound", "value", "methodology")
    class Methodology(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        UNKNOWN: _ClassVar[BoundedValue.Methodology]
        RIEMANN_SUM: _ClassVar[BoundedValue.Methodology]
        POISSON_BOOTSTRAP: _ClassVar[BoundedValue.Methodology]
    UNKNOWN: BoundedValue.Methodology
    RIEMANN_SUM: BoundedValue.Methodology
    POISSON_BOOTSTRAP: BoundedValue.Methodology
    LOWER_BOUND_FIELD_NUMBER: _ClassVar[int]
    UPPER_BOUND_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    METHODOLOGY_FIELD_NUMBER: _ClassVar[int]
    lower_bound: _wrappers_pb2.DoubleValue
    upper_bound: _wrappers_pb2.DoubleValue
    value: _wrappers_pb2.DoubleValue
    methodology: BoundedValue.Methodology
    def __init__(self, lower_bound: _Optional[_Union[_wrappers_pb2.DoubleValue, _Mapping]] = ..., upper_bound: _Optional[_Union[_wrappers_pb2.DoubleValue, _Mapping]] = ..., value: _Optional[_Union[_wrappers_pb2.DoubleValue, _Mapping]] = ..., methodology: _Optional[_Union[BoundedValue.Methodology, str]] = ...) -> None: ...

class TDistributionValue(_message.Message):
    __slots__ = ("sample_mean", "sample_standard_deviation", "sample_degrees_of_freedom", "unsampled_value")
    SAMPLE_MEAN_FIELD_NUMBER: _ClassVar[int]
    SAMPLE_STANDARD_DEVIATION_FIELD_NUMBER: _ClassVar[int]
    SAMPLE_DEGREES_OF_FREEDOM_FIELD_NUMBER: _ClassVar[int]
    UNSAMPLED_VALUE_FIELD_NUMBER: _ClassVar[int]
    sample_mean: _wrappers_pb2.DoubleValue
    sample_standard_deviation: _wrappers_pb2.DoubleValue
    sample_degrees_of_freedom: _wrappers_pb2.Int64Value
    unsampled_value: _wrappers_pb2.DoubleValue
    def __init__(self, sample_mean: _Optional[_Union[_wrappers_pb2.DoubleValue, _Mapping]] = ..., sample_standard_deviation: _Optional[_Union[_wrappers_pb2.DoubleValue, _Mapping]] = ..., sample_degrees_of_freedom: _Optional[_Union[_wrappers_pb2.Int64Value, _Mapping]] = ..., unsampled_value: _Optional[_Union[_wrappers_pb2.DoubleValue, _Mapping]] = ...) -> None: ...

class ValueAtCutoffs(_message.Message):
    __slots__ = ("values",)
    class ValueCutoffPair(_message.Message):
        __slots__ = ("cutoff", "value", "bounded_value", "t_distribution_value")
        CUTOFF_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        BOUNDED_VALUE_FIELD_NUMBER: _ClassVar[int]
        T_DISTRIBUTION_VALUE_FIELD_NUMBER: _ClassVar[int]
        cutoff: int
        value: float
        bounded_value: BoundedValue
        t_distribution_value: TDistributionValue
        def __init__(self, cutoff: _Optional[int] = ..., value: _Optional[float] = ..., bounded_value: _Optional[_Union[BoundedValue, _Mapping]] = ..., t_distribution_value: _Optional[_Union[TDistributionValue, _Mapping]] = ...) -> None: ...
    VALUES_FIELD_NUMBER: _ClassVar[int]
    values: _containers.RepeatedCompositeFieldContainer[ValueAtCutoffs.ValueCutoffPair]
    def __init__(self, values: _Optional[_Iterable[_Union[ValueAtCutoffs.ValueCutoffPair, _Mapping]]] = ...) -> None: ...

class ConfusionMatrixAtThresholds(_message.Message):
    __slots__ = ("matrices",)
    class ConfusionMatrixAtThreshold(_message.Message):
        __slots__ = ("threshold", "false_negatives", "true_negatives", "false_positives", "true_positives", "precision", "recall", "false_positive_rate", "f1", "accuracy", "false_omission_rate", "bounded_false_negatives", "bounded_true_negatives", "bounded_false_positives", "bounded_true_positives", "bounded_precision", "bounded_recall", "t_distribution_false_negatives", "t_distribution_true_negatives", "t_distribution_false_positives", "t_distribution_true_positives", "t_distribution_precision", "t_distribution_recall")
        THRESHOLD_FIELD_NUMBER: _ClassVar[int]
        FALSE_NEGATIVES_FIELD_NUMBER: _ClassVar[int]
        TRUE_NEGATIVES_FIELD_NUMBER: _ClassVar[int]
        FALSE_POSITIVES_FIELD_NUMBER: _ClassVar[int]
        TRUE_POSITIVES_FIELD_NUMBER: _ClassVar[int]
        PRECISION_FIELD_NUMBER: _ClassVar[int]
        RECALL_FIELD_NUMBER: _ClassVar[int]
        FALSE_POSITIVE_RATE_FIELD_NUMBER: _ClassVar[int]
        F1_FIELD_NUMBER: _ClassVar[int]
        ACCURACY_FIELD_NUMBER: _ClassVar[int]
        FALSE_OMISSION_RATE_FIELD_NUMBER: _ClassVar[int]
        BOUNDED_FALSE_NEGATIVES_FIELD_NUMBER: _ClassVar[int]
        BOUNDED_TRUE_NEGATIVES_FIELD_NUMBER: _ClassVar[int]
        BOUNDED_FALSE_POSITIVES_FIELD_NUMBER: _ClassVar[int]
        BOUNDED_TRUE_POSITIVES_FIELD_NUMBER: _ClassVar[int]
        BOUNDED_PRECISION_FIELD_NUMBER: _ClassVar[int]
        BOUNDED_RECALL_FIELD_NUMBER: _ClassVar[int]
        T_DISTRIBUTION_FALSE_NEGATIVES_FIELD_NUMBER: _ClassVar[int]
        T_DISTRIBUTION_TRUE_NEGATIVES_FIELD_NUMBER: _ClassVar[int]
        T_DISTRIBUTION_FALSE_POSITIVES_FIELD_NUMBER: _ClassVar[int]
        T_DISTRIBUTION_TRUE_POSITIVES_FIELD_NUMBER: _ClassVar[int]
        T_DISTRIBUTION_PRECISION_FIELD_NUMBER: _ClassVar[int]
        T_DISTRIBUTION_RECALL_FIELD_NUMBER: _ClassVar[int]
        threshold: float
        false_negatives: float
        true_negatives: float
        false_positives: float
        true_positives: float
        precision: float
        recall: float
        false_positive_rate: float
        f1: float
        accuracy: float
        false_omission_rate: float
        bounded_false_negatives: BoundedValue
        bounded_true_negatives: BoundedValue
        bounded_false_positives: BoundedValue
        bounded_true_positives: BoundedValue
        bounded_precision: BoundedValue
        bounded_recall: BoundedValue
        t_distribution_false_negatives: TDistributionValue
        t_distribution_true_negatives: TDistributionValue
        t_distribution_false_positives: TDistributionValue
        t_distribution_true_positives: TDistributionValue
        t_distribution_precision: TDistributionValue
        t_distribution_recall: TDistributionValue
        def __init__(self, threshold: _Optional[float] = ..., false_negatives: _Optional[float] = ..., true_negatives: _Optional[float] = ..., false_positives: _Optional[float] = ..., true_positives: _Optional[float] = ..., precision: _Optional[float] = ..., recall: _Optional[float] = ..., false_positive_rate: _Optional[float] = ..., f1: _Optional[float] = ..., accuracy: _Optional[float] = ..., false_omission_rate: _Optional[float] = ..., bounded_false_negatives: _Optional[_Union[BoundedValue, _Mapping]] = ..., bounded_true_negatives: _Optional[_Union[BoundedValue, _Mapping]] = ..., bounded_false_positives: _Optional[_Union[BoundedValue, _Mapping]] = ..., bounded_true_positives: _Optional[_Union[BoundedValue, _Mapping]] = ..., bounded_precision: _Optional[_Union[BoundedValue, _Mapping]] = ..., bounded_recall: _Optional[_Union[BoundedValue, _Mapping]] = ..., t_distribution_false_negatives: _Optional[_Union[TDistributionValue, _Mapping]] = ..., t_distribution_true_negatives: _Optional[_Union[TDistributionValue, _Mapping]] = ..., t_distribution_false_positives: _Optional[_Union[TDistributionValue, _Mapping]] = ..., t_distribution_true_positives: _Optional[_Union[TDistributionValue, _Mapping]] = ..., t_distribution_precision: _Optional[_Union[TDistributionValue, _Mapping]] = ..., t_distribution_recall: _Optional[_Union[TDistributionValue, _Mapping]] = ...) -> None: ...
    MATRICES_FIELD_NUMBER: _ClassVar[int]
    matrices: _containers.RepeatedCompositeFieldContainer[ConfusionMatrixAtThresholds.ConfusionMatrixAtThreshold]
    def __init__(self, matrices: _Optional[_Iterable[_Union[ConfusionMatrixAtThresholds.ConfusionMatrixAtThreshold, _Mapping]]] = ...) -> None: ...

class ArrayValue(_message.Message):
    __slots__ = ("data_type", "shape", "bytes_values", "int32_values", "int64_values", "float32_values", "float64_values")
    class DataType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        UNKNOWN: _ClassVar[ArrayValue.DataType]
        BYTES: _ClassVar[ArrayValue.DataType]
        INT32: _ClassVar[ArrayValue.DataType]
        INT64: _ClassVar[ArrayValue.DataType]
        FLOAT32: _ClassVar[ArrayValue.DataType]
        FLOAT64: _ClassVar[ArrayValue.DataType]
    UNKNOWN: ArrayValue.DataType
    BYTES: ArrayValue.DataType
    INT32: ArrayValue.DataType
    INT64: ArrayValue.DataType
    FLOAT32: ArrayValue.DataType
    FLOAT64: ArrayValue.DataType
    DATA_TYPE_FIELD_NUMBER: _ClassVar[int]
    SHAPE_FIELD_NUMBER: _ClassVar[int]
    BYTES_VALUES_FIELD_NUMBER: _ClassVar[int]
    INT32_VALUES_FIELD_NUMBER: _ClassVar[int]
    INT64_VALUES_FIELD_NUMBER: _ClassVar[int]
    FLOAT32_VALUES_FIELD_NUMBER: _ClassVar[int]
    FLOAT64_VALUES_FIELD_NUMBER: _ClassVar[int]
    data_type: ArrayValue.DataType
    shape: _containers.RepeatedScalarFieldContainer[int]
    bytes_values: _containers.RepeatedScalarFieldContainer[bytes]
    int32_values: _containers.RepeatedScalarFieldContainer[int]
    int64_values: _containers.RepeatedScalarFieldContainer[int]
    float32_values: _containers.RepeatedScalarFieldContainer[float]
    float64_values: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, data_type: _Optional[_Union[ArrayValue.DataType, str]] = ..., shape: _Optional[_Iterable[int]] = ..., bytes_values: _Optional[_Iterable[bytes]] = ..., int32_values: _Optional[_Iterable[int]] = ..., int64_values: _Optional[_Iterable[int]] = ..., float32_values: _Optional[_Iterable[float]] = ..., float64_values: _Optional[_Iterable[float]] = ...) -> None: ...

class MetricValue(_message.Message):
    __slots__ = ("double_value", "bounded_value", "t_distribution_value", "value_at_cutoffs", "confusion_matrix_at_thresholds", "multi_class_confusion_matrix_at_thresholds", "unknown_type", "bytes_value", "array_value", "debug_message")
    DOUBLE_VALUE_FIELD_NUMBER: _ClassVar[int]
    BOUNDED_VALUE_FIELD_NUMBER: _ClassVar[int]
    T_DISTRIBUTION_VALUE_FIELD_NUMBER: _ClassVar[int]
    VALUE_AT_CUTOFFS_FIELD_NUMBER: _ClassVar[int]
    CONFUSION_MATRIX_AT_THRESHOLDS_FIELD_NUMBER: _ClassVar[int]
    MULTI_CLASS_CONFUSION_MATRIX_AT_THRESHOLDS_FIELD_NUMBER: _ClassVar[int]
    UNKNOWN_TYPE_FIELD_NUMBER: _ClassVar[int]
    BYTES_VALUE_FIELD_NUMBER: _ClassVar[int]
    ARRAY_VALUE_FIELD_NUMBER: _ClassVar[int]
    DEBUG_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    double_value: _wrappers_pb2.DoubleValue
    bounded_value: BoundedValue
    t_distribution_value: TDistributionValue
    value_at_cutoffs: ValueAtCutoffs
    confusion_matrix_at_thresholds: ConfusionMatrixAtThresholds
    multi_class_confusion_matrix_at_thresholds: MultiClassConfusionMatrixAtThresholds
    unknown_type: UnknownType
    bytes_value: bytes
    array_value: ArrayValue
    debug_message: str
    def __init__(self, double_value: _Optional[_Union[_wrappers_pb2.DoubleValue, _Mapping]] = ..., bounded_value: _Optional[_Union[BoundedValue, _Mapping]] = ..., t_distribution_value: _Optional[_Union[TDistributionValue, _Mapping]] = ..., value_at_cutoffs: _Optional[_Union[ValueAtCutoffs, _Mapping]] = ..., confusion_matrix_at_thresholds: _Optional[_Union[ConfusionMatrixAtThresholds, _Mapping]] = ..., multi_class_confusion_matrix_at_thresholds: _Optional[_Union[MultiClassConfusionMatrixAtThresholds, _Mapping]] = ..., unknown_type: _Optional[_Union[UnknownType, _Mapping]] = ..., bytes_value: _Optional[bytes] = ..., array_value: _Optional[_Union[ArrayValue, _Mapping]] = ..., debug_message: _Optional[str] = ...) -> None: ...

class SingleSliceKey(_message.Message):
    __slots__ = ("column", "bytes_value", "float_value", "int64_value")
    COLUMN_FIELD_NUMBER: _ClassVar[int]
    BYTES_VALUE_FIELD_NUMBER: _ClassVar[int]
    FLOAT_VALUE_FIELD_NUMBER: _ClassVar[int]
    INT64_VALUE_FIELD_NUMBER: _ClassVar[int]
    column: str
    bytes_value: bytes
    float_value: float
    int64_value: int
    def __init__(self, column: _Optional[str] = ..., bytes_value: _Optional[bytes] = ..., float_value: _Optional[float] = ..., int64_value: _Optional[int] = ...) -> None: ...

class SliceKey(_message.Message):
    __slots__ = ("single_slice_keys",)
    SINGLE_SLICE_KEYS_FIELD_NUMBER: _ClassVar[int]
    single_slice_keys: _containers.RepeatedCompositeFieldContainer[SingleSliceKey]
    def __init__(self, single_slice_keys: _Optional[_Iterable[_Union[SingleSliceKey, _Mapping]]] = ...) -> None: ...

class CrossSliceKey(_message.Message):
    __slots__ = ("baseline_slice_key", "comparison_slice_key")
    BASELINE_SLICE_KEY_FIELD_NUMBER: _ClassVar[int]
    COMPARISON_SLICE_KEY_FIELD_NUMBER: _ClassVar[int]
    baseline_slice_key: SliceKey
    comparison_slice_key: SliceKey
    def __init__(self, baseline_slice_key: _Optional[_Union[SliceKey, _Mapping]] = ..., comparison_slice_key: _Optional[_Union[SliceKey, _Mapping]] = ...) -> None: ...

class ConfidenceInterval(_message.Message):
    __slots__ = ("upper_bound", "lower_bound", "standard_error", "degrees_of_freedom")
    UPPER_BOUND_FIELD_NUMBER: _ClassVar[int]
    LOWER_BOUND_FIELD_NUMBER: _ClassVar[int]
    STANDARD_ERROR_FIELD_NUMBER: _ClassVar[int]
    DEGREES_OF_FREEDOM_FIELD_NUMBER: _ClassVar[int]
    upper_bound: MetricValue
    lower_bound: MetricValue
    standard_error: MetricValue
    degrees_of_freedom: _wrappers_pb2.Int64Value
    def __init__(self, upper_bound: _Optional[_Union[MetricValue, _Mapping]] = ..., lower_bound: _Optional[_Union[MetricValue, _Mapping]] = ..., standard_error: _Optional[_Union[MetricValue, _Mapping]] = ..., degrees_of_freedom: _Optional[_Union[_wrappers_pb2.Int64Value, _Mapping]] = ...) -> None: ...

class MetricsForSlice(_message.Message):
    __slots__ = ("slice_key", "cross_slice_key", "metric_keys_and_values", "metrics")
    class MetricKeyAndValue(_message.Message):
        __slots__ = ("key", "value", "confidence_interval")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        CONFIDENCE_INTERVAL_FIELD_NUMBER: _ClassVar[int]
        key: MetricKey
        value: MetricValue
        confidence_interval: ConfidenceInterval
        def __init__(self, key: _Optional[_Union[MetricKey, _Mapping]] = ..., value: _Optional[_Union[MetricValue, _Mapping]] = ..., confidence_interval: _Optional[_Union[ConfidenceInterval, _Mapping]] = ...) -> None: ...
    class MetricsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: MetricValue
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[MetricValue, _Mapping]] = ...) -> None: ...
    SLICE_KEY_FIELD_NUMBER: _ClassVar[int]
    CROSS_SLICE_KEY_FIELD_NUMBER: _ClassVar[int]
    METRIC_KEYS_AND_VALUES_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    slice_key: SliceKey
    cross_slice_key: CrossSliceKey
    metric_keys_and_values: _containers.RepeatedCompositeFieldContainer[MetricsForSlice.MetricKeyAndValue]
    metrics: _containers.MessageMap[str, MetricValue]
    def __init__(self, slice_key: _Optional[_Union[SliceKey, _Mapping]] = ..., cross_slice_key: _Optional[_Union[CrossSliceKey, _Mapping]] = ..., metric_keys_and_values: _Optional[_Iterable[_Union[MetricsForSlice.MetricKeyAndValue, _Mapping]]] = ..., metrics: _Optional[_Mapping[str, MetricValue]] = ...) -> None: ...

class CalibrationHistogramBuckets(_message.Message):
    __slots__ = ("buckets",)
    class Bucket(_message.Message):
        __slots__ = ("lower_threshold_inclusive", "upper_threshold_exclusive", "num_weighted_examples", "total_weighted_label", "total_weighted_refined_prediction")
        LOWER_THRESHOLD_INCLUSIVE_FIELD_NUMBER: _ClassVar[int]
        UPPER_THRESHOLD_EXCLUSIVE_FIELD_NUMBER: _ClassVar[int]
        NUM_WEIGHTED_EXAMPLES_FIELD_NUMBER: _ClassVar[int]
        TOTAL_WEIGHTED_LABEL_FIELD_NUMBER: _ClassVar[int]
        TOTAL_WEIGHTED_REFINED_PREDICTION_FIELD_NUMBER: _ClassVar[int]
        lower_threshold_inclusive: float
        upper_threshold_exclusive: float
        num_weighted_examples: _wrappers_pb2.DoubleValue
        total_weighted_label: _wrappers_pb2.DoubleValue
        total_weighted_refined_prediction: _wrappers_pb2.DoubleValue
        def __init__(self, lower_threshold_inclusive: _Optional[float] = ..., upper_threshold_exclusive: _Optional[float] = ..., num_weighted_examples: _Optional[_Union[_wrappers_pb2.DoubleValue, _Mapping]] = ..., total_weighted_label: _Optional[_Union[_wrappers_pb2.DoubleValue, _Mapping]] = ..., total_weighted_refined_prediction: _Optional[_Union[_wrappers_pb2.DoubleValue, _Mapping]] = ...) -> None: ...
    BUCKETS_FIELD_NUMBER: _ClassVar[int]
    buckets: _containers.RepeatedCompositeFieldContainer[CalibrationHistogramBuckets.Bucket]
    def __init__(self, buckets: _Optional[_Iterable[_Union[CalibrationHistogramBuckets.Bucket, _Mapping]]] = ...) -> None: ...

class MultiClassConfusionMatrixAtThresholds(_message.Message):
    __slots__ = ("matrices",)
    class MultiClassConfusionMatrixEntry(_message.Message):
        __slots__ = ("actual_class_id", "predicted_class_id", "num_weighted_examples")
        ACTUAL_CLASS_ID_FIELD_NUMBER: _ClassVar[int]
        PREDICTED_CLASS_ID_FIELD_NUMBER: _ClassVar[int]
        NUM_WEIGHTED_EXAMPLES_FIELD_NUMBER: _ClassVar[int]
        actual_class_id: int
        predicted_class_id: int
        num_weighted_examples: float
        def __init__(self, actual_class_id: _Optional[int] = ..., predicted_class_id: _Optional[int] = ..., num_weighted_examples: _Optional[float] = ...) -> None: ...
    class MultiClassConfusionMatrix(_message.Message):
        __slots__ = ("threshold", "entries")
        THRESHOLD_FIELD_NUMBER: _ClassVar[int]
        ENTRIES_FIELD_NUMBER: _ClassVar[int]
        threshold: float
        entries: _containers.RepeatedCompositeFieldContainer[MultiClassConfusionMatrixAtThresholds.MultiClassConfusionMatrixEntry]
        def __init__(self, threshold: _Optional[float] = ..., entries: _Optional[_Iterable[_Union[MultiClassConfusionMatrixAtThresholds.MultiClassConfusionMatrixEntry, _Mapping]]] = ...) -> None: ...
    MATRICES_FIELD_NUMBER: _ClassVar[int]
    matrices: _containers.RepeatedCompositeFieldContainer[MultiClassConfusionMatrixAtThresholds.MultiClassConfusionMatrix]
    def __init__(self, matrices: _Optional[_Iterable[_Union[MultiClassConfusionMatrixAtThresholds.MultiClassConfusionMatrix, _Mapping]]] = ...) -> None: ...

class MultiLabelConfusionMatrixAtThresholds(_message.Message):
    __slots__ = ("matrices",)
    class MultiLabelConfusionMatrixEntry(_message.Message):
        __slots__ = ("actual_class_id", "predicted_class_id", "false_negatives", "true_negatives", "false_positives", "true_positives")
        ACTUAL_CLASS_ID_FIELD_NUMBER: _ClassVar[int]
        PREDICTED_CLASS_ID_FIELD_NUMBER: _ClassVar[int]
        FALSE_NEGATIVES_FIELD_NUMBER: _ClassVar[int]
        TRUE_NEGATIVES_FIELD_NUMBER: _ClassVar[int]
        FALSE_POSITIVES_FIELD_NUMBER: _ClassVar[int]
        TRUE_POSITIVES_FIELD_NUMBER: _ClassVar[int]
        actual_class_id: int
        predicted_class_id: int
        false_negatives: float
        true_negatives: float
        false_positives: float
        true_positives: float
        def __init__(self, actual_class_id: _Optional[int] = ..., predicted_class_id: _Optional[int] = ..., false_negatives: _Optional[float] = ..., true_negatives: _Optional[float] = ..., false_positives: _Optional[float] = ..., true_positives: _Optional[float] = ...) -> None: ...
    class MultiLabelConfusionMatrix(_message.Message):
        __slots__ = ("threshold", "entries")
        THRESHOLD_FIELD_NUMBER: _ClassVar[int]
        ENTRIES_FIELD_NUMBER: _ClassVar[int]
        threshold: float
        entries: _containers.RepeatedCompositeFieldContainer[MultiLabelConfusionMatrixAtThresholds.MultiLabelConfusionMatrixEntry]
        def __init__(self, threshold: _Optional[float] = ..., entries: _Optional[_Iterable[_Union[MultiLabelConfusionMatrixAtThresholds.MultiLabelConfusionMatrixEntry, _Mapping]]] = ...) -> None: ...
    MATRICES_FIELD_NUMBER: _ClassVar[int]
    matrices: _containers.RepeatedCompositeFieldContainer[MultiLabelConfusionMatrixAtThresholds.MultiLabelConfusionMatrix]
    def __init__(self, matrices: _Optional[_Iterable[_Union[MultiLabelConfusionMatrixAtThresholds.MultiLabelConfusionMatrix, _Mapping]]] = ...) -> None: ...

class PlotData(_message.Message):
    __slots__ = ("calibration_histogram_buckets", "confusion_matrix_at_thresholds", "multi_class_confusion_matrix_at_thresholds", "multi_label_confusion_matrix_at_thresholds", "debug_message")
    CALIBRATION_HISTOGRAM_BUCKETS_FIELD_NUMBER: _ClassVar[int]
    CONFUSION_MATRIX_AT_THRESHOLDS_FIELD_NUMBER: _ClassVar[int]
    MULTI_CLASS_CONFUSION_MATRIX_AT_THRESHOLDS_FIELD_NUMBER: _ClassVar[int]
    MULTI_LABEL_CONFUSION_MATRIX_AT_THRESHOLDS_FIELD_NUMBER: _ClassVar[int]
    DEBUG_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    calibration_histogram_buckets: CalibrationHistogramBuckets
    confusion_matrix_at_thresholds: ConfusionMatrixAtThresholds
    multi_class_confusion_matrix_at_thresholds: MultiClassConfusionMatrixAtThresholds
    multi_label_confusion_matrix_at_thresholds: MultiLabelConfusionMatrixAtThresholds
    debug_message: str
    def __init__(self, calibration_histogram_buckets: _Optional[_Union[CalibrationHistogramBuckets, _Mapping]] = ..., confusion_matrix_at_thresholds: _Optional[_Union[ConfusionMatrixAtThresholds, _Mapping]] = ..., multi_class_confusion_matrix_at_thresholds: _Optional[_Union[MultiClassConfusionMatrixAtThresholds, _Mapping]] = ..., multi_label_confusion_matrix_at_thresholds: _Optional[_Union[MultiLabelConfusionMatrixAtThresholds, _Mapping]] = ..., debug_message: _Optional[str] = ...) -> None: ...

class PlotKey(_message.Message):
    __slots__ = ("name", "model_name", "output_name", "sub_key", "example_weighted")
    NAME_FIELD_NUMBER: _ClassVar[int]
    MODEL_NAME_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_NAME_FIELD_NUMBER: _ClassVar[int]
    SUB_KEY_FIELD_NUMBER: _ClassVar[int]
    EXAMPLE_WEIGHTED_FIELD_NUMBER: _ClassVar[int]
    name: str
    model_name: str
    output_name: str
    sub_key: SubKey
    example_weighted: _wrappers_pb2.BoolValue
    def __init__(self, name: _Optional[str] = ..., model_name: _Optional[str] = ..., output_name: _Optional[str] = ..., sub_key: _Optional[_Union[SubKey, _Mapping]] = ..., example_weighted: _Optional[_Union[_wrappers_pb2.BoolValue, _Mapping]] = ...) -> None: ...

class PlotsForSlice(_message.Message):
    __slots__ = ("slice_key", "cross_slice_key", "plot_keys_and_values", "plot_data", "plots")
    class PlotKeyAndValue(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: PlotKey
        value: PlotData
        def __init__(self, key: _Optional[_Union[PlotKey, _Mapping]] = ..., value: _Optional[_Union[PlotData, _Mapping]] = ...) -> None: ...
    class PlotsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: PlotData
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[PlotData, _Mapping]] = ...) -> None: ...
    SLICE_KEY_FIELD_NUMBER: _ClassVar[int]
    CROSS_SLICE_KEY_FIELD_NUMBER: _ClassVar[int]
    PLOT_KEYS_AND_VALUES_FIELD_NUMBER: _ClassVar[int]
    PLOT_DATA_FIELD_NUMBER: _ClassVar[int]
    PLOTS_FIELD_NUMBER: _ClassVar[int]
    slice_key: SliceKey
    cross_slice_key: CrossSliceKey
    plot_keys_and_values: _containers.RepeatedCompositeFieldContainer[PlotsForSlice.PlotKeyAndValue]
    plot_data: PlotData
    plots: _containers.MessageMap[str, PlotData]
    def __init__(self, slice_key: _Optional[_Union[SliceKey, _Mapping]] = ..., cross_slice_key: _Optional[_Union[CrossSliceKey, _Mapping]] = ..., plot_keys_and_values: _Optional[_Iterable[_Union[PlotsForSlice.PlotKeyAndValue, _Mapping]]] = ..., plot_data: _Optional[_Union[PlotData, _Mapping]] = ..., plots: _Optional[_Mapping[str, PlotData]] = ...) -> None: ...

class AttributionsKey(_message.Message):
    __slots__ = ("name", "model_name", "output_name", "sub_key", "example_weighted", "is_diff")
    NAME_FIELD_NUMBER: _ClassVar[int]
    MODEL_NAME_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_NAME_FIELD_NUMBER: _ClassVar[int]
    SUB_KEY_FIELD_NUMBER: _ClassVar[int]
    EXAMPLE_WEIGHTED_FIELD_NUMBER: _ClassVar[int]
    IS_DIFF_FIELD_NUMBER: _ClassVar[int]
    name: str
    model_name: str
    output_name: str
    sub_key: SubKey
    example_weighted: _wrappers_pb2.BoolValue
    is_diff: bool
    def __init__(self, name: _Optional[str] = ..., model_name: _Optional[str] = ..., output_name: _Optional[str] = ..., sub_key: _Optional[_Union[SubKey, _Mapping]] = ..., example_weighted: _Optional[_Union[_wrappers_pb2.BoolValue, _Mapping]] = ..., is_diff: bool = ...) -> None: ...

class AttributionsForSlice(_message.Message):
    __slots__ = ("slice_key", "cross_slice_key", "attributions_keys_and_values")
    class AttributionsKeyAndValues(_message.Message):
        __slots__ = ("key", "values")
        class ValuesEntry(_message.Message):
            __slots__ = ("key", "value")
            KEY_FIELD_NUMBER: _ClassVar[int]
            VALUE_FIELD_NUMBER: _ClassVar[int]
            key: str
            value: MetricValue
            def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[MetricValue, _Mapping]] = ...) -> None: ...
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUES_FIELD_NUMBER: _ClassVar[int]
        key: AttributionsKey
        values: _containers.MessageMap[str, MetricValue]
        def __init__(self, key: _Optional[_Union[AttributionsKey, _Mapping]] = ..., values: _Optional[_Mapping[str, MetricValue]] = ...) -> None: ...
    SLICE_KEY_FIELD_NUMBER: _ClassVar[int]
    CROSS_SLICE_KEY_FIELD_NUMBER: _ClassVar[int]
    ATTRIBUTIONS_KEYS_AND_VALUES_FIELD_NUMBER: _ClassVar[int]
    slice_key: SliceKey
    cross_slice_key: CrossSliceKey
    attributions_keys_and_values: _containers.RepeatedCompositeFieldContainer[AttributionsForSlice.AttributionsKeyAndValues]
    def __init__(self, slice_key: _Optional[_Union[SliceKey, _Mapping]] = ..., cross_slice_key: _Optional[_Union[CrossSliceKey, _Mapping]] = ..., attributions_keys_and_values: _Optional[_Iterable[_Union[AttributionsForSlice.AttributionsKeyAndValues, _Mapping]]] = ...) -> None: ...
