from trainwright.proto.orchestration import placeholder_pb2 as _placeholder_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class PythonClassExecutableSpec(_message.Message):
    __slots__ = ("class_path", "extra_flags")
    CLASS_PATH_FIELD_NUMBER: _ClassVar[int]
    EXTRA_FLAGS_FIELD_NUMBER: _ClassVar[int]
    class_path: str
    extra_flags: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, class_path: _Optional[str] = ..., extra_flags: _Optional[_Iterable[str]] = ...) -> None: ...

class BeamExecutableSpec(_message.Message):
    __slots__ = ("python_executor_spec", "beam_pipeline_args", "beam_pipeline_args_placeholders")
    PYTHON_EXECUTOR_SPEC_FIELD_NUMBER: _ClassVar[int]
    BEAM_PIPELINE_ARGS_FIELD_NUMBER: _ClassVar[int]
    BEAM_PIPELINE_ARGS_PLACEHOLDERS_FIELD_NUMBER: _ClassVar[int]
    python_executor_spec: PythonClassExecutableSpec
    beam_pipeline_args: _containers.RepeatedScalarFieldContainer[str]
    beam_pipeline_args_placeholders: _containers.RepeatedCompositeFieldContainer[_placeholder_pb2.PlaceholderExpression]
    def __init__(self, python_executor_spec: _Optional[_Union[PythonClassExecutableSpec, _Mapping]] = ..., beam_pipeline_args: _Optional[_Iterable[str]] = ..., beam_pipeline_args_placeholders: _Optional[_Iterable[_Union[_placeholder_pb2.PlaceholderExpression, _Mapping]]] = ...) -> None: ...

class ContainerExecutableSpec(_message.Message):
    __slots__ = ("image", "commands", "args")
    IMAGE_FIELD_NUMBER: _ClassVar[int]
    COMMANDS_FIELD_NUMBER: _ClassVar[int]
    ARGS_FIELD_NUMBER: _ClassVar[int]
    image: str
    commands: _containers.RepeatedCompositeFieldContainer[_placeholder_pb2.PlaceholderExpression]
    args: _containers.RepeatedCompositeFieldContainer[_placeholder_pb2.PlaceholderExpression]
    def __init__(self, image: _Optional[str] = ..., commands: _Optional[_Iterable[_Union[_placeholder_pb2.PlaceholderExpression, _Mapping]]] = ..., args: _Optional[_Iterable[_Union[_placeholder_pb2.PlaceholderExpression, _Mapping]]] = ...) -> None: ...
