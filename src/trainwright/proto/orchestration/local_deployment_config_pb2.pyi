from trainwright.proto.orchestration import executable_spec_pb2 as _executable_spec_pb2
from trainwright.proto.orchestration import metadata_pb2 as _metadata_pb2
from trainwright.proto.orchestration import platform_config_pb2 as _platform_config_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ExecutableSpec(_message.Message):
    __slots__ = ("python_class_executable_spec", "container_executable_spec", "beam_executable_spec")
    PYTHON_CLASS_EXECUTABLE_SPEC_FIELD_NUMBER: _ClassVar[int]
    CONTAINER_EXECUTABLE_SPEC_FIELD_NUMBER: _ClassVar[int]
    BEAM_EXECUTABLE_SPEC_FIELD_NUMBER: _ClassVar[int]
    python_class_executable_spec: _executable_spec_pb2.PythonClassExecutableSpec
    container_executable_spec: _executable_spec_pb2.ContainerExecutableSpec
    beam_executable_spec: _executable_spec_pb2.BeamExecutableSpec
    def __init__(self, python_class_executable_spec: _Optional[_Union[_executable_spec_pb2.PythonClassExecutableSpec, _Mapping]] = ..., container_executable_spec: _Optional[_Union[_executable_spec_pb2.ContainerExecutableSpec, _Mapping]] = ..., beam_executable_spec: _Optional[_Union[_executable_spec_pb2.BeamExecutableSpec, _Mapping]] = ...) -> None: ...

class LocalPlatformConfig(_message.Message):
    __slots__ = ("docker_platform_config",)
    DOCKER_PLATFORM_CONFIG_FIELD_NUMBER: _ClassVar[int]
    docker_platform_config: _platform_config_pb2.DockerPlatformConfig
    def __init__(self, docker_platform_config: _Optional[_Union[_platform_config_pb2.DockerPlatformConfig, _Mapping]] = ...) -> None: ...

class LocalDeploymentConfig(_message.Message):
    __slots__ = ("executor_specs", "custom_driver_specs", "metadata_connection_config", "node_level_platform_configs")
    class ExecutorSpecsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: ExecutableSpec
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[ExecutableSpec, _Mapping]] = ...) -> None: ...
    class CustomDriverSpecsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: ExecutableSpec
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[ExecutableSpec, _Mapping]] = ...) -> None: ...
    class NodeLevelPlatformConfigsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: LocalPlatformConfig
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[LocalPlatformConfig, _Mapping]] = ...) -> None: ...
    EXECUTOR_SPECS_FIELD_NUMBER: _ClassVar[int]
    CUSTOM_DRIVER_SPECS_FIELD_NUMBER: _ClassVar[int]
    METADATA_CONNECTION_CONFIG_FIELD_NUMBER: _ClassVar[int]
    NODE_LEVEL_PLATFORM_CONFIGS_FIELD_NUMBER: _ClassVar[int]
    executor_specs: _containers.MessageMap[str, ExecutableSpec]
    custom_driver_specs: _containers.MessageMap[str, ExecutableSpec]
    metadata_connection_config: _metadata_pb2.MLMDConnectionConfig
    node_level_platform_configs: _containers.MessageMap[str, LocalPlatformConfig]
    def __init__(self, executor_specs: _Optional[_Mapping[str, ExecutableSpec]] = ..., custom_driver_specs: _Optional[_Mapping[str, ExecutableSpec]] = ..., metadata_connection_config: _Optional[_Union[_metadata_pb2.MLMDConnectionConfig, _Mapping]] = ..., node_level_platform_configs: _Optional[_Mapping[str, LocalPlatformConfig]] = ...) -> None: ...
