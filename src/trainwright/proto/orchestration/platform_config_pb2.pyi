from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DockerPlatformConfig(_message.Message):
    __slots__ = ("docker_server_url", "environment", "name", "privileged", "user", "volumes", "additional_run_args")
    class ContainerRunUser(_message.Message):
        __slots__ = ("username", "uid")
        USERNAME_FIELD_NUMBER: _ClassVar[int]
        UID_FIELD_NUMBER: _ClassVar[int]
        username: str
        uid: int
        def __init__(self, username: _Optional[str] = ..., uid: _Optional[int] = ...) -> None: ...
    class VolumeMount(_message.Message):
        __slots__ = ("bind", "mode")
        BIND_FIELD_NUMBER: _ClassVar[int]
        MODE_FIELD_NUMBER: _ClassVar[int]
        bind: str
        mode: str
        def __init__(self, bind: _Optional[str] = ..., mode: _Optional[str] = ...) -> None: ...
    class VolumesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: DockerPlatformConfig.VolumeMount
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[DockerPlatformConfig.VolumeMount, _Mapping]] = ...) -> None: ...
    class AdditionalRunArgsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    DOCKER_SERVER_URL_FIELD_NUMBER: _ClassVar[int]
    ENVIRONMENT_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PRIVILEGED_FIELD_NUMBER: _ClassVar[int]
    USER_FIELD_NUMBER: _ClassVar[int]
    VOLUMES_FIELD_NUMBER: _ClassVar[int]
    ADDITIONAL_RUN_ARGS_FIELD_NUMBER: _ClassVar[int]
    docker_server_url: str
    environment: _containers.RepeatedScalarFieldContainer[str]
    name: str
    privileged: bool
    user: DockerPlatformConfig.ContainerRunUser
    volumes: _containers.MessageMap[str, DockerPlatformConfig.VolumeMount]
    additional_run_args: _containers.ScalarMap[str, str]
    def __init__(self, docker_server_url: _Optional[str] = ..., environment: _Optional[_Iterable[str]] = ..., name: _Optional[str] = ..., privileged: bool = ..., user: _Optional[_Union[DockerPlatformConfig.ContainerRunUser, _Mapping]] = ..., volumes: _Optional[_Mapping[str, DockerPlatformConfig.VolumeMount]] = ..., additional_run_args: _Optional[_Mapping[str, str]] = ...) -> None: ...
