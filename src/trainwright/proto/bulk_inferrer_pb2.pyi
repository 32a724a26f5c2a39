from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ModelSpec(_message.Message):
    __slots__ = ("model_signature_name", "tag")
    MODEL_SIGNATURE_NAME_FIELD_NUMBER: _ClassVar[int]
    TAG_FIELD_NUMBER: _ClassVar[int]
    model_signature_name: _containers.RepeatedScalarFieldContainer[str]
    tag: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, model_signature_name: _Optional[_Iterable[str]] = ..., tag: _Optional[_Iterable[str]] = ...) -> None: ...

class DataSpec(_message.Message):
    __slots__ = ("example_splits",)
    EXAMPLE_SPLITS_FIELD_NUMBER: _ClassVar[int]
    example_splits: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, example_splits: _Optional[_Iterable[str]] = ...) -> None: ...

class OutputExampleSpec(_message.Message):
    __slots__ = ("output_columns_spec",)
    OUTPUT_COLUMNS_SPEC_FIELD_NUMBER: _ClassVar[int]
    output_columns_spec: _containers.RepeatedCompositeFieldContainer[OutputColumnsSpec]
    def __init__(self, output_columns_spec: _Optional[_Iterable[_Union[OutputColumnsSpec, _Mapping]]] = ...) -> None: ...

class OutputColumnsSpec(_message.Message):
    __slots__ = ("signature_name", "classify_output", "regress_output", "predict_output")
    SIGNATURE_NAME_FIELD_NUMBER: _ClassVar[int]
    CLASSIFY_OUTPUT_FIELD_NUMBER: _ClassVar[int]
    REGRESS_OUTPUT_FIELD_NUMBER: _ClassVar[int]
    PREDICT_OUTPUT_FIELD_NUMBER: _ClassVar[int]
    signature_name: str
    classify_output: ClassifyOutput
    regress_output: RegressOutput
    predict_output: PredictOutput
    def __init__(self, signature_name: _Optional[str] = ..., classify_output: _Optional[_Union[ClassifyOutput, _Mapping]] = ..., regress_output: _Optional[_Union[RegressOutput, _Mapping]] = ..., predict_output: _Optional[_Union[PredictOutput, _Mapping]] = ...) -> None: ...

class ClassifyOutput(_message.Message):
    __slots__ = ("label_column", "score_column")
    LABEL_COLUMN_FIELD_NUMBER: _ClassVar[int]
    SCORE_COLUMN_FIELD_NUMBER: _ClassVar[int]
    label_column: str
    score_column: str
    def __init__(self, label_column: _Optional[str] = ..., score_column: _Optional[str] = ...) -> None: ...

class RegressOutput(_message.Message):
    __slots__ = ("value_column",)
    VALUE_COLUMN_FIELD_NUMBER: _ClassVar[int]
    value_column: str
    def __init__(self, value_column: _Optional[str] = ...) -> None: ...

class PredictOutput(_message.Message):
    __slots__ = ("output_columns",)
    OUTPUT_COLUMNS_FIELD_NUMBER: _ClassVar[int]
    output_columns: _containers.RepeatedCompositeFieldContainer[PredictOutputCol]
    def __init__(self, output_columns: _Optional[_Iterable[_Union[PredictOutputCol, _Mapping]]] = ...) -> None: ...

class PredictOutputCol(_message.Message):
    __slots__ = ("output_key", "output_column")
    OUTPUT_KEY_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_COLUMN_FIELD_NUMBER: _ClassVar[int]
    output_key: str
    output_column: str
    def __init__(self, output_key: _Optional[str] = ..., output_column: _Optional[str] = ...) -> None: ...
