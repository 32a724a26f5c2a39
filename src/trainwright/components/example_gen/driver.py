"""What is found out before an ExampleGen runs: its input files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trainwright.components.example_gen.input_files import find_input_files, fingerprint
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_driver import BaseDriver
from trainwright.proto import example_gen_pb2, proto_json

INPUT_FILES = "_input_files"
INPUT_FINGERPRINT = "_input_fingerprint"


class FileBasedExampleGenDriver(BaseDriver):
    """Finds the input files; their content is part of the cache key."""

    def check(self, component: BaseComponent, exec_properties: dict[str, Any]) -> None:
        _find(exec_properties)

    def resolve_exec_properties(self, exec_properties: dict[str, Any]) -> dict[str, Any]:
        files = _find(exec_properties)
        return {**exec_properties, INPUT_FILES: files, INPUT_FINGERPRINT: fingerprint(files)}

    def source_files(self, exec_properties: dict[str, Any]) -> Sequence[str]:
        return [path for paths in exec_properties[INPUT_FILES].values() for path in paths]


def _find(exec_properties: dict[str, Any]) -> dict[str, list[str]]:
    config = proto_json.json_to_proto(exec_properties["input_config"], example_gen_pb2.Input())
    return find_input_files(exec_properties["input_base"], config)
