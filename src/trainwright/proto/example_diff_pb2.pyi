from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class PairedExampleSkew(_message.Message):
    __slots__ = ("identifier_features", "skew_sample_size", "ignore_features", "float_round_ndigits", "allow_duplicate_identifiers", "confusion_config")
    class ConfusionConfig(_message.Message):
        __slots__ = ("feature_name",)
        FEATURE_NAME_FIELD_NUMBER: _ClassVar[int]
        feature_name: str
        def __init__(self, feature_name: _Optional[str] = ...) -> None: ...
    IDENTIFIER_FEATURES_FIELD_NUMBER: _ClassVar[int]
    SKEW_SAMPLE_SIZE_FIELD_NUMBER: _ClassVar[int]
    IGNORE_FEATURES_FIELD_NUMBER: _ClassVar[int]
    FLOAT_ROUND_NDIGITS_FIELD_NUMBER: _ClassVar[int]
    ALLOW_DUPLICATE_IDENTIFIERS_FIELD_NUMBER: _ClassVar[int]
    CONFUSION_CONFIG_FIELD_NUMBER: _ClassVar[int]
    identifier_features: _containers.RepeatedScalarFieldContainer[str]
    skew_sample_size: int
    ignore_features: _containers.RepeatedScalarFieldContainer[str]
    float_round_ndigits: int
    allow_duplicate_identifiers: bool
    confusion_config: _containers.RepeatedCompositeFieldContainer[PairedExampleSkew.ConfusionConfig]
    def __init__(self, identifier_features: _Optional[_Iterable[str]] = ..., skew_sample_size: _Optional[int] = ..., ignore_features: _Optional[_Iterable[str]] = ..., float_round_ndigits: _Optional[int] = ..., allow_duplicate_identifiers: bool = ..., confusion_config: _Optional[_Iterable[_Union[PairedExampleSkew.ConfusionConfig, _Mapping]]] = ...) -> None: ...

class ExampleDiffConfig(_message.Message):
    __slots__ = ("paired_example_skew",)
    PAIRED_EXAMPLE_SKEW_FIELD_NUMBER: _ClassVar[int]
    paired_example_skew: PairedExampleSkew
    def __init__(self, paired_example_skew: _Optional[_Union[PairedExampleSkew, _Mapping]] = ...) -> None: ...
