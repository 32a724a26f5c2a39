from trainwright.proto.mlmd import metadata_store_pb2 as _metadata_store_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DriverOutput(_message.Message):
    __slots__ = ("output_artifacts", "exec_properties")
    class ArtifactList(_message.Message):
        __slots__ = ("artifacts",)
        ARTIFACTS_FIELD_NUMBER: _ClassVar[int]
        artifacts: _containers.RepeatedCompositeFieldContainer[_metadata_store_pb2.Artifact]
        def __init__(self, artifacts: _Optional[_Iterable[_Union[_metadata_store_pb2.Artifact, _Mapping]]] = ...) -> None: ...
    class OutputArtifactsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: DriverOutput.ArtifactList
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[DriverOutput.ArtifactList, _Mapping]] = ...) -> None: ...
    class ExecPropertiesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _metadata_store_pb2.Value
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_metadata_store_pb2.Value, _Mapping]] = ...) -> None: ...
    OUTPUT_ARTIFACTS_FIELD_NUMBER: _ClassVar[int]
    EXEC_PROPERTIES_FIELD_NUMBER: _ClassVar[int]
    output_artifacts: _containers.MessageMap[str, DriverOutput.ArtifactList]
    exec_properties: _containers.MessageMap[str, _metadata_store_pb2.Value]
    def __init__(self, output_artifacts: _Optional[_Mapping[str, DriverOutput.ArtifactList]] = ..., exec_properties: _Optional[_Mapping[str, _metadata_store_pb2.Value]] = ...) -> None: ...
