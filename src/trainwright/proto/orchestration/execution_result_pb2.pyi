from google.protobuf import any_pb2 as _any_pb2
from trainwright.proto.mlmd import metadata_store_pb2 as _metadata_store_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ExecutionResult(_message.Message):
    __slots__ = ("code", "result_message", "metadata_details")
    CODE_FIELD_NUMBER: _ClassVar[int]
    RESULT_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    METADATA_DETAILS_FIELD_NUMBER: _ClassVar[int]
    code: int
    result_message: str
    metadata_details: _containers.RepeatedCompositeFieldContainer[_any_pb2.Any]
    def __init__(self, code: _Optional[int] = ..., result_message: _Optional[str] = ..., metadata_details: _Optional[_Iterable[_Union[_any_pb2.Any, _Mapping]]] = ...) -> None: ...

class ExecutorOutput(_message.Message):
    __slots__ = ("execution_properties", "output_artifacts", "execution_result")
    class ArtifactList(_message.Message):
        __slots__ = ("artifacts",)
        ARTIFACTS_FIELD_NUMBER: _ClassVar[int]
        artifacts: _containers.RepeatedCompositeFieldContainer[_metadata_store_pb2.Artifact]
        def __init__(self, artifacts: _Optional[_Iterable[_Union[_metadata_store_pb2.Artifact, _Mapping]]] = ...) -> None: ...
    class ExecutionPropertiesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _metadata_store_pb2.Value
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_metadata_store_pb2.Value, _Mapping]] = ...) -> None: ...
    class OutputArtifactsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: ExecutorOutput.ArtifactList
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[ExecutorOutput.ArtifactList, _Mapping]] = ...) -> None: ...
    EXECUTION_PROPERTIES_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_ARTIFACTS_FIELD_NUMBER: _ClassVar[int]
    EXECUTION_RESULT_FIELD_NUMBER: _ClassVar[int]
    execution_properties: _containers.MessageMap[str, _metadata_store_pb2.Value]
    output_artifacts: _containers.MessageMap[str, ExecutorOutput.ArtifactList]
    execution_result: ExecutionResult
    def __init__(self, execution_properties: _Optional[_Mapping[str, _metadata_store_pb2.Value]] = ..., output_artifacts: _Optional[_Mapping[str, ExecutorOutput.ArtifactList]] = ..., execution_result: _Optional[_Union[ExecutionResult, _Mapping]] = ...) -> None: ...
