from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class FeatureSkew(_message.Message):
    __slots__ = ("feature_name", "base_count", "test_count", "match_count", "base_only", "test_only", "mismatch_count", "diff_count")
    FEATURE_NAME_FIELD_NUMBER: _ClassVar[int]
    BASE_COUNT_FIELD_NUMBER: _ClassVar[int]
    TEST_COUNT_FIELD_NUMBER: _ClassVar[int]
    MATCH_COUNT_FIELD_NUMBER: _ClassVar[int]
    BASE_ONLY_FIELD_NUMBER: _ClassVar[int]
    TEST_ONLY_FIELD_NUMBER: _ClassVar[int]
    MISMATCH_COUNT_FIELD_NUMBER: _ClassVar[int]
    DIFF_COUNT_FIELD_NUMBER: _ClassVar[int]
    feature_name: str
    base_count: int
    test_count: int
    match_count: int
    base_only: int
    test_only: int
    mismatch_count: int
    diff_count: int
    def __init__(self, feature_name: _Optional[str] = ..., base_count: _Optional[int] = ..., test_count: _Optional[int] = ..., match_count: _Optional[int] = ..., base_only: _Optional[int] = ..., test_only: _Optional[int] = ..., mismatch_count: _Optional[int] = ..., diff_count: _Optional[int] = ...) -> None: ...

class SkewPair(_message.Message):
    __slots__ = ("base", "test", "base_only_features", "test_only_features", "matched_features", "mismatched_features")
    BASE_FIELD_NUMBER: _ClassVar[int]
    TEST_FIELD_NUMBER: _ClassVar[int]
    BASE_ONLY_FEATURES_FIELD_NUMBER: _ClassVar[int]
    TEST_ONLY_FEATURES_FIELD_NUMBER: _ClassVar[int]
    MATCHED_FEATURES_FIELD_NUMBER: _ClassVar[int]
    MISMATCHED_FEATURES_FIELD_NUMBER: _ClassVar[int]
    base: bytes
    test: bytes
    base_only_features: _containers.RepeatedScalarFieldContainer[str]
    test_only_features: _containers.RepeatedScalarFieldContainer[str]
    matched_features: _containers.RepeatedScalarFieldContainer[str]
    mismatched_features: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, base: _Optional[bytes] = ..., test: _Optional[bytes] = ..., base_only_features: _Optional[_Iterable[str]] = ..., test_only_features: _Optional[_Iterable[str]] = ..., matched_features: _Optional[_Iterable[str]] = ..., mismatched_features: _Optional[_Iterable[str]] = ...) -> None: ...

class ConfusionCount(_message.Message):
    __slots__ = ("feature_name", "base", "test", "count")
    class Value(_message.Message):
        __slots__ = ("bytes_value",)
        BYTES_VALUE_FIELD_NUMBER: _ClassVar[int]
        bytes_value: bytes
        def __init__(self, bytes_value: _Optional[bytes] = ...) -> None: ...
    FEATURE_NAME_FIELD_NUMBER: _ClassVar[int]
    BASE_FIELD_NUMBER: _ClassVar[int]
    TEST_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    feature_name: str
    base: ConfusionCount.Value
    test: ConfusionCount.Value
    count: int
    def __init__(self, feature_name: _Optional[str] = ..., base: _Optional[_Union[ConfusionCount.Value, _Mapping]] = ..., test: _Optional[_Union[ConfusionCount.Value, _Mapping]] = ..., count: _Optional[int] = ...) -> None: ...

class MatchStats(_message.Message):
    __slots__ = ("base_with_id_count", "test_with_id_count", "identifiers_count", "ids_missing_in_base_count", "ids_missing_in_test_count", "matching_pairs_count", "duplicate_id_count", "base_missing_id_count", "test_missing_id_count")
    BASE_WITH_ID_COUNT_FIELD_NUMBER: _ClassVar[int]
    TEST_WITH_ID_COUNT_FIELD_NUMBER: _ClassVar[int]
    IDENTIFIERS_COUNT_FIELD_NUMBER: _ClassVar[int]
    IDS_MISSING_IN_BASE_COUNT_FIELD_NUMBER: _ClassVar[int]
    IDS_MISSING_IN_TEST_COUNT_FIELD_NUMBER: _ClassVar[int]
    MATCHING_PAIRS_COUNT_FIELD_NUMBER: _ClassVar[int]
    DUPLICATE_ID_COUNT_FIELD_NUMBER: _ClassVar[int]
    BASE_MISSING_ID_COUNT_FIELD_NUMBER: _ClassVar[int]
    TEST_MISSING_ID_COUNT_FIELD_NUMBER: _ClassVar[int]
    base_with_id_count: int
    test_with_id_count: int
    identifiers_count: int
    ids_missing_in_base_count: int
    ids_missing_in_test_count: int
    matching_pairs_count: int
    duplicate_id_count: int
    base_missing_id_count: int
    test_missing_id_count: int
    def __init__(self, base_with_id_count: _Optional[int] = ..., test_with_id_count: _Optional[int] = ..., identifiers_count: _Optional[int] = ..., ids_missing_in_base_count: _Optional[int] = ..., ids_missing_in_test_count: _Optional[int] = ..., matching_pairs_count: _Optional[int] = ..., duplicate_id_count: _Optional[int] = ..., base_missing_id_count: _Optional[int] = ..., test_missing_id_count: _Optional[int] = ...) -> None: ...
