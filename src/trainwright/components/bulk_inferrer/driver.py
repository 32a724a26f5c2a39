"""The BulkInferrer's driver: checks before it runs."""

from __future__ import annotations

from typing import Any

from trainwright._extras import install_advice
from trainwright._imports import is_installed
from trainwright.components.bulk_inferrer.output_columns import read_columns
from trainwright.components.bulk_inferrer.signatures import check_model_spec
from trainwright.components.bulk_inferrer.specs import read_specs
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_driver import BaseDriver, has_custom_executor
from trainwright.types.placeholders.placeholder import Placeholder
from trainwright.types.standard_component_specs import MODEL_KEY

# The messages of prediction logs.
_SERVING = "tensorflow_serving"


class BulkInferrerDriver(BaseDriver):
    """Looks at the specs, and at what must be installed, before any node starts."""

    def check(self, component: BaseComponent, exec_properties: dict[str, Any]) -> None:
        if has_custom_executor(component):
            return  # a custom executor may ask another kind of model
        if MODEL_KEY not in component.inputs:
            raise ValueError(
                f"{component.id} has no model to ask. Wire model=trainer.outputs['model']."
            )
        if not is_installed(_SERVING):
            raise ValueError(
                f"{component.id} writes messages of TensorFlow Serving, and {_SERVING} is not "
                f"installed. Install it with: {install_advice(_SERVING)}"
            )
        if any(isinstance(value, Placeholder) for value in exec_properties.values()):
            return  # they are known when the node runs
        try:
            specs = read_specs(exec_properties)
            check_model_spec(specs.model)
            if specs.output is not None:
                read_columns(specs.output, specs.model.model_signature_name)
        except ValueError as error:
            raise ValueError(f"{component.id}: {error}") from error
