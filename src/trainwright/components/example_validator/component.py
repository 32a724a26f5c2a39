"""ExampleValidator: holds the data's statistics against a schema."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from trainwright.components.custom_validations import (
    refuse_custom_validations,
)
from trainwright.components.older_arguments import takes_older_arguments
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.types.channel import BaseChannel
from trainwright.types.split_selection import encode_exclude_splits
from trainwright.types.standard_component_specs import ExampleValidatorSpec


class ExampleValidator(BaseComponent):
    """Finds the ways in which data departs from a schema: its anomalies.

    The node is complete also when there are anomalies; its log names them, and the artifact's
    custom property `blessed` says by split whether there were none (1) or some (0).

    Args:
        statistics: What StatisticsGen made.
        schema: What is expected of the data.
        exclude_splits: The names of splits that are not looked at.
        custom_validation_config: Validations in SQL, which TFX has; refused here.

    Example:
        ```python
        example_validator = ExampleValidator(
            statistics=statistics_gen.outputs["statistics"],
            schema=schema_gen.outputs["schema"],
        )
        ```
    """

    STORED_TYPE_NAME: ClassVar[str] = "tfx.components.example_validator.component.ExampleValidator"

    SPEC_CLASS = ExampleValidatorSpec
    EXECUTOR_SPEC = ExecutorClassSpec("trainwright.components.example_validator.executor:Executor")

    @takes_older_arguments(
        renamed={"stats": "statistics"}, outputs={"output": "anomalies", "anomalies": "anomalies"}
    )
    def __init__(
        self,
        statistics: BaseChannel,
        schema: BaseChannel,
        exclude_splits: Sequence[str] | None = None,
        custom_validation_config: Any | None = None,
    ) -> None:
        refuse_custom_validations(custom_validation_config)
        spec = ExampleValidatorSpec(
            statistics=statistics,
            schema=schema,
            exclude_splits=encode_exclude_splits(exclude_splits),
        )
        super().__init__(spec=spec)
