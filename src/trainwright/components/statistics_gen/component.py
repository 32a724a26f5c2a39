"""StatisticsGen: computes the statistics of examples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from trainwright.components.older_arguments import takes_older_arguments
from trainwright.components.statistics_gen.driver import StatisticsGenDriver
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.statistics.stats_options import StatsOptions
from trainwright.types.channel import BaseChannel
from trainwright.types.split_selection import encode_exclude_splits
from trainwright.types.standard_component_specs import StatisticsGenSpec


class StatisticsGen(BaseComponent):
    """Computes what TFDV computes of each feature, split by split, in one pass over the examples.

    Args:
        examples: The examples, tf.Example or tf.SequenceExample.
        schema: Says which numbers are categories and which strings are images.
        stats_options: What to compute: `trainwright.statistics.StatsOptions` or a
            `tfdv.StatsOptions`. Its schema and the argument `schema` exclude each other.
        exclude_splits: The names of splits that are left out; they must exist.

    Example:
        ```py
        statistics_gen = StatisticsGen(
            examples=example_gen.outputs["examples"],
            stats_options=StatsOptions(weight_feature="weight"),
        )
        ```
    """

    STORED_TYPE_NAME: ClassVar[str] = "tfx.components.statistics_gen.component.StatisticsGen"

    SPEC_CLASS = StatisticsGenSpec
    EXECUTOR_SPEC = ExecutorClassSpec("trainwright.components.statistics_gen.executor:Executor")
    DRIVER_CLASS = StatisticsGenDriver

    @takes_older_arguments(
        renamed={"input_data": "examples"},
        outputs={"output": "statistics", "statistics": "statistics"},
    )
    def __init__(
        self,
        examples: BaseChannel,
        schema: BaseChannel | None = None,
        stats_options: StatsOptions | Any | None = None,
        exclude_splits: Sequence[str] | None = None,
    ) -> None:
        options_json = None
        if stats_options is not None:
            options = StatsOptions.from_any(stats_options)
            if schema is not None and options.schema is not None:
                raise ValueError(
                    "StatisticsGen was given a schema twice: as its input and in stats_options. "
                    "Leave one of them out."
                )
            options_json = options.to_json()
        spec = StatisticsGenSpec(
            examples=examples,
            schema=schema,
            stats_options_json=options_json,
            exclude_splits=encode_exclude_splits(exclude_splits),
        )
        super().__init__(spec=spec)
