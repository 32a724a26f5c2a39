"""Checks before an InfraValidator runs, and whether an earlier validation still counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from trainwright._extras import install_advice
from trainwright._imports import is_installed
from trainwright.components.infra_validator.server_choice import OWN_SERVER, find_model_server
from trainwright.components.infra_validator.validation_specs import read_specs
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_driver import BaseDriver, has_custom_executor
from trainwright.types.artifact import Artifact

# The execution property that the driver adds: a model is validated anew for another server.
MODEL_SERVER = "model_server"


class InfraValidatorDriver(BaseDriver):
    """Refuses what cannot be validated here; a model that was not blessed is tried again."""

    def check(self, component: BaseComponent, exec_properties: dict[str, Any]) -> None:
        if has_custom_executor(component):
            return
        try:
            specs = read_specs(exec_properties)
            program = find_model_server()
        except ValueError as error:
            raise ValueError(f"{component.id}: {error}") from error
        needed = ["starlette", "uvicorn", "prometheus_client"] if program == OWN_SERVER else []
        if specs.request is not None and "examples" in component.inputs:
            needed.append("tensorflow_serving")
        for package in needed:
            if not is_installed(package):
                raise ValueError(
                    f"{component.id} needs {package}, which is not installed: "
                    f"{install_advice(package)}"
                )

    def resolve_exec_properties(
        self, exec_properties: dict[str, Any], pipeline_info: Any = None, component_info: Any = None
    ) -> dict[str, Any]:
        """Adds which server is used."""
        return {**exec_properties, MODEL_SERVER: find_model_server()}

    def why_not_reuse(self, outputs: Mapping[str, Sequence[Artifact]]) -> str | None:
        """A blessing counts; its absence may have been the fault of that day."""
        blessings = outputs.get("blessing")
        if not blessings or blessings[0].get_int_custom_property("blessed") != 1:
            return "the model was not blessed then, and is tried again"
        return None
