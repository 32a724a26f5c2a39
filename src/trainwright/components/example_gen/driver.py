"""What is found out before an ExampleGen runs: its span and its input files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from trainwright.components.example_gen import split_config
from trainwright.components.example_gen.input_files import (
    InputFiles,
    check_patterns,
    find_input_files,
    fingerprint,
)
from trainwright.components.example_gen.span_range import SpanRange, make_span_range
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_driver import BaseDriver
from trainwright.proto import example_gen_pb2, proto_json, range_config_pb2
from trainwright.types.standard_component_specs import (
    INPUT_BASE_KEY,
    INPUT_CONFIG_KEY,
    OUTPUT_CONFIG_KEY,
    RANGE_CONFIG_KEY,
)

SPAN = "span"
VERSION = "version"
INPUT_FILES = "_input_files"
INPUT_FINGERPRINT = "_input_fingerprint"


class FileBasedExampleGenDriver(BaseDriver):
    """Finds the span and the input files; their content is part of the cache key."""

    def check(self, component: BaseComponent, exec_properties: dict[str, Any]) -> None:
        _check_configs(exec_properties)
        _find(exec_properties)

    def local_paths(
        self, component: BaseComponent, exec_properties: dict[str, Any]
    ) -> Mapping[str, str]:
        return {INPUT_BASE_KEY: exec_properties[INPUT_BASE_KEY]}

    def resolve_exec_properties(self, exec_properties: dict[str, Any]) -> dict[str, Any]:
        found = _find(exec_properties)
        return {
            **exec_properties,
            INPUT_CONFIG_KEY: proto_json.proto_to_json(found.config),
            SPAN: found.span,
            VERSION: found.version,
            INPUT_FILES: dict(found.files),
            INPUT_FINGERPRINT: fingerprint(found.files),
        }

    def source_files(self, exec_properties: dict[str, Any]) -> Sequence[str]:
        return [path for paths in exec_properties[INPUT_FILES].values() for path in paths]


def _check_configs(exec_properties: dict[str, Any]) -> None:
    """Checks configs whose values came with the run; the component has checked its own."""
    input_config = split_config.make_input_config(exec_properties[INPUT_CONFIG_KEY])
    split_config.make_output_config(input_config, exec_properties[OUTPUT_CONFIG_KEY])
    check_patterns(input_config, _spans(exec_properties))


def _find(exec_properties: dict[str, Any]) -> InputFiles:
    config = proto_json.json_to_proto(exec_properties[INPUT_CONFIG_KEY], example_gen_pb2.Input())
    return find_input_files(exec_properties[INPUT_BASE_KEY], config, _spans(exec_properties))


def _spans(exec_properties: dict[str, Any]) -> SpanRange | None:
    given = exec_properties.get(RANGE_CONFIG_KEY)
    if given is None:
        return None
    return make_span_range(proto_json.json_to_proto(given, range_config_pb2.RangeConfig()))
