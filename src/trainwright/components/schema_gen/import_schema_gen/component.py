"""ImportSchemaGen: brings a schema that people keep into a pipeline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_driver import BaseDriver
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.schemas.schema_file import read_schema
from trainwright.types.runtime_parameter import RuntimeParameter
from trainwright.types.standard_component_specs import ImportSchemaGenSpec


class ImportSchemaGenDriver(BaseDriver):
    """Reads the file before any node starts; its content is part of the cache key."""

    def check(self, component: BaseComponent, exec_properties: dict[str, Any]) -> None:
        read_schema(exec_properties["schema_file"])

    def checked_paths(
        self, component: BaseComponent, exec_properties: dict[str, Any]
    ) -> Mapping[str, str]:
        return {"schema_file": exec_properties["schema_file"]}

    def source_files(self, exec_properties: dict[str, Any]) -> Sequence[str]:
        return (exec_properties["schema_file"],)


class ImportSchemaGen(BaseComponent):
    """Copies a schema file into a Schema artifact, if it is a schema.

    Args:
        schema_file: The path of a schema in text form; it may lie in an object store.

    Example: `schema_gen = ImportSchemaGen(schema_file="schema/schema.pbtxt")`
    """

    STORED_TYPE_NAME: ClassVar[str] = (
        "tfx.components.schema_gen.import_schema_gen.component.ImportSchemaGen"
    )

    SPEC_CLASS = ImportSchemaGenSpec
    EXECUTOR_SPEC = ExecutorClassSpec(
        "trainwright.components.schema_gen.import_schema_gen.executor:Executor"
    )
    DRIVER_CLASS = ImportSchemaGenDriver

    def __init__(self, schema_file: str | RuntimeParameter) -> None:
        super().__init__(spec=ImportSchemaGenSpec(schema_file=schema_file))
