"""SchemaGen: infers a schema from statistics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from trainwright.components.older_arguments import takes_older_arguments
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.types.channel import BaseChannel
from trainwright.types.runtime_parameter import RuntimeParameter
from trainwright.types.split_selection import encode_exclude_splits
from trainwright.types.standard_component_specs import SchemaGenSpec


class SchemaGen(BaseComponent):
    """Infers a schema from the first split's statistics and fits it to the others'.

    What it infers is a beginning: look at it, change it, and keep it with the code
    (`trainwright schema freeze`), where ImportSchemaGen reads it.

    Args:
        statistics: What StatisticsGen made.
        infer_feature_shape: Whether features with a constant number of values get a shape; others
            are parsed as sparse or ragged tensors.
        exclude_splits: The names of splits that are not looked at.

    Example: `schema_gen = SchemaGen(statistics=statistics_gen.outputs["statistics"])`
    """

    STORED_TYPE_NAME: ClassVar[str] = "tfx.components.schema_gen.component.SchemaGen"

    SPEC_CLASS = SchemaGenSpec
    EXECUTOR_SPEC = ExecutorClassSpec("trainwright.components.schema_gen.executor:Executor")

    @takes_older_arguments(
        renamed={"stats": "statistics"}, outputs={"output": "schema", "schema": "schema"}
    )
    def __init__(
        self,
        statistics: BaseChannel,
        infer_feature_shape: bool | RuntimeParameter | None = True,
        exclude_splits: Sequence[str] | None = None,
    ) -> None:
        spec = SchemaGenSpec(
            statistics=statistics,
            infer_feature_shape=(
                int(infer_feature_shape)
                if isinstance(infer_feature_shape, bool)
                else infer_feature_shape
            ),
            exclude_splits=encode_exclude_splits(exclude_splits),
        )
        super().__init__(spec=spec)
