from trainwright.proto.mlmd import metadata_store_pb2 as _metadata_store_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ArtifactAndType(_message.Message):
    __slots__ = ("artifact", "type")
    ARTIFACT_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    artifact: _metadata_store_pb2.Artifact
    type: _metadata_store_pb2.ArtifactType
    def __init__(self, artifact: _Optional[_Union[_metadata_store_pb2.Artifact, _Mapping]] = ..., type: _Optional[_Union[_metadata_store_pb2.ArtifactType, _Mapping]] = ...) -> None: ...

class ArtifactStructMap(_message.Message):
    __slots__ = ("properties",)
    class PropertiesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: ArtifactStruct
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[ArtifactStruct, _Mapping]] = ...) -> None: ...
    PROPERTIES_FIELD_NUMBER: _ClassVar[int]
    properties: _containers.MessageMap[str, ArtifactStruct]
    def __init__(self, properties: _Optional[_Mapping[str, ArtifactStruct]] = ...) -> None: ...

class ArtifactStructList(_message.Message):
    __slots__ = ("elements",)
    ELEMENTS_FIELD_NUMBER: _ClassVar[int]
    elements: _containers.RepeatedCompositeFieldContainer[ArtifactStruct]
    def __init__(self, elements: _Optional[_Iterable[_Union[ArtifactStruct, _Mapping]]] = ...) -> None: ...

class ArtifactStruct(_message.Message):
    __slots__ = ("artifact", "map", "list")
    ARTIFACT_FIELD_NUMBER: _ClassVar[int]
    MAP_FIELD_NUMBER: _ClassVar[int]
    LIST_FIELD_NUMBER: _ClassVar[int]
    artifact: ArtifactAndType
    map: ArtifactStructMap
    list: ArtifactStructList
    def __init__(self, artifact: _Optional[_Union[ArtifactAndType, _Mapping]] = ..., map: _Optional[_Union[ArtifactStructMap, _Mapping]] = ..., list: _Optional[_Union[ArtifactStructList, _Mapping]] = ...) -> None: ...
