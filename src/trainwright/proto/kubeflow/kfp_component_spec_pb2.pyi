from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class StringOrPlaceholder(_message.Message):
    __slots__ = ("constantValue", "inputValue", "inputPath", "outputPath")
    CONSTANTVALUE_FIELD_NUMBER: _ClassVar[int]
    INPUTVALUE_FIELD_NUMBER: _ClassVar[int]
    INPUTPATH_FIELD_NUMBER: _ClassVar[int]
    OUTPUTPATH_FIELD_NUMBER: _ClassVar[int]
    constantValue: str
    inputValue: str
    inputPath: str
    outputPath: str
    def __init__(self, constantValue: _Optional[str] = ..., inputValue: _Optional[str] = ..., inputPath: _Optional[str] = ..., outputPath: _Optional[str] = ...) -> None: ...

class ContainerImplementation(_message.Message):
    __slots__ = ("container",)
    class ContainerSpec(_message.Message):
        __slots__ = ("image", "command", "args", "env", "file_outputs")
        class EnvEntry(_message.Message):
            __slots__ = ("key", "value")
            KEY_FIELD_NUMBER: _ClassVar[int]
            VALUE_FIELD_NUMBER: _ClassVar[int]
            key: str
            value: str
            def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
        class FileOutputsEntry(_message.Message):
            __slots__ = ("key", "value")
            KEY_FIELD_NUMBER: _ClassVar[int]
            VALUE_FIELD_NUMBER: _ClassVar[int]
            key: str
            value: str
            def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
        IMAGE_FIELD_NUMBER: _ClassVar[int]
        COMMAND_FIELD_NUMBER: _ClassVar[int]
        ARGS_FIELD_NUMBER: _ClassVar[int]
        ENV_FIELD_NUMBER: _ClassVar[int]
        FILE_OUTPUTS_FIELD_NUMBER: _ClassVar[int]
        image: str
        command: _containers.RepeatedCompositeFieldContainer[StringOrPlaceholder]
        args: _containers.RepeatedCompositeFieldContainer[StringOrPlaceholder]
        env: _containers.ScalarMap[str, str]
        file_outputs: _containers.ScalarMap[str, str]
        def __init__(self, image: _Optional[str] = ..., command: _Optional[_Iterable[_Union[StringOrPlaceholder, _Mapping]]] = ..., args: _Optional[_Iterable[_Union[StringOrPlaceholder, _Mapping]]] = ..., env: _Optional[_Mapping[str, str]] = ..., file_outputs: _Optional[_Mapping[str, str]] = ...) -> None: ...
    CONTAINER_FIELD_NUMBER: _ClassVar[int]
    container: ContainerImplementation.ContainerSpec
    def __init__(self, container: _Optional[_Union[ContainerImplementation.ContainerSpec, _Mapping]] = ...) -> None: ...

class ComponentSpec(_message.Message):
    __slots__ = ("name", "description", "inputs", "outputs", "implementation", "version", "metadata")
    class InputSpec(_message.Message):
        __slots__ = ("name", "type", "description", "default", "optional")
        NAME_FIELD_NUMBER: _ClassVar[int]
        TYPE_FIELD_NUMBER: _ClassVar[int]
        DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
        DEFAULT_FIELD_NUMBER: _ClassVar[int]
        OPTIONAL_FIELD_NUMBER: _ClassVar[int]
        name: str
        type: str
        description: str
        default: str
        optional: bool
        def __init__(self, name: _Optional[str] = ..., type: _Optional[str] = ..., description: _Optional[str] = ..., default: _Optional[str] = ..., optional: bool = ...) -> None: ...
    class OutputSpec(_message.Message):
        __slots__ = ("name", "type", "description")
        NAME_FIELD_NUMBER: _ClassVar[int]
        TYPE_FIELD_NUMBER: _ClassVar[int]
        DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
        name: str
        type: str
        description: str
        def __init__(self, name: _Optional[str] = ..., type: _Optional[str] = ..., description: _Optional[str] = ...) -> None: ...
    class MetadataSpec(_message.Message):
        __slots__ = ("annotations", "labels")
        class AnnotationsEntry(_message.Message):
            __slots__ = ("key", "value")
            KEY_FIELD_NUMBER: _ClassVar[int]
            VALUE_FIELD_NUMBER: _ClassVar[int]
            key: str
            value: str
            def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
        class LabelsEntry(_message.Message):
            __slots__ = ("key", "value")
            KEY_FIELD_NUMBER: _ClassVar[int]
            VALUE_FIELD_NUMBER: _ClassVar[int]
            key: str
            value: str
            def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
        ANNOTATIONS_FIELD_NUMBER: _ClassVar[int]
        LABELS_FIELD_NUMBER: _ClassVar[int]
        annotations: _containers.ScalarMap[str, str]
        labels: _containers.ScalarMap[str, str]
        def __init__(self, annotations: _Optional[_Mapping[str, str]] = ..., labels: _Optional[_Mapping[str, str]] = ...) -> None: ...
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    INPUTS_FIELD_NUMBER: _ClassVar[int]
    OUTPUTS_FIELD_NUMBER: _ClassVar[int]
    IMPLEMENTATION_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    METADATA_FIELD_NUMBER: _ClassVar[int]
    name: str
    description: str
    inputs: _containers.RepeatedCompositeFieldContainer[ComponentSpec.InputSpec]
    outputs: _containers.RepeatedCompositeFieldContainer[ComponentSpec.OutputSpec]
    implementation: ContainerImplementation
    version: str
    metadata: ComponentSpec.MetadataSpec
    def __init__(self, name: _Optional[str] = ..., description: _Optional[str] = ..., inputs: _Optional[_Iterable[_Union[ComponentSpec.InputSpec, _Mapping]]] = ..., outputs: _Optional[_Iterable[_Union[ComponentSpec.OutputSpec, _Mapping]]] = ..., implementation: _Optional[_Union[ContainerImplementation, _Mapping]] = ..., version: _Optional[str] = ..., metadata: _Optional[_Union[ComponentSpec.MetadataSpec, _Mapping]] = ...) -> None: ...
