from trainwright.proto.mlmd import metadata_store_pb2 as _metadata_store_pb2
from trainwright.proto.mlmd import metadata_store_service_pb2 as _metadata_store_service_pb2
from trainwright.proto.orchestration import pipeline_pb2 as _pipeline_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ExecutionInvocation(_message.Message):
    __slots__ = ("execution_properties", "execution_properties_with_schema", "output_metadata_uri", "input_dict", "output_dict", "stateful_working_dir", "tmp_dir", "pipeline_info", "pipeline_node", "execution_id", "pipeline_run_id", "top_level_pipeline_run_id", "frontend_url", "extra_flags")
    class ExecutionPropertiesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _metadata_store_pb2.Value
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_metadata_store_pb2.Value, _Mapping]] = ...) -> None: ...
    class ExecutionPropertiesWithSchemaEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _pipeline_pb2.Value
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_pipeline_pb2.Value, _Mapping]] = ...) -> None: ...
    class InputDictEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _metadata_store_service_pb2.ArtifactStructList
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_metadata_store_service_pb2.ArtifactStructList, _Mapping]] = ...) -> None: ...
    class OutputDictEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _metadata_store_service_pb2.ArtifactStructList
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_metadata_store_service_pb2.ArtifactStructList, _Mapping]] = ...) -> None: ...
    class ExtraFlagsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    EXECUTION_PROPERTIES_FIELD_NUMBER: _ClassVar[int]
    EXECUTION_PROPERTIES_WITH_SCHEMA_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_METADATA_URI_FIELD_NUMBER: _ClassVar[int]
    INPUT_DICT_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_DICT_FIELD_NUMBER: _ClassVar[int]
    STATEFUL_WORKING_DIR_FIELD_NUMBER: _ClassVar[int]
    TMP_DIR_FIELD_NUMBER: _ClassVar[int]
    PIPELINE_INFO_FIELD_NUMBER: _ClassVar[int]
    PIPELINE_NODE_FIELD_NUMBER: _ClassVar[int]
    EXECUTION_ID_FIELD_NUMBER: _ClassVar[int]
    PIPELINE_RUN_ID_FIELD_NUMBER: _ClassVar[int]
    TOP_LEVEL_PIPELINE_RUN_ID_FIELD_NUMBER: _ClassVar[int]
    FRONTEND_URL_FIELD_NUMBER: _ClassVar[int]
    EXTRA_FLAGS_FIELD_NUMBER: _ClassVar[int]
    execution_properties: _containers.MessageMap[str, _metadata_store_pb2.Value]
    execution_properties_with_schema: _containers.MessageMap[str, _pipeline_pb2.Value]
    output_metadata_uri: str
    input_dict: _containers.MessageMap[str, _metadata_store_service_pb2.ArtifactStructList]
    output_dict: _containers.MessageMap[str, _metadata_store_service_pb2.ArtifactStructList]
    stateful_working_dir: str
    tmp_dir: str
    pipeline_info: _pipeline_pb2.PipelineInfo
    pipeline_node: _pipeline_pb2.PipelineNode
    execution_id: int
    pipeline_run_id: str
    top_level_pipeline_run_id: str
    frontend_url: str
    extra_flags: _containers.ScalarMap[str, str]
    def __init__(self, execution_properties: _Optional[_Mapping[str, _metadata_store_pb2.Value]] = ..., execution_properties_with_schema: _Optional[_Mapping[str, _pipeline_pb2.Value]] = ..., output_metadata_uri: _Optional[str] = ..., input_dict: _Optional[_Mapping[str, _metadata_store_service_pb2.ArtifactStructList]] = ..., output_dict: _Optional[_Mapping[str, _metadata_store_service_pb2.ArtifactStructList]] = ..., stateful_working_dir: _Optional[str] = ..., tmp_dir: _Optional[str] = ..., pipeline_info: _Optional[_Union[_pipeline_pb2.PipelineInfo, _Mapping]] = ..., pipeline_node: _Optional[_Union[_pipeline_pb2.PipelineNode, _Mapping]] = ..., execution_id: _Optional[int] = ..., pipeline_run_id: _Optional[str] = ..., top_level_pipeline_run_id: _Optional[str] = ..., frontend_url: _Optional[str] = ..., extra_flags: _Optional[_Mapping[str, str]] = ...) -> None: ...
