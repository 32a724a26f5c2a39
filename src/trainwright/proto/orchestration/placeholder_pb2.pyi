from google.protobuf import any_pb2 as _any_pb2
from google.protobuf import descriptor_pb2 as _descriptor_pb2
from trainwright.proto.mlmd import metadata_store_pb2 as _metadata_store_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class PlaceholderExpression(_message.Message):
    __slots__ = ("value", "placeholder", "operator")
    VALUE_FIELD_NUMBER: _ClassVar[int]
    PLACEHOLDER_FIELD_NUMBER: _ClassVar[int]
    OPERATOR_FIELD_NUMBER: _ClassVar[int]
    value: _metadata_store_pb2.Value
    placeholder: Placeholder
    operator: PlaceholderExpressionOperator
    def __init__(self, value: _Optional[_Union[_metadata_store_pb2.Value, _Mapping]] = ..., placeholder: _Optional[_Union[Placeholder, _Mapping]] = ..., operator: _Optional[_Union[PlaceholderExpressionOperator, _Mapping]] = ...) -> None: ...

class PlaceholderExpressionOperator(_message.Message):
    __slots__ = ("artifact_uri_op", "artifact_value_op", "concat_op", "join_path_op", "dir_name_op", "index_op", "proto_op", "base64_encode_op", "compare_op", "unary_logical_op", "binary_logical_op", "artifact_property_op", "list_serialization_op", "list_concat_op", "make_dict_op", "make_proto_op")
    ARTIFACT_URI_OP_FIELD_NUMBER: _ClassVar[int]
    ARTIFACT_VALUE_OP_FIELD_NUMBER: _ClassVar[int]
    CONCAT_OP_FIELD_NUMBER: _ClassVar[int]
    JOIN_PATH_OP_FIELD_NUMBER: _ClassVar[int]
    DIR_NAME_OP_FIELD_NUMBER: _ClassVar[int]
    INDEX_OP_FIELD_NUMBER: _ClassVar[int]
    PROTO_OP_FIELD_NUMBER: _ClassVar[int]
    BASE64_ENCODE_OP_FIELD_NUMBER: _ClassVar[int]
    COMPARE_OP_FIELD_NUMBER: _ClassVar[int]
    UNARY_LOGICAL_OP_FIELD_NUMBER: _ClassVar[int]
    BINARY_LOGICAL_OP_FIELD_NUMBER: _ClassVar[int]
    ARTIFACT_PROPERTY_OP_FIELD_NUMBER: _ClassVar[int]
    LIST_SERIALIZATION_OP_FIELD_NUMBER: _ClassVar[int]
    LIST_CONCAT_OP_FIELD_NUMBER: _ClassVar[int]
    MAKE_DICT_OP_FIELD_NUMBER: _ClassVar[int]
    MAKE_PROTO_OP_FIELD_NUMBER: _ClassVar[int]
    artifact_uri_op: ArtifactUriOperator
    artifact_value_op: ArtifactValueOperator
    concat_op: ConcatOperator
    join_path_op: JoinPathOperator
    dir_name_op: DirNameOperator
    index_op: IndexOperator
    proto_op: ProtoOperator
    base64_encode_op: Base64EncodeOperator
    compare_op: ComparisonOperator
    unary_logical_op: UnaryLogicalOperator
    binary_logical_op: BinaryLogicalOperator
    artifact_property_op: ArtifactPropertyOperator
    list_serialization_op: ListSerializationOperator
    list_concat_op: ListConcatOperator
    make_dict_op: MakeDictOperator
    make_proto_op: MakeProtoOperator
    def __init__(self, artifact_uri_op: _Optional[_Union[ArtifactUriOperator, _Mapping]] = ..., artifact_value_op: _Optional[_Union[ArtifactValueOperator, _Mapping]] = ..., concat_op: _Optional[_Union[ConcatOperator, _Mapping]] = ..., join_path_op: _Optional[_Union[JoinPathOperator, _Mapping]] = ..., dir_name_op: _Optional[_Union[DirNameOperator, _Mapping]] = ..., index_op: _Optional[_Union[IndexOperator, _Mapping]] = ..., proto_op: _Optional[_Union[ProtoOperator, _Mapping]] = ..., base64_encode_op: _Optional[_Union[Base64EncodeOperator, _Mapping]] = ..., compare_op: _Optional[_Union[ComparisonOperator, _Mapping]] = ..., unary_logical_op: _Optional[_Union[UnaryLogicalOperator, _Mapping]] = ..., binary_logical_op: _Optional[_Union[BinaryLogicalOperator, _Mapping]] = ..., artifact_property_op: _Optional[_Union[ArtifactPropertyOperator, _Mapping]] = ..., list_serialization_op: _Optional[_Union[ListSerializationOperator, _Mapping]] = ..., list_concat_op: _Optional[_Union[ListConcatOperator, _Mapping]] = ..., make_dict_op: _Optional[_Union[MakeDictOperator, _Mapping]] = ..., make_proto_op: _Optional[_Union[MakeProtoOperator, _Mapping]] = ...) -> None: ...

class ArtifactUriOperator(_message.Message):
    __slots__ = ("expression", "split")
    EXPRESSION_FIELD_NUMBER: _ClassVar[int]
    SPLIT_FIELD_NUMBER: _ClassVar[int]
    expression: PlaceholderExpression
    split: str
    def __init__(self, expression: _Optional[_Union[PlaceholderExpression, _Mapping]] = ..., split: _Optional[str] = ...) -> None: ...

class ArtifactPropertyOperator(_message.Message):
    __slots__ = ("expression", "key", "is_custom_property")
    EXPRESSION_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    IS_CUSTOM_PROPERTY_FIELD_NUMBER: _ClassVar[int]
    expression: PlaceholderExpression
    key: str
    is_custom_property: bool
    def __init__(self, expression: _Optional[_Union[PlaceholderExpression, _Mapping]] = ..., key: _Optional[str] = ..., is_custom_property: bool = ...) -> None: ...

class ArtifactValueOperator(_message.Message):
    __slots__ = ("expression",)
    EXPRESSION_FIELD_NUMBER: _ClassVar[int]
    expression: PlaceholderExpression
    def __init__(self, expression: _Optional[_Union[PlaceholderExpression, _Mapping]] = ...) -> None: ...

class ConcatOperator(_message.Message):
    __slots__ = ("expressions",)
    EXPRESSIONS_FIELD_NUMBER: _ClassVar[int]
    expressions: _containers.RepeatedCompositeFieldContainer[PlaceholderExpression]
    def __init__(self, expressions: _Optional[_Iterable[_Union[PlaceholderExpression, _Mapping]]] = ...) -> None: ...

class JoinPathOperator(_message.Message):
    __slots__ = ("expressions",)
    EXPRESSIONS_FIELD_NUMBER: _ClassVar[int]
    expressions: _containers.RepeatedCompositeFieldContainer[PlaceholderExpression]
    def __init__(self, expressions: _Optional[_Iterable[_Union[PlaceholderExpression, _Mapping]]] = ...) -> None: ...

class DirNameOperator(_message.Message):
    __slots__ = ("expression",)
    EXPRESSION_FIELD_NUMBER: _ClassVar[int]
    expression: PlaceholderExpression
    def __init__(self, expression: _Optional[_Union[PlaceholderExpression, _Mapping]] = ...) -> None: ...

class IndexOperator(_message.Message):
    __slots__ = ("expression", "index", "key")
    EXPRESSION_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    expression: PlaceholderExpression
    index: int
    key: str
    def __init__(self, expression: _Optional[_Union[PlaceholderExpression, _Mapping]] = ..., index: _Optional[int] = ..., key: _Optional[str] = ...) -> None: ...

class ProtoOperator(_message.Message):
    __slots__ = ("expression", "proto_schema", "proto_field_path", "serialization_format")
    class SerializationFormat(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        DEFAULT: _ClassVar[ProtoOperator.SerializationFormat]
        TEXT_FORMAT: _ClassVar[ProtoOperator.SerializationFormat]
        JSON: _ClassVar[ProtoOperator.SerializationFormat]
        BINARY: _ClassVar[ProtoOperator.SerializationFormat]
        INLINE_FILE_TEXT_FORMAT: _ClassVar[ProtoOperator.SerializationFormat]
    DEFAULT: ProtoOperator.SerializationFormat
    TEXT_FORMAT: ProtoOperator.SerializationFormat
    JSON: ProtoOperator.SerializationFormat
    BINARY: ProtoOperator.SerializationFormat
    INLINE_FILE_TEXT_FORMAT: ProtoOperator.SerializationFormat
    class ProtoSchema(_message.Message):
        __slots__ = ("message_type", "file_descriptors")
        MESSAGE_TYPE_FIELD_NUMBER: _ClassVar[int]
        FILE_DESCRIPTORS_FIELD_NUMBER: _ClassVar[int]
        message_type: str
        file_descriptors: _descriptor_pb2.FileDescriptorSet
        def __init__(self, message_type: _Optional[str] = ..., file_descriptors: _Optional[_Union[_descriptor_pb2.FileDescriptorSet, _Mapping]] = ...) -> None: ...
    EXPRESSION_FIELD_NUMBER: _ClassVar[int]
    PROTO_SCHEMA_FIELD_NUMBER: _ClassVar[int]
    PROTO_FIELD_PATH_FIELD_NUMBER: _ClassVar[int]
    SERIALIZATION_FORMAT_FIELD_NUMBER: _ClassVar[int]
    expression: PlaceholderExpression
    proto_schema: ProtoOperator.ProtoSchema
    proto_field_path: _containers.RepeatedScalarFieldContainer[str]
    serialization_format: ProtoOperator.SerializationFormat
    def __init__(self, expression: _Optional[_Union[PlaceholderExpression, _Mapping]] = ..., proto_schema: _Optional[_Union[ProtoOperator.ProtoSchema, _Mapping]] = ..., proto_field_path: _Optional[_Iterable[str]] = ..., serialization_format: _Optional[_Union[ProtoOperator.SerializationFormat, str]] = ...) -> None: ...

class Base64EncodeOperator(_message.Message):
    __slots__ = ("expression", "is_standard_b64")
    EXPRESSION_FIELD_NUMBER: _ClassVar[int]
    IS_STANDARD_B64_FIELD_NUMBER: _ClassVar[int]
    expression: PlaceholderExpression
    is_standard_b64: bool
    def __init__(self, expression: _Optional[_Union[PlaceholderExpression, _Mapping]] = ..., is_standard_b64: bool = ...) -> None: ...

class ComparisonOperator(_message.Message):
    __slots__ = ("lhs", "rhs", "op")
    class Operation(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        UNKNOWN: _ClassVar[ComparisonOperator.Operation]
        EQUAL: _ClassVar[ComparisonOperator.Operation]
        LESS_THAN: _ClassVar[ComparisonOperator.Operation]
        GREATER_THAN: _ClassVar[ComparisonOperator.Operation]
    UNKNOWN: ComparisonOperator.Operation
    EQUAL: ComparisonOperator.Operation
    LESS_THAN: ComparisonOperator.Operation
    GREATER_THAN: ComparisonOperator.Operation
    LHS_FIELD_NUMBER: _ClassVar[int]
    RHS_FIELD_NUMBER: _ClassVar[int]
    OP_FIELD_NUMBER: _ClassVar[int]
    lhs: PlaceholderExpression
    rhs: PlaceholderExpression
    op: ComparisonOperator.Operation
    def __init__(self, lhs: _Optional[_Union[PlaceholderExpression, _Mapping]] = ..., rhs: _Optional[_Union[PlaceholderExpression, _Mapping]] = ..., op: _Optional[_Union[ComparisonOperator.Operation, str]] = ...) -> None: ...

class UnaryLogicalOperator(_message.Message):
    __slots__ = ("expression", "op")
    class Operation(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        UNKNOWN: _ClassVar[UnaryLogicalOperator.Operation]
        NOT: _ClassVar[UnaryLogicalOperator.Operation]
    UNKNOWN: UnaryLogicalOperator.Operation
    NOT: UnaryLogicalOperator.Operation
    EXPRESSION_FIELD_NUMBER: _ClassVar[int]
    OP_FIELD_NUMBER: _ClassVar[int]
    expression: PlaceholderExpression
    op: UnaryLogicalOperator.Operation
    def __init__(self, expression: _Optional[_Union[PlaceholderExpression, _Mapping]] = ..., op: _Optional[_Union[UnaryLogicalOperator.Operation, str]] = ...) -> None: ...

class BinaryLogicalOperator(_message.Message):
    __slots__ = ("lhs", "rhs", "op")
    class Operation(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        UNKNOWN: _ClassVar[BinaryLogicalOperator.Operation]
        AND: _ClassVar[BinaryLogicalOperator.Operation]
        OR: _ClassVar[BinaryLogicalOperator.Operation]
    UNKNOWN: BinaryLogicalOperator.Operation
    AND: BinaryLogicalOperator.Operation
    OR: BinaryLogicalOperator.Operation
    LHS_FIELD_NUMBER: _ClassVar[int]
    RHS_FIELD_NUMBER: _ClassVar[int]
    OP_FIELD_NUMBER: _ClassVar[int]
    lhs: PlaceholderExpression
    rhs: PlaceholderExpression
    op: BinaryLogicalOperator.Operation
    def __init__(self, lhs: _Optional[_Union[PlaceholderExpression, _Mapping]] = ..., rhs: _Optional[_Union[PlaceholderExpression, _Mapping]] = ..., op: _Optional[_Union[BinaryLogicalOperator.Operation, str]] = ...) -> None: ...

class ListSerializationOperator(_message.Message):
    __slots__ = ("expression", "serialization_format")
    class SerializationFormat(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        FORMAT_UNSPECIFIED: _ClassVar[ListSerializationOperator.SerializationFormat]
        JSON: _ClassVar[ListSerializationOperator.SerializationFormat]
        COMMA_SEPARATED_STR: _ClassVar[ListSerializationOperator.SerializationFormat]
    FORMAT_UNSPECIFIED: ListSerializationOperator.SerializationFormat
    JSON: ListSerializationOperator.SerializationFormat
    COMMA_SEPARATED_STR: ListSerializationOperator.SerializationFormat
    EXPRESSION_FIELD_NUMBER: _ClassVar[int]
    SERIALIZATION_FORMAT_FIELD_NUMBER: _ClassVar[int]
    expression: PlaceholderExpression
    serialization_format: ListSerializationOperator.SerializationFormat
    def __init__(self, expression: _Optional[_Union[PlaceholderExpression, _Mapping]] = ..., serialization_format: _Optional[_Union[ListSerializationOperator.SerializationFormat, str]] = ...) -> None: ...

class ListConcatOperator(_message.Message):
    __slots__ = ("expressions",)
    EXPRESSIONS_FIELD_NUMBER: _ClassVar[int]
    expressions: _containers.RepeatedCompositeFieldContainer[PlaceholderExpression]
    def __init__(self, expressions: _Optional[_Iterable[_Union[PlaceholderExpression, _Mapping]]] = ...) -> None: ...

class MakeDictOperator(_message.Message):
    __slots__ = ("entries",)
    class Entry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: PlaceholderExpression
        value: PlaceholderExpression
        def __init__(self, key: _Optional[_Union[PlaceholderExpression, _Mapping]] = ..., value: _Optional[_Union[PlaceholderExpression, _Mapping]] = ...) -> None: ...
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedCompositeFieldContainer[MakeDictOperator.Entry]
    def __init__(self, entries: _Optional[_Iterable[_Union[MakeDictOperator.Entry, _Mapping]]] = ...) -> None: ...

class MakeProtoOperator(_message.Message):
    __slots__ = ("base", "fields", "file_descriptors")
    class FieldsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: PlaceholderExpression
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[PlaceholderExpression, _Mapping]] = ...) -> None: ...
    BASE_FIELD_NUMBER: _ClassVar[int]
    FIELDS_FIELD_NUMBER: _ClassVar[int]
    FILE_DESCRIPTORS_FIELD_NUMBER: _ClassVar[int]
    base: _any_pb2.Any
    fields: _containers.MessageMap[str, PlaceholderExpression]
    file_descriptors: _descriptor_pb2.FileDescriptorSet
    def __init__(self, base: _Optional[_Union[_any_pb2.Any, _Mapping]] = ..., fields: _Optional[_Mapping[str, PlaceholderExpression]] = ..., file_descriptors: _Optional[_Union[_descriptor_pb2.FileDescriptorSet, _Mapping]] = ...) -> None: ...

class Placeholder(_message.Message):
    __slots__ = ("type", "key")
    class Type(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        INPUT_ARTIFACT: _ClassVar[Placeholder.Type]
        OUTPUT_ARTIFACT: _ClassVar[Placeholder.Type]
        EXEC_PROPERTY: _ClassVar[Placeholder.Type]
        RUNTIME_INFO: _ClassVar[Placeholder.Type]
        EXEC_INVOCATION: _ClassVar[Placeholder.Type]
        ENVIRONMENT_VARIABLE: _ClassVar[Placeholder.Type]
    INPUT_ARTIFACT: Placeholder.Type
    OUTPUT_ARTIFACT: Placeholder.Type
    EXEC_PROPERTY: Placeholder.Type
    RUNTIME_INFO: Placeholder.Type
    EXEC_INVOCATION: Placeholder.Type
    ENVIRONMENT_VARIABLE: Placeholder.Type
    TYPE_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    type: Placeholder.Type
    key: str
    def __init__(self, type: _Optional[_Union[Placeholder.Type, str]] = ..., key: _Optional[str] = ...) -> None: ...
