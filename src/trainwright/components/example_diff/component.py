"""ExampleDiff: examples compared one by one. It is declared; this version does not run it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from trainwright.components.older_arguments import takes_older_arguments
from trainwright.components.unsupported import UnsupportedDriver
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.proto import example_diff_pb2
from trainwright.types import json_utils
from trainwright.types.channel import BaseChannel
from trainwright.types.runtime_parameter import RuntimeParameter
from trainwright.types.standard_component_specs import ExampleDiffSpec


class ExampleDiff(BaseComponent):
    """Pairs the examples of two artifacts and counts how their features differ.

    This version declares the component and refuses to run it.

    Args:
        examples_test: The examples to look at.
        examples_base: What they are compared with.
        config: `ExampleDiffConfig`, a dict or JSON.
        include_split_pairs: Pairs of splits, of the first and of the second; by default all.

    Example:
        ```python
        example_diff = ExampleDiff(
            examples_test=serving_gen.outputs["examples"],
            examples_base=example_gen.outputs["examples"],
            config={"paired_example_skew": {"identifier_features": ["id"]}},
        )
        ```
    """

    SPEC_CLASS = ExampleDiffSpec
    EXECUTOR_SPEC = ExecutorClassSpec("trainwright.components.example_diff.executor:Executor")
    DRIVER_CLASS = UnsupportedDriver

    @takes_older_arguments()
    def __init__(
        self,
        examples_test: BaseChannel,
        examples_base: BaseChannel,
        config: example_diff_pb2.ExampleDiffConfig | Mapping[str, Any] | str | RuntimeParameter,
        include_split_pairs: Sequence[tuple[str, str]] | None = None,
    ) -> None:
        spec = ExampleDiffSpec(
            examples=examples_test,
            baseline_examples=examples_base,
            example_diff_config=config,
            include_split_pairs=json_utils.dumps(include_split_pairs),
        )
        super().__init__(spec=spec)
