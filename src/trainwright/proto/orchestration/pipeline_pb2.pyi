from google.protobuf import any_pb2 as _any_pb2
from google.protobuf import descriptor_pb2 as _descriptor_pb2
from trainwright.proto.mlmd import metadata_store_pb2 as _metadata_store_pb2
from trainwright.proto.orchestration import garbage_collection_policy_pb2 as _garbage_collection_policy_pb2
from trainwright.proto.orchestration import placeholder_pb2 as _placeholder_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ResolverConfig(_message.Message):
    __slots__ = ("resolver_steps",)
    class ResolverStep(_message.Message):
        __slots__ = ("class_path", "config_json", "input_keys")
        CLASS_PATH_FIELD_NUMBER: _ClassVar[int]
        CONFIG_JSON_FIELD_NUMBER: _ClassVar[int]
        INPUT_KEYS_FIELD_NUMBER: _ClassVar[int]
        class_path: str
        config_json: str
        input_keys: _containers.RepeatedScalarFieldContainer[str]
        def __init__(self, class_path: _Optional[str] = ..., config_json: _Optional[str] = ..., input_keys: _Optional[_Iterable[str]] = ...) -> None: ...
    RESOLVER_STEPS_FIELD_NUMBER: _ClassVar[int]
    resolver_steps: _containers.RepeatedCompositeFieldContainer[ResolverConfig.ResolverStep]
    def __init__(self, resolver_steps: _Optional[_Iterable[_Union[ResolverConfig.ResolverStep, _Mapping]]] = ...) -> None: ...

class RuntimeParameter(_message.Message):
    __slots__ = ("name", "type", "default_value")
    class Type(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        TYPE_UNSPECIFIED: _ClassVar[RuntimeParameter.Type]
        INT: _ClassVar[RuntimeParameter.Type]
        DOUBLE: _ClassVar[RuntimeParameter.Type]
        STRING: _ClassVar[RuntimeParameter.Type]
    TYPE_UNSPECIFIED: RuntimeParameter.Type
    INT: RuntimeParameter.Type
    DOUBLE: RuntimeParameter.Type
    STRING: RuntimeParameter.Type
    NAME_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_VALUE_FIELD_NUMBER: _ClassVar[int]
    name: str
    type: RuntimeParameter.Type
    default_value: _metadata_store_pb2.Value
    def __init__(self, name: _Optional[str] = ..., type: _Optional[_Union[RuntimeParameter.Type, str]] = ..., default_value: _Optional[_Union[_metadata_store_pb2.Value, _Mapping]] = ...) -> None: ...

class StructuralRuntimeParameter(_message.Message):
    __slots__ = ("parts",)
    class StringOrRuntimeParameter(_message.Message):
        __slots__ = ("constant_value", "runtime_parameter")
        CONSTANT_VALUE_FIELD_NUMBER: _ClassVar[int]
        RUNTIME_PARAMETER_FIELD_NUMBER: _ClassVar[int]
        constant_value: str
        runtime_parameter: RuntimeParameter
        def __init__(self, constant_value: _Optional[str] = ..., runtime_parameter: _Optional[_Union[RuntimeParameter, _Mapping]] = ...) -> None: ...
    PARTS_FIELD_NUMBER: _ClassVar[int]
    parts: _containers.RepeatedCompositeFieldContainer[StructuralRuntimeParameter.StringOrRuntimeParameter]
    def __init__(self, parts: _Optional[_Iterable[_Union[StructuralRuntimeParameter.StringOrRuntimeParameter, _Mapping]]] = ...) -> None: ...

class Value(_message.Message):
    __slots__ = ("field_value", "runtime_parameter", "structural_runtime_parameter", "placeholder", "schema")
    class Schema(_message.Message):
        __slots__ = ("value_type",)
        class ProtoType(_message.Message):
            __slots__ = ("message_type", "file_descriptors")
            MESSAGE_TYPE_FIELD_NUMBER: _ClassVar[int]
            FILE_DESCRIPTORS_FIELD_NUMBER: _ClassVar[int]
            message_type: str
            file_descriptors: _descriptor_pb2.FileDescriptorSet
            def __init__(self, message_type: _Optional[str] = ..., file_descriptors: _Optional[_Union[_descriptor_pb2.FileDescriptorSet, _Mapping]] = ...) -> None: ...
        class BooleanType(_message.Message):
            __slots__ = ()
            def __init__(self) -> None: ...
        class ValueType(_message.Message):
            __slots__ = ("list_type", "proto_type", "boolean_type", "dict_type")
            LIST_TYPE_FIELD_NUMBER: _ClassVar[int]
            PROTO_TYPE_FIELD_NUMBER: _ClassVar[int]
            BOOLEAN_TYPE_FIELD_NUMBER: _ClassVar[int]
            DICT_TYPE_FIELD_NUMBER: _ClassVar[int]
            list_type: Value.Schema.ValueType
            proto_type: Value.Schema.ProtoType
            boolean_type: Value.Schema.BooleanType
            dict_type: Value.Schema.ValueType
            def __init__(self, list_type: _Optional[_Union[Value.Schema.ValueType, _Mapping]] = ..., proto_type: _Optional[_Union[Value.Schema.ProtoType, _Mapping]] = ..., boolean_type: _Optional[_Union[Value.Schema.BooleanType, _Mapping]] = ..., dict_type: _Optional[_Union[Value.Schema.ValueType, _Mapping]] = ...) -> None: ...
        VALUE_TYPE_FIELD_NUMBER: _ClassVar[int]
        value_type: Value.Schema.ValueType
        def __init__(self, value_type: _Optional[_Union[Value.Schema.ValueType, _Mapping]] = ...) -> None: ...
    FIELD_VALUE_FIELD_NUMBER: _ClassVar[int]
    RUNTIME_PARAMETER_FIELD_NUMBER: _ClassVar[int]
    STRUCTURAL_RUNTIME_PARAMETER_FIELD_NUMBER: _ClassVar[int]
    PLACEHOLDER_FIELD_NUMBER: _ClassVar[int]
    SCHEMA_FIELD_NUMBER: _ClassVar[int]
    field_value: _metadata_store_pb2.Value
    runtime_parameter: RuntimeParameter
    structural_runtime_parameter: StructuralRuntimeParameter
    placeholder: _placeholder_pb2.PlaceholderExpression
    schema: Value.Schema
    def __init__(self, field_value: _Optional[_Union[_metadata_store_pb2.Value, _Mapping]] = ..., runtime_parameter: _Optional[_Union[RuntimeParameter, _Mapping]] = ..., structural_runtime_parameter: _Optional[_Union[StructuralRuntimeParameter, _Mapping]] = ..., placeholder: _Optional[_Union[_placeholder_pb2.PlaceholderExpression, _Mapping]] = ..., schema: _Optional[_Union[Value.Schema, _Mapping]] = ...) -> None: ...

class PropertyPredicate(_message.Message):
    __slots__ = ("value_comparator", "unary_logical_operator", "binary_logical_operator")
    class ValueComparator(_message.Message):
        __slots__ = ("property_name", "target_value", "op", "input_key", "input_index", "is_custom_property")
        class Op(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
            __slots__ = ()
            OP_UNSPECIFIED: _ClassVar[PropertyPredicate.ValueComparator.Op]
            EQ: _ClassVar[PropertyPredicate.ValueComparator.Op]
            LT: _ClassVar[PropertyPredicate.ValueComparator.Op]
        OP_UNSPECIFIED: PropertyPredicate.ValueComparator.Op
        EQ: PropertyPredicate.ValueComparator.Op
        LT: PropertyPredicate.ValueComparator.Op
        PROPERTY_NAME_FIELD_NUMBER: _ClassVar[int]
        TARGET_VALUE_FIELD_NUMBER: _ClassVar[int]
        OP_FIELD_NUMBER: _ClassVar[int]
        INPUT_KEY_FIELD_NUMBER: _ClassVar[int]
        INPUT_INDEX_FIELD_NUMBER: _ClassVar[int]
        IS_CUSTOM_PROPERTY_FIELD_NUMBER: _ClassVar[int]
        property_name: str
        target_value: Value
        op: PropertyPredicate.ValueComparator.Op
        input_key: str
        input_index: int
        is_custom_property: bool
        def __init__(self, property_name: _Optional[str] = ..., target_value: _Optional[_Union[Value, _Mapping]] = ..., op: _Optional[_Union[PropertyPredicate.ValueComparator.Op, str]] = ..., input_key: _Optional[str] = ..., input_index: _Optional[int] = ..., is_custom_property: bool = ...) -> None: ...
    class UnaryLogicalOperator(_message.Message):
        __slots__ = ("op", "operand")
        class LogicalOp(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
            __slots__ = ()
            OP_UNSPECIFIED: _ClassVar[PropertyPredicate.UnaryLogicalOperator.LogicalOp]
            NOT: _ClassVar[PropertyPredicate.UnaryLogicalOperator.LogicalOp]
        OP_UNSPECIFIED: PropertyPredicate.UnaryLogicalOperator.LogicalOp
        NOT: PropertyPredicate.UnaryLogicalOperator.LogicalOp
        OP_FIELD_NUMBER: _ClassVar[int]
        OPERAND_FIELD_NUMBER: _ClassVar[int]
        op: PropertyPredicate.UnaryLogicalOperator.LogicalOp
        operand: PropertyPredicate
        def __init__(self, op: _Optional[_Union[PropertyPredicate.UnaryLogicalOperator.LogicalOp, str]] = ..., operand: _Optional[_Union[PropertyPredicate, _Mapping]] = ...) -> None: ...
    class BinaryLogicalOperator(_message.Message):
        __slots__ = ("op", "lhs", "rhs")
        class LogicalOp(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
            __slots__ = ()
            OP_UNSPECIFIED: _ClassVar[PropertyPredicate.BinaryLogicalOperator.LogicalOp]
            AND: _ClassVar[PropertyPredicate.BinaryLogicalOperator.LogicalOp]
            OR: _ClassVar[PropertyPredicate.BinaryLogicalOperator.LogicalOp]
        OP_UNSPECIFIED: PropertyPredicate.BinaryLogicalOperator.LogicalOp
        AND: PropertyPredicate.BinaryLogicalOperator.LogicalOp
        OR: PropertyPredicate.BinaryLogicalOperator.LogicalOp
        OP_FIELD_NUMBER: _ClassVar[int]
        LHS_FIELD_NUMBER: _ClassVar[int]
        RHS_FIELD_NUMBER: _ClassVar[int]
        op: PropertyPredicate.BinaryLogicalOperator.LogicalOp
        lhs: PropertyPredicate
        rhs: PropertyPredicate
        def __init__(self, op: _Optional[_Union[PropertyPredicate.BinaryLogicalOperator.LogicalOp, str]] = ..., lhs: _Optional[_Union[PropertyPredicate, _Mapping]] = ..., rhs: _Optional[_Union[PropertyPredicate, _Mapping]] = ...) -> None: ...
    VALUE_COMPARATOR_FIELD_NUMBER: _ClassVar[int]
    UNARY_LOGICAL_OPERATOR_FIELD_NUMBER: _ClassVar[int]
    BINARY_LOGICAL_OPERATOR_FIELD_NUMBER: _ClassVar[int]
    value_comparator: PropertyPredicate.ValueComparator
    unary_logical_operator: PropertyPredicate.UnaryLogicalOperator
    binary_logical_operator: PropertyPredicate.BinaryLogicalOperator
    def __init__(self, value_comparator: _Optional[_Union[PropertyPredicate.ValueComparator, _Mapping]] = ..., unary_logical_operator: _Optional[_Union[PropertyPredicate.UnaryLogicalOperator, _Mapping]] = ..., binary_logical_operator: _Optional[_Union[PropertyPredicate.BinaryLogicalOperator, _Mapping]] = ...) -> None: ...

class InputGraph(_message.Message):
    __slots__ = ("nodes", "result_node")
    class DataType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        DATA_TYPE_UNSPECIFIED: _ClassVar[InputGraph.DataType]
        ARTIFACT_LIST: _ClassVar[InputGraph.DataType]
        ARTIFACT_MULTIMAP: _ClassVar[InputGraph.DataType]
        ARTIFACT_MULTIMAP_LIST: _ClassVar[InputGraph.DataType]
    DATA_TYPE_UNSPECIFIED: InputGraph.DataType
    ARTIFACT_LIST: InputGraph.DataType
    ARTIFACT_MULTIMAP: InputGraph.DataType
    ARTIFACT_MULTIMAP_LIST: InputGraph.DataType
    class Node(_message.Message):
        __slots__ = ("output_data_type", "op_node", "dict_node", "input_node")
        OUTPUT_DATA_TYPE_FIELD_NUMBER: _ClassVar[int]
        OP_NODE_FIELD_NUMBER: _ClassVar[int]
        DICT_NODE_FIELD_NUMBER: _ClassVar[int]
        INPUT_NODE_FIELD_NUMBER: _ClassVar[int]
        output_data_type: InputGraph.DataType
        op_node: InputGraph.OpNode
        dict_node: InputGraph.DictNode
        input_node: InputGraph.InputNode
        def __init__(self, output_data_type: _Optional[_Union[InputGraph.DataType, str]] = ..., op_node: _Optional[_Union[InputGraph.OpNode, _Mapping]] = ..., dict_node: _Optional[_Union[InputGraph.DictNode, _Mapping]] = ..., input_node: _Optional[_Union[InputGraph.InputNode, _Mapping]] = ...) -> None: ...
    class OpNode(_message.Message):
        __slots__ = ("op_type", "args", "kwargs")
        class Arg(_message.Message):
            __slots__ = ("node_id", "value")
            NODE_ID_FIELD_NUMBER: _ClassVar[int]
            VALUE_FIELD_NUMBER: _ClassVar[int]
            node_id: str
            value: Value
            def __init__(self, node_id: _Optional[str] = ..., value: _Optional[_Union[Value, _Mapping]] = ...) -> None: ...
        class KwargsEntry(_message.Message):
            __slots__ = ("key", "value")
            KEY_FIELD_NUMBER: _ClassVar[int]
            VALUE_FIELD_NUMBER: _ClassVar[int]
            key: str
            value: InputGraph.OpNode.Arg
            def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[InputGraph.OpNode.Arg, _Mapping]] = ...) -> None: ...
        OP_TYPE_FIELD_NUMBER: _ClassVar[int]
        ARGS_FIELD_NUMBER: _ClassVar[int]
        KWARGS_FIELD_NUMBER: _ClassVar[int]
        op_type: str
        args: _containers.RepeatedCompositeFieldContainer[InputGraph.OpNode.Arg]
        kwargs: _containers.MessageMap[str, InputGraph.OpNode.Arg]
        def __init__(self, op_type: _Optional[str] = ..., args: _Optional[_Iterable[_Union[InputGraph.OpNode.Arg, _Mapping]]] = ..., kwargs: _Optional[_Mapping[str, InputGraph.OpNode.Arg]] = ...) -> None: ...
    class DictNode(_message.Message):
        __slots__ = ("node_ids",)
        class NodeIdsEntry(_message.Message):
            __slots__ = ("key", "value")
            KEY_FIELD_NUMBER: _ClassVar[int]
            VALUE_FIELD_NUMBER: _ClassVar[int]
            key: str
            value: str
            def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
        NODE_IDS_FIELD_NUMBER: _ClassVar[int]
        node_ids: _containers.ScalarMap[str, str]
        def __init__(self, node_ids: _Optional[_Mapping[str, str]] = ...) -> None: ...
    class InputNode(_message.Message):
        __slots__ = ("input_key",)
        INPUT_KEY_FIELD_NUMBER: _ClassVar[int]
        input_key: str
        def __init__(self, input_key: _Optional[str] = ...) -> None: ...
    class NodesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: InputGraph.Node
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[InputGraph.Node, _Mapping]] = ...) -> None: ...
    NODES_FIELD_NUMBER: _ClassVar[int]
    RESULT_NODE_FIELD_NUMBER: _ClassVar[int]
    nodes: _containers.MessageMap[str, InputGraph.Node]
    result_node: str
    def __init__(self, nodes: _Optional[_Mapping[str, InputGraph.Node]] = ..., result_node: _Optional[str] = ...) -> None: ...

class InputSpec(_message.Message):
    __slots__ = ("channels", "input_graph_ref", "mixed_inputs", "static_inputs", "min_count", "hidden")
    class Channel(_message.Message):
        __slots__ = ("producer_node_query", "context_queries", "artifact_query", "output_key", "metadata_connection_config")
        class ProducerNodeQuery(_message.Message):
            __slots__ = ("id", "property_predicate")
            ID_FIELD_NUMBER: _ClassVar[int]
            PROPERTY_PREDICATE_FIELD_NUMBER: _ClassVar[int]
            id: str
            property_predicate: PropertyPredicate
            def __init__(self, id: _Optional[str] = ..., property_predicate: _Optional[_Union[PropertyPredicate, _Mapping]] = ...) -> None: ...
        class ContextQuery(_message.Message):
            __slots__ = ("type", "name", "property_predicate")
            TYPE_FIELD_NUMBER: _ClassVar[int]
            NAME_FIELD_NUMBER: _ClassVar[int]
            PROPERTY_PREDICATE_FIELD_NUMBER: _ClassVar[int]
            type: _metadata_store_pb2.ContextType
            name: Value
            property_predicate: PropertyPredicate
            def __init__(self, type: _Optional[_Union[_metadata_store_pb2.ContextType, _Mapping]] = ..., name: _Optional[_Union[Value, _Mapping]] = ..., property_predicate: _Optional[_Union[PropertyPredicate, _Mapping]] = ...) -> None: ...
        class ArtifactQuery(_message.Message):
            __slots__ = ("type", "property_predicate")
            TYPE_FIELD_NUMBER: _ClassVar[int]
            PROPERTY_PREDICATE_FIELD_NUMBER: _ClassVar[int]
            type: _metadata_store_pb2.ArtifactType
            property_predicate: PropertyPredicate
            def __init__(self, type: _Optional[_Union[_metadata_store_pb2.ArtifactType, _Mapping]] = ..., property_predicate: _Optional[_Union[PropertyPredicate, _Mapping]] = ...) -> None: ...
        PRODUCER_NODE_QUERY_FIELD_NUMBER: _ClassVar[int]
        CONTEXT_QUERIES_FIELD_NUMBER: _ClassVar[int]
        ARTIFACT_QUERY_FIELD_NUMBER: _ClassVar[int]
        OUTPUT_KEY_FIELD_NUMBER: _ClassVar[int]
        METADATA_CONNECTION_CONFIG_FIELD_NUMBER: _ClassVar[int]
        producer_node_query: InputSpec.Channel.ProducerNodeQuery
        context_queries: _containers.RepeatedCompositeFieldContainer[InputSpec.Channel.ContextQuery]
        artifact_query: InputSpec.Channel.ArtifactQuery
        output_key: str
        metadata_connection_config: _any_pb2.Any
        def __init__(self, producer_node_query: _Optional[_Union[InputSpec.Channel.ProducerNodeQuery, _Mapping]] = ..., context_queries: _Optional[_Iterable[_Union[InputSpec.Channel.ContextQuery, _Mapping]]] = ..., artifact_query: _Optional[_Union[InputSpec.Channel.ArtifactQuery, _Mapping]] = ..., output_key: _Optional[str] = ..., metadata_connection_config: _Optional[_Union[_any_pb2.Any, _Mapping]] = ...) -> None: ...
    class Static(_message.Message):
        __slots__ = ("artifact_ids",)
        ARTIFACT_IDS_FIELD_NUMBER: _ClassVar[int]
        artifact_ids: _containers.RepeatedScalarFieldContainer[int]
        def __init__(self, artifact_ids: _Optional[_Iterable[int]] = ...) -> None: ...
    class InputGraphRef(_message.Message):
        __slots__ = ("graph_id", "key")
        GRAPH_ID_FIELD_NUMBER: _ClassVar[int]
        KEY_FIELD_NUMBER: _ClassVar[int]
        graph_id: str
        key: str
        def __init__(self, graph_id: _Optional[str] = ..., key: _Optional[str] = ...) -> None: ...
    class Mixed(_message.Message):
        __slots__ = ("method", "input_keys")
        class Method(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
            __slots__ = ()
            UNION: _ClassVar[InputSpec.Mixed.Method]
        UNION: InputSpec.Mixed.Method
        METHOD_FIELD_NUMBER: _ClassVar[int]
        INPUT_KEYS_FIELD_NUMBER: _ClassVar[int]
        method: InputSpec.Mixed.Method
        input_keys: _containers.RepeatedScalarFieldContainer[str]
        def __init__(self, method: _Optional[_Union[InputSpec.Mixed.Method, str]] = ..., input_keys: _Optional[_Iterable[str]] = ...) -> None: ...
    CHANNELS_FIELD_NUMBER: _ClassVar[int]
    INPUT_GRAPH_REF_FIELD_NUMBER: _ClassVar[int]
    MIXED_INPUTS_FIELD_NUMBER: _ClassVar[int]
    STATIC_INPUTS_FIELD_NUMBER: _ClassVar[int]
    MIN_COUNT_FIELD_NUMBER: _ClassVar[int]
    HIDDEN_FIELD_NUMBER: _ClassVar[int]
    channels: _containers.RepeatedCompositeFieldContainer[InputSpec.Channel]
    input_graph_ref: InputSpec.InputGraphRef
    mixed_inputs: InputSpec.Mixed
    static_inputs: InputSpec.Static
    min_count: int
    hidden: bool
    def __init__(self, channels: _Optional[_Iterable[_Union[InputSpec.Channel, _Mapping]]] = ..., input_graph_ref: _Optional[_Union[InputSpec.InputGraphRef, _Mapping]] = ..., mixed_inputs: _Optional[_Union[InputSpec.Mixed, _Mapping]] = ..., static_inputs: _Optional[_Union[InputSpec.Static, _Mapping]] = ..., min_count: _Optional[int] = ..., hidden: bool = ...) -> None: ...

class NodeInputs(_message.Message):
    __slots__ = ("inputs", "resolver_config", "input_graphs", "conditionals")
    class Conditional(_message.Message):
        __slots__ = ("placeholder_expression",)
        PLACEHOLDER_EXPRESSION_FIELD_NUMBER: _ClassVar[int]
        placeholder_expression: _placeholder_pb2.PlaceholderExpression
        def __init__(self, placeholder_expression: _Optional[_Union[_placeholder_pb2.PlaceholderExpression, _Mapping]] = ...) -> None: ...
    class InputsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: InputSpec
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[InputSpec, _Mapping]] = ...) -> None: ...
    class InputGraphsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: InputGraph
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[InputGraph, _Mapping]] = ...) -> None: ...
    class ConditionalsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: NodeInputs.Conditional
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[NodeInputs.Conditional, _Mapping]] = ...) -> None: ...
    INPUTS_FIELD_NUMBER: _ClassVar[int]
    RESOLVER_CONFIG_FIELD_NUMBER: _ClassVar[int]
    INPUT_GRAPHS_FIELD_NUMBER: _ClassVar[int]
    CONDITIONALS_FIELD_NUMBER: _ClassVar[int]
    inputs: _containers.MessageMap[str, InputSpec]
    resolver_config: ResolverConfig
    input_graphs: _containers.MessageMap[str, InputGraph]
    conditionals: _containers.MessageMap[str, NodeInputs.Conditional]
    def __init__(self, inputs: _Optional[_Mapping[str, InputSpec]] = ..., resolver_config: _Optional[_Union[ResolverConfig, _Mapping]] = ..., input_graphs: _Optional[_Mapping[str, InputGraph]] = ..., conditionals: _Optional[_Mapping[str, NodeInputs.Conditional]] = ...) -> None: ...

class OutputSpec(_message.Message):
    __slots__ = ("artifact_spec", "garbage_collection_policy")
    class ArtifactSpec(_message.Message):
        __slots__ = ("type", "additional_properties", "additional_custom_properties", "external_artifact_uris", "is_async")
        class AdditionalPropertiesEntry(_message.Message):
            __slots__ = ("key", "value")
            KEY_FIELD_NUMBER: _ClassVar[int]
            VALUE_FIELD_NUMBER: _ClassVar[int]
            key: str
            value: Value
            def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[Value, _Mapping]] = ...) -> None: ...
        class AdditionalCustomPropertiesEntry(_message.Message):
            __slots__ = ("key", "value")
            KEY_FIELD_NUMBER: _ClassVar[int]
            VALUE_FIELD_NUMBER: _ClassVar[int]
            key: str
            value: Value
            def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[Value, _Mapping]] = ...) -> None: ...
        TYPE_FIELD_NUMBER: _ClassVar[int]
        ADDITIONAL_PROPERTIES_FIELD_NUMBER: _ClassVar[int]
        ADDITIONAL_CUSTOM_PROPERTIES_FIELD_NUMBER: _ClassVar[int]
        EXTERNAL_ARTIFACT_URIS_FIELD_NUMBER: _ClassVar[int]
        IS_ASYNC_FIELD_NUMBER: _ClassVar[int]
        type: _metadata_store_pb2.ArtifactType
        additional_properties: _containers.MessageMap[str, Value]
        additional_custom_properties: _containers.MessageMap[str, Value]
        external_artifact_uris: _containers.RepeatedScalarFieldContainer[str]
        is_async: bool
        def __init__(self, type: _Optional[_Union[_metadata_store_pb2.ArtifactType, _Mapping]] = ..., additional_properties: _Optional[_Mapping[str, Value]] = ..., additional_custom_properties: _Optional[_Mapping[str, Value]] = ..., external_artifact_uris: _Optional[_Iterable[str]] = ..., is_async: bool = ...) -> None: ...
    ARTIFACT_SPEC_FIELD_NUMBER: _ClassVar[int]
    GARBAGE_COLLECTION_POLICY_FIELD_NUMBER: _ClassVar[int]
    artifact_spec: OutputSpec.ArtifactSpec
    garbage_collection_policy: _garbage_collection_policy_pb2.GarbageCollectionPolicy
    def __init__(self, artifact_spec: _Optional[_Union[OutputSpec.ArtifactSpec, _Mapping]] = ..., garbage_collection_policy: _Optional[_Union[_garbage_collection_policy_pb2.GarbageCollectionPolicy, _Mapping]] = ...) -> None: ...

class ExecutorSpec(_message.Message):
    __slots__ = ("python_class_executor_spec",)
    class PythonClassExecutorSpec(_message.Message):
        __slots__ = ("class_path",)
        CLASS_PATH_FIELD_NUMBER: _ClassVar[int]
        class_path: str
        def __init__(self, class_path: _Optional[str] = ...) -> None: ...
    PYTHON_CLASS_EXECUTOR_SPEC_FIELD_NUMBER: _ClassVar[int]
    python_class_executor_spec: ExecutorSpec.PythonClassExecutorSpec
    def __init__(self, python_class_executor_spec: _Optional[_Union[ExecutorSpec.PythonClassExecutorSpec, _Mapping]] = ...) -> None: ...

class ContextSpec(_message.Message):
    __slots__ = ("type", "name", "properties")
    class PropertiesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: Value
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[Value, _Mapping]] = ...) -> None: ...
    TYPE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PROPERTIES_FIELD_NUMBER: _ClassVar[int]
    type: _metadata_store_pb2.ContextType
    name: Value
    properties: _containers.MessageMap[str, Value]
    def __init__(self, type: _Optional[_Union[_metadata_store_pb2.ContextType, _Mapping]] = ..., name: _Optional[_Union[Value, _Mapping]] = ..., properties: _Optional[_Mapping[str, Value]] = ...) -> None: ...

class NodeInfo(_message.Message):
    __slots__ = ("type", "id")
    TYPE_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    type: _metadata_store_pb2.ExecutionType
    id: str
    def __init__(self, type: _Optional[_Union[_metadata_store_pb2.ExecutionType, _Mapping]] = ..., id: _Optional[str] = ...) -> None: ...

class NodeContexts(_message.Message):
    __slots__ = ("contexts",)
    CONTEXTS_FIELD_NUMBER: _ClassVar[int]
    contexts: _containers.RepeatedCompositeFieldContainer[ContextSpec]
    def __init__(self, contexts: _Optional[_Iterable[_Union[ContextSpec, _Mapping]]] = ...) -> None: ...

class NodeOutputs(_message.Message):
    __slots__ = ("outputs",)
    class OutputsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: OutputSpec
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[OutputSpec, _Mapping]] = ...) -> None: ...
    OUTPUTS_FIELD_NUMBER: _ClassVar[int]
    outputs: _containers.MessageMap[str, OutputSpec]
    def __init__(self, outputs: _Optional[_Mapping[str, OutputSpec]] = ...) -> None: ...

class NodeParameters(_message.Message):
    __slots__ = ("parameters",)
    class ParametersEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: Value
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[Value, _Mapping]] = ...) -> None: ...
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    parameters: _containers.MessageMap[str, Value]
    def __init__(self, parameters: _Optional[_Mapping[str, Value]] = ...) -> None: ...

class NodeExecutionOptions(_message.Message):
    __slots__ = ("caching_options", "run", "skip", "strategy", "node_success_optional", "max_execution_retries", "execution_timeout_sec", "reset_stateful_working_dir", "async_trigger", "resource_lifetime", "run_mode")
    class TriggerStrategy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        TRIGGER_STRATEGY_UNSPECIFIED: _ClassVar[NodeExecutionOptions.TriggerStrategy]
        ALL_UPSTREAM_NODES_SUCCEEDED: _ClassVar[NodeExecutionOptions.TriggerStrategy]
        ALL_UPSTREAM_NODES_COMPLETED: _ClassVar[NodeExecutionOptions.TriggerStrategy]
        LAZILY_ALL_UPSTREAM_NODES_SUCCEEDED: _ClassVar[NodeExecutionOptions.TriggerStrategy]
        LAZILY_ALL_UPSTREAM_NODES_COMPLETED: _ClassVar[NodeExecutionOptions.TriggerStrategy]
        LIFETIME_END_WHEN_SUBGRAPH_CANNOT_PROGRESS: _ClassVar[NodeExecutionOptions.TriggerStrategy]
    TRIGGER_STRATEGY_UNSPECIFIED: NodeExecutionOptions.TriggerStrategy
    ALL_UPSTREAM_NODES_SUCCEEDED: NodeExecutionOptions.TriggerStrategy
    ALL_UPSTREAM_NODES_COMPLETED: NodeExecutionOptions.TriggerStrategy
    LAZILY_ALL_UPSTREAM_NODES_SUCCEEDED: NodeExecutionOptions.TriggerStrategy
    LAZILY_ALL_UPSTREAM_NODES_COMPLETED: NodeExecutionOptions.TriggerStrategy
    LIFETIME_END_WHEN_SUBGRAPH_CANNOT_PROGRESS: NodeExecutionOptions.TriggerStrategy
    class RunMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        DEFAULT: _ClassVar[NodeExecutionOptions.RunMode]
        LAUNCH_ONLY: _ClassVar[NodeExecutionOptions.RunMode]
    DEFAULT: NodeExecutionOptions.RunMode
    LAUNCH_ONLY: NodeExecutionOptions.RunMode
    class CachingOptions(_message.Message):
        __slots__ = ("enable_cache",)
        ENABLE_CACHE_FIELD_NUMBER: _ClassVar[int]
        enable_cache: bool
        def __init__(self, enable_cache: bool = ...) -> None: ...
    class Run(_message.Message):
        __slots__ = ("perform_snapshot", "depends_on_snapshot")
        PERFORM_SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
        DEPENDS_ON_SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
        perform_snapshot: bool
        depends_on_snapshot: bool
        def __init__(self, perform_snapshot: bool = ..., depends_on_snapshot: bool = ...) -> None: ...
    class Skip(_message.Message):
        __slots__ = ("reuse_artifacts", "reuse_artifacts_mode")
        class ReuseArtifactsMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
            __slots__ = ()
            UNSPECIFIED: _ClassVar[NodeExecutionOptions.Skip.ReuseArtifactsMode]
            NEVER: _ClassVar[NodeExecutionOptions.Skip.ReuseArtifactsMode]
            REQUIRED: _ClassVar[NodeExecutionOptions.Skip.ReuseArtifactsMode]
            OPTIONAL: _ClassVar[NodeExecutionOptions.Skip.ReuseArtifactsMode]
        UNSPECIFIED: NodeExecutionOptions.Skip.ReuseArtifactsMode
        NEVER: NodeExecutionOptions.Skip.ReuseArtifactsMode
        REQUIRED: NodeExecutionOptions.Skip.ReuseArtifactsMode
        OPTIONAL: NodeExecutionOptions.Skip.ReuseArtifactsMode
        REUSE_ARTIFACTS_FIELD_NUMBER: _ClassVar[int]
        REUSE_ARTIFACTS_MODE_FIELD_NUMBER: _ClassVar[int]
        reuse_artifacts: bool
        reuse_artifacts_mode: NodeExecutionOptions.Skip.ReuseArtifactsMode
        def __init__(self, reuse_artifacts: bool = ..., reuse_artifacts_mode: _Optional[_Union[NodeExecutionOptions.Skip.ReuseArtifactsMode, str]] = ...) -> None: ...
    class AsyncTrigger(_message.Message):
        __slots__ = ("input_triggers",)
        class InputTrigger(_message.Message):
            __slots__ = ("no_trigger", "trigger_by_property")
            class TriggerByProperty(_message.Message):
                __slots__ = ("property_keys",)
                PROPERTY_KEYS_FIELD_NUMBER: _ClassVar[int]
                property_keys: _containers.RepeatedScalarFieldContainer[str]
                def __init__(self, property_keys: _Optional[_Iterable[str]] = ...) -> None: ...
            NO_TRIGGER_FIELD_NUMBER: _ClassVar[int]
            TRIGGER_BY_PROPERTY_FIELD_NUMBER: _ClassVar[int]
            no_trigger: bool
            trigger_by_property: NodeExecutionOptions.AsyncTrigger.InputTrigger.TriggerByProperty
            def __init__(self, no_trigger: bool = ..., trigger_by_property: _Optional[_Union[NodeExecutionOptions.AsyncTrigger.InputTrigger.TriggerByProperty, _Mapping]] = ...) -> None: ...
        class InputTriggersEntry(_message.Message):
            __slots__ = ("key", "value")
            KEY_FIELD_NUMBER: _ClassVar[int]
            VALUE_FIELD_NUMBER: _ClassVar[int]
            key: str
            value: NodeExecutionOptions.AsyncTrigger.InputTrigger
            def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[NodeExecutionOptions.AsyncTrigger.InputTrigger, _Mapping]] = ...) -> None: ...
        INPUT_TRIGGERS_FIELD_NUMBER: _ClassVar[int]
        input_triggers: _containers.MessageMap[str, NodeExecutionOptions.AsyncTrigger.InputTrigger]
        def __init__(self, input_triggers: _Optional[_Mapping[str, NodeExecutionOptions.AsyncTrigger.InputTrigger]] = ...) -> None: ...
    class ResourceLifetime(_message.Message):
        __slots__ = ("lifetime_start",)
        LIFETIME_START_FIELD_NUMBER: _ClassVar[int]
        lifetime_start: str
        def __init__(self, lifetime_start: _Optional[str] = ...) -> None: ...
    CACHING_OPTIONS_FIELD_NUMBER: _ClassVar[int]
    RUN_FIELD_NUMBER: _ClassVar[int]
    SKIP_FIELD_NUMBER: _ClassVar[int]
    STRATEGY_FIELD_NUMBER: _ClassVar[int]
    NODE_SUCCESS_OPTIONAL_FIELD_NUMBER: _ClassVar[int]
    MAX_EXECUTION_RETRIES_FIELD_NUMBER: _ClassVar[int]
    EXECUTION_TIMEOUT_SEC_FIELD_NUMBER: _ClassVar[int]
    RESET_STATEFUL_WORKING_DIR_FIELD_NUMBER: _ClassVar[int]
    ASYNC_TRIGGER_FIELD_NUMBER: _ClassVar[int]
    RESOURCE_LIFETIME_FIELD_NUMBER: _ClassVar[int]
    RUN_MODE_FIELD_NUMBER: _ClassVar[int]
    caching_options: NodeExecutionOptions.CachingOptions
    run: NodeExecutionOptions.Run
    skip: NodeExecutionOptions.Skip
    strategy: NodeExecutionOptions.TriggerStrategy
    node_success_optional: bool
    max_execution_retries: int
    execution_timeout_sec: int
    reset_stateful_working_dir: bool
    async_trigger: NodeExecutionOptions.AsyncTrigger
    resource_lifetime: NodeExecutionOptions.ResourceLifetime
    run_mode: NodeExecutionOptions.RunMode
    def __init__(self, caching_options: _Optional[_Union[NodeExecutionOptions.CachingOptions, _Mapping]] = ..., run: _Optional[_Union[NodeExecutionOptions.Run, _Mapping]] = ..., skip: _Optional[_Union[NodeExecutionOptions.Skip, _Mapping]] = ..., strategy: _Optional[_Union[NodeExecutionOptions.TriggerStrategy, str]] = ..., node_success_optional: bool = ..., max_execution_retries: _Optional[int] = ..., execution_timeout_sec: _Optional[int] = ..., reset_stateful_working_dir: bool = ..., async_trigger: _Optional[_Union[NodeExecutionOptions.AsyncTrigger, _Mapping]] = ..., resource_lifetime: _Optional[_Union[NodeExecutionOptions.ResourceLifetime, _Mapping]] = ..., run_mode: _Optional[_Union[NodeExecutionOptions.RunMode, str]] = ...) -> None: ...

class PipelineNode(_message.Message):
    __slots__ = ("node_info", "contexts", "inputs", "outputs", "parameters", "executor", "upstream_nodes", "downstream_nodes", "execution_options")
    NODE_INFO_FIELD_NUMBER: _ClassVar[int]
    CONTEXTS_FIELD_NUMBER: _ClassVar[int]
    INPUTS_FIELD_NUMBER: _ClassVar[int]
    OUTPUTS_FIELD_NUMBER: _ClassVar[int]
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    EXECUTOR_FIELD_NUMBER: _ClassVar[int]
    UPSTREAM_NODES_FIELD_NUMBER: _ClassVar[int]
    DOWNSTREAM_NODES_FIELD_NUMBER: _ClassVar[int]
    EXECUTION_OPTIONS_FIELD_NUMBER: _ClassVar[int]
    node_info: NodeInfo
    contexts: NodeContexts
    inputs: NodeInputs
    outputs: NodeOutputs
    parameters: NodeParameters
    executor: ExecutorSpec
    upstream_nodes: _containers.RepeatedScalarFieldContainer[str]
    downstream_nodes: _containers.RepeatedScalarFieldContainer[str]
    execution_options: NodeExecutionOptions
    def __init__(self, node_info: _Optional[_Union[NodeInfo, _Mapping]] = ..., contexts: _Optional[_Union[NodeContexts, _Mapping]] = ..., inputs: _Optional[_Union[NodeInputs, _Mapping]] = ..., outputs: _Optional[_Union[NodeOutputs, _Mapping]] = ..., parameters: _Optional[_Union[NodeParameters, _Mapping]] = ..., executor: _Optional[_Union[ExecutorSpec, _Mapping]] = ..., upstream_nodes: _Optional[_Iterable[str]] = ..., downstream_nodes: _Optional[_Iterable[str]] = ..., execution_options: _Optional[_Union[NodeExecutionOptions, _Mapping]] = ...) -> None: ...

class SnapshotSettings(_message.Message):
    __slots__ = ("latest_pipeline_run_strategy", "base_pipeline_run_strategy")
    class LatestPipelineRunStrategy(_message.Message):
        __slots__ = ()
        def __init__(self) -> None: ...
    class BasePipelineRunStrategy(_message.Message):
        __slots__ = ("base_run_id",)
        BASE_RUN_ID_FIELD_NUMBER: _ClassVar[int]
        base_run_id: str
        def __init__(self, base_run_id: _Optional[str] = ...) -> None: ...
    LATEST_PIPELINE_RUN_STRATEGY_FIELD_NUMBER: _ClassVar[int]
    BASE_PIPELINE_RUN_STRATEGY_FIELD_NUMBER: _ClassVar[int]
    latest_pipeline_run_strategy: SnapshotSettings.LatestPipelineRunStrategy
    base_pipeline_run_strategy: SnapshotSettings.BasePipelineRunStrategy
    def __init__(self, latest_pipeline_run_strategy: _Optional[_Union[SnapshotSettings.LatestPipelineRunStrategy, _Mapping]] = ..., base_pipeline_run_strategy: _Optional[_Union[SnapshotSettings.BasePipelineRunStrategy, _Mapping]] = ...) -> None: ...

class PipelineRuntimeSpec(_message.Message):
    __slots__ = ("pipeline_root", "pipeline_run_id", "top_level_pipeline_run_id", "frontend_url", "snapshot_settings")
    PIPELINE_ROOT_FIELD_NUMBER: _ClassVar[int]
    PIPELINE_RUN_ID_FIELD_NUMBER: _ClassVar[int]
    TOP_LEVEL_PIPELINE_RUN_ID_FIELD_NUMBER: _ClassVar[int]
    FRONTEND_URL_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_SETTINGS_FIELD_NUMBER: _ClassVar[int]
    pipeline_root: Value
    pipeline_run_id: Value
    top_level_pipeline_run_id: str
    frontend_url: str
    snapshot_settings: SnapshotSettings
    def __init__(self, pipeline_root: _Optional[_Union[Value, _Mapping]] = ..., pipeline_run_id: _Optional[_Union[Value, _Mapping]] = ..., top_level_pipeline_run_id: _Optional[str] = ..., frontend_url: _Optional[str] = ..., snapshot_settings: _Optional[_Union[SnapshotSettings, _Mapping]] = ...) -> None: ...

class PipelineInfo(_message.Message):
    __slots__ = ("id", "parent_ids")
    ID_FIELD_NUMBER: _ClassVar[int]
    PARENT_IDS_FIELD_NUMBER: _ClassVar[int]
    id: str
    parent_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, id: _Optional[str] = ..., parent_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class Pipeline(_message.Message):
    __slots__ = ("pipeline_info", "nodes", "runtime_spec", "execution_mode", "platform_configs", "deployment_config", "sdk_version")
    class ExecutionMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        EXECUTION_MODE_UNSPECIFIED: _ClassVar[Pipeline.ExecutionMode]
        SYNC: _ClassVar[Pipeline.ExecutionMode]
        ASYNC: _ClassVar[Pipeline.ExecutionMode]
    EXECUTION_MODE_UNSPECIFIED: Pipeline.ExecutionMode
    SYNC: Pipeline.ExecutionMode
    ASYNC: Pipeline.ExecutionMode
    class PipelineOrNode(_message.Message):
        __slots__ = ("pipeline_node", "sub_pipeline")
        PIPELINE_NODE_FIELD_NUMBER: _ClassVar[int]
        SUB_PIPELINE_FIELD_NUMBER: _ClassVar[int]
        pipeline_node: PipelineNode
        sub_pipeline: Pipeline
        def __init__(self, pipeline_node: _Optional[_Union[PipelineNode, _Mapping]] = ..., sub_pipeline: _Optional[_Union[Pipeline, _Mapping]] = ...) -> None: ...
    class PlatformConfigsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _any_pb2.Any
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_any_pb2.Any, _Mapping]] = ...) -> None: ...
    PIPELINE_INFO_FIELD_NUMBER: _ClassVar[int]
    NODES_FIELD_NUMBER: _ClassVar[int]
    RUNTIME_SPEC_FIELD_NUMBER: _ClassVar[int]
    EXECUTION_MODE_FIELD_NUMBER: _ClassVar[int]
    PLATFORM_CONFIGS_FIELD_NUMBER: _ClassVar[int]
    DEPLOYMENT_CONFIG_FIELD_NUMBER: _ClassVar[int]
    SDK_VERSION_FIELD_NUMBER: _ClassVar[int]
    pipeline_info: PipelineInfo
    nodes: _containers.RepeatedCompositeFieldContainer[Pipeline.PipelineOrNode]
    runtime_spec: PipelineRuntimeSpec
    execution_mode: Pipeline.ExecutionMode
    platform_configs: _containers.MessageMap[str, _any_pb2.Any]
    deployment_config: _any_pb2.Any
    sdk_version: str
    def __init__(self, pipeline_info: _Optional[_Union[PipelineInfo, _Mapping]] = ..., nodes: _Optional[_Iterable[_Union[Pipeline.PipelineOrNode, _Mapping]]] = ..., runtime_spec: _Optional[_Union[PipelineRuntimeSpec, _Mapping]] = ..., execution_mode: _Optional[_Union[Pipeline.ExecutionMode, str]] = ..., platform_configs: _Optional[_Mapping[str, _any_pb2.Any]] = ..., deployment_config: _Optional[_Union[_any_pb2.Any, _Mapping]] = ..., sdk_version: _Optional[str] = ...) -> None: ...

class IntermediateDeploymentConfig(_message.Message):
    __slots__ = ("executor_specs", "custom_driver_specs", "node_level_platform_configs", "pipeline_level_platform_config", "metadata_connection_config")
    class ExecutorSpecsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _any_pb2.Any
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_any_pb2.Any, _Mapping]] = ...) -> None: ...
    class CustomDriverSpecsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _any_pb2.Any
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_any_pb2.Any, _Mapping]] = ...) -> None: ...
    class NodeLevelPlatformConfigsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _any_pb2.Any
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_any_pb2.Any, _Mapping]] = ...) -> None: ...
    EXECUTOR_SPECS_FIELD_NUMBER: _ClassVar[int]
    CUSTOM_DRIVER_SPECS_FIELD_NUMBER: _ClassVar[int]
    NODE_LEVEL_PLATFORM_CONFIGS_FIELD_NUMBER: _ClassVar[int]
    PIPELINE_LEVEL_PLATFORM_CONFIG_FIELD_NUMBER: _ClassVar[int]
    METADATA_CONNECTION_CONFIG_FIELD_NUMBER: _ClassVar[int]
    executor_specs: _containers.MessageMap[str, _any_pb2.Any]
    custom_driver_specs: _containers.MessageMap[str, _any_pb2.Any]
    node_level_platform_configs: _containers.MessageMap[str, _any_pb2.Any]
    pipeline_level_platform_config: _any_pb2.Any
    metadata_connection_config: _any_pb2.Any
    def __init__(self, executor_specs: _Optional[_Mapping[str, _any_pb2.Any]] = ..., custom_driver_specs: _Optional[_Mapping[str, _any_pb2.Any]] = ..., node_level_platform_configs: _Optional[_Mapping[str, _any_pb2.Any]] = ..., pipeline_level_platform_config: _Optional[_Union[_any_pb2.Any, _Mapping]] = ..., metadata_connection_config: _Optional[_Union[_any_pb2.Any, _Mapping]] = ...) -> None: ...

class PartialRun(_message.Message):
    __slots__ = ("from_nodes", "to_nodes", "skip_nodes", "snapshot_settings")
    FROM_NODES_FIELD_NUMBER: _ClassVar[int]
    TO_NODES_FIELD_NUMBER: _ClassVar[int]
    SKIP_NODES_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_SETTINGS_FIELD_NUMBER: _ClassVar[int]
    from_nodes: _containers.RepeatedScalarFieldContainer[str]
    to_nodes: _containers.RepeatedScalarFieldContainer[str]
    skip_nodes: _containers.RepeatedScalarFieldContainer[str]
    snapshot_settings: SnapshotSettings
    def __init__(self, from_nodes: _Optional[_Iterable[str]] = ..., to_nodes: _Optional[_Iterable[str]] = ..., skip_nodes: _Optional[_Iterable[str]] = ..., snapshot_settings: _Optional[_Union[SnapshotSettings, _Mapping]] = ...) -> None: ...

class RunOptions(_message.Message):
    __slots__ = ("partial_run",)
    PARTIAL_RUN_FIELD_NUMBER: _ClassVar[int]
    partial_run: PartialRun
    def __init__(self, partial_run: _Optional[_Union[PartialRun, _Mapping]] = ...) -> None: ...

class UpdateOptions(_message.Message):
    __slots__ = ("reload_policy", "reload_nodes")
    class ReloadPolicy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        ALL: _ClassVar[UpdateOptions.ReloadPolicy]
        PARTIAL: _ClassVar[UpdateOptions.ReloadPolicy]
    ALL: UpdateOptions.ReloadPolicy
    PARTIAL: UpdateOptions.ReloadPolicy
    RELOAD_POLICY_FIELD_NUMBER: _ClassVar[int]
    RELOAD_NODES_FIELD_NUMBER: _ClassVar[int]
    reload_policy: UpdateOptions.ReloadPolicy
    reload_nodes: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, reload_policy: _Optional[_Union[UpdateOptions.ReloadPolicy, str]] = ..., reload_nodes: _Optional[_Iterable[str]] = ...) -> None: ...
