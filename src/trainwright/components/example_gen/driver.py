"""The ExampleGens' driver: finds span and input files before they run."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from trainwright._imports import is_installed
from trainwright._paths import MissingInputError
from trainwright.components.example_gen import split_config
from trainwright.components.example_gen.input_processor import (
    FileBasedInputProcessor,
    InputProcessor,
    InputSplit,
    QueryBasedInputProcessor,
    has_span_placeholder,
)
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_driver import BaseDriver
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.proto import example_gen_pb2, proto_json, range_config_pb2
from trainwright.proto.orchestration import driver_output_pb2
from trainwright.types.standard_component_specs import (
    EXAMPLES_KEY,
    INPUT_BASE_KEY,
    INPUT_CONFIG_KEY,
    OUTPUT_CONFIG_KEY,
    RANGE_CONFIG_KEY,
)

SPAN = "span"
VERSION = "version"
INPUT_FINGERPRINT = "input_fingerprint"
INPUT_FILES = "_input_files"

# How ml-metadata holds a value. Others, such as our list of files, are not for it.
_VALUE_FIELDS = {int: "int_value", float: "double_value", str: "string_value"}

_logger = logging.getLogger(__name__)


def update_output_artifact(exec_properties: Mapping[str, Any], output_artifact: Any) -> None:
    """Notes span, version and fingerprint in the custom properties of an ml-metadata artifact."""
    properties = output_artifact.custom_properties
    if exec_properties.get(INPUT_FINGERPRINT):
        properties[INPUT_FINGERPRINT].string_value = exec_properties[INPUT_FINGERPRINT]
    properties[SPAN].int_value = exec_properties[SPAN]
    if exec_properties[VERSION] is not None:
        properties[VERSION].int_value = exec_properties[VERSION]


class Driver(BaseDriver):
    """Base of the drivers of ExampleGens: a subclass says which input processor to ask.

    Example:
        ```python
        class TableDriver(Driver):
            def get_input_processor(self, splits, range_config=None, input_base_uri=None):
                return TableInputProcessor(splits, range_config)

        class TableExampleGen(QueryBasedExampleGen):
            DRIVER_CLASS = TableDriver
        ```
    """

    def __init__(self, metadata_handle: Any = None) -> None:
        super().__init__()
        self._metadata_handle = metadata_handle

    def get_input_processor(
        self,
        splits: Iterable[InputSplit],
        range_config: range_config_pb2.RangeConfig | None = None,
        input_base_uri: str | None = None,
    ) -> InputProcessor:
        """Returns what finds the span, the version and the fingerprint of the input."""
        raise NotImplementedError(
            f"{type(self).__name__} does not say what finds its input: override "
            "get_input_processor(self, splits, range_config, input_base_uri)."
        )

    def check(self, component: BaseComponent, exec_properties: dict[str, Any]) -> None:
        input_config = split_config.make_input_config(exec_properties[INPUT_CONFIG_KEY])
        split_config.make_output_config(input_config, exec_properties[OUTPUT_CONFIG_KEY])
        _check_modules(component)
        processor = self._processor(exec_properties)
        # One of the user's own may ask elsewhere, which is not for a quick look.
        if type(processor) not in (FileBasedInputProcessor, QueryBasedInputProcessor):
            return
        if isinstance(processor, FileBasedInputProcessor):
            _check_input_files(component, processor)
        self._resolve(dict(exec_properties), processor)

    def resolve_exec_properties(
        self,
        exec_properties: dict[str, Any],
        pipeline_info: Any = None,
        component_info: Any = None,
    ) -> dict[str, Any]:
        """Adds span, version and fingerprint, and fills them into the patterns, in place.

        The other arguments are TFX's, and are not needed here.
        """
        return self._resolve(exec_properties, self._processor(exec_properties))

    def run(self, execution_info: Any) -> driver_output_pb2.DriverOutput:
        """What TFX's launcher asks of a driver: properties and outputs as messages.

        Args:
            execution_info: Has `exec_properties`, which are changed, and `output_dict`.
        """
        properties = self.resolve_exec_properties(execution_info.exec_properties)
        result = driver_output_pb2.DriverOutput()
        for name, value in properties.items():
            field = _VALUE_FIELDS.get(type(value))
            if field is not None:
                setattr(result.exec_properties[name], field, value)
        [examples] = execution_info.output_dict[EXAMPLES_KEY]
        artifact = result.output_artifacts[EXAMPLES_KEY].artifacts.add()
        artifact.CopyFrom(examples.mlmd_artifact)
        update_output_artifact(properties, artifact)
        return result

    def _processor(self, exec_properties: Mapping[str, Any]) -> InputProcessor:
        return self.get_input_processor(
            splits=_input_config(exec_properties).splits,
            range_config=_range_config(exec_properties),
            input_base_uri=exec_properties.get(INPUT_BASE_KEY),
        )

    def _resolve(
        self, exec_properties: dict[str, Any], processor: InputProcessor
    ) -> dict[str, Any]:
        span, version = processor.resolve_span_and_version()
        config = _input_config(exec_properties)
        for split in config.splits:
            split.pattern = processor.get_pattern_for_span_version(split.pattern, span, version)
        exec_properties.update(
            {
                INPUT_CONFIG_KEY: proto_json.proto_to_json(config),
                SPAN: span,
                VERSION: version,
                INPUT_FINGERPRINT: processor.get_input_fingerprint(span, version),
            }
        )
        return exec_properties


class FileBasedDriver(Driver):
    """Finds the span and the input files; their content is part of the cache key."""

    # It has times of files in it. What counts is their content, of `source_files`.
    PRIVATE_PROPERTIES: ClassVar[frozenset[str]] = frozenset({INPUT_FINGERPRINT})

    def get_input_processor(
        self,
        splits: Iterable[InputSplit],
        range_config: range_config_pb2.RangeConfig | None = None,
        input_base_uri: str | None = None,
    ) -> InputProcessor:
        if not input_base_uri:
            raise ValueError("input_base is missing: expected the directory of the data files.")
        return FileBasedInputProcessor(input_base_uri, splits, range_config)

    def checked_paths(
        self, component: BaseComponent, exec_properties: dict[str, Any]
    ) -> Mapping[str, str]:
        return {INPUT_BASE_KEY: exec_properties[INPUT_BASE_KEY]}

    def _resolve(
        self, exec_properties: dict[str, Any], processor: InputProcessor
    ) -> dict[str, Any]:
        resolved = super()._resolve(exec_properties, processor)
        if isinstance(processor, FileBasedInputProcessor):
            resolved[INPUT_FILES] = dict(processor.input_files.files)
        return resolved

    def source_files(self, exec_properties: dict[str, Any]) -> Sequence[str]:
        files = exec_properties.get(INPUT_FILES, {})
        return [path for paths in files.values() for path in paths]


class QueryBasedDriver(Driver):
    """Fills the span into the queries. What they would give now is not asked for."""

    def get_input_processor(
        self,
        splits: Iterable[InputSplit],
        range_config: range_config_pb2.RangeConfig | None = None,
        input_base_uri: str | None = None,
    ) -> InputProcessor:
        return QueryBasedInputProcessor(splits, range_config)

    def check(self, component: BaseComponent, exec_properties: dict[str, Any]) -> None:
        try:
            super().check(component, exec_properties)
        except NotImplementedError as error:
            raise ValueError(str(error)) from error
        if _range_config(exec_properties) is None:
            for split in _input_config(exec_properties).splits:
                if has_span_placeholder(split.pattern):
                    _logger.warning(
                        "The query of split %s has a placeholder for the span, but there is no "
                        "range_config: it stands for 1970-01-01.",
                        split.name,
                    )


def _check_input_files(component: BaseComponent, processor: FileBasedInputProcessor) -> None:
    """Refuses input that is not there, unless the executor may find its input elsewhere."""
    try:
        processor.check_input_files()
    except MissingInputError as error:
        if _takes_found_files(component):
            raise
        _logger.warning("%s is left to find its input by itself: %s", component.id, error)


def _takes_found_files(component: BaseComponent) -> bool:
    spec = component.executor_spec
    executor = spec.executor_class if isinstance(spec, ExecutorClassSpec) else None
    takes_found_files = getattr(executor, "takes_found_files", None)
    return takes_found_files is not None and bool(takes_found_files())


def _check_modules(component: BaseComponent) -> None:
    """Refuses an executor whose library is not installed."""
    spec = component.executor_spec
    if not isinstance(spec, ExecutorClassSpec):
        return
    for module, command in getattr(spec.executor_class, "REQUIRED_MODULES", {}).items():
        if not is_installed(module):
            raise ValueError(
                f"{component.id} needs {module}, which is not installed. Install it with: {command}"
            )


def _input_config(exec_properties: Mapping[str, Any]) -> example_gen_pb2.Input:
    return proto_json.json_to_proto(exec_properties[INPUT_CONFIG_KEY], example_gen_pb2.Input())


def _range_config(exec_properties: Mapping[str, Any]) -> range_config_pb2.RangeConfig | None:
    given = exec_properties.get(RANGE_CONFIG_KEY)
    if not given:
        return None
    return proto_json.json_to_proto(given, range_config_pb2.RangeConfig())
