"""ExampleDiff: examples compared one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from trainwright.components.example_diff.driver import ExampleDiffDriver
from trainwright.components.older_arguments import takes_older_arguments
from trainwright.components.split_pairs import encode_split_pairs
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.proto import example_diff_pb2
from trainwright.types.channel import BaseChannel
from trainwright.types.runtime_parameter import RuntimeParameter
from trainwright.types.standard_component_specs import ExampleDiffSpec


class ExampleDiff(BaseComponent):
    """Pairs the examples of two artifacts and counts how their features differ.

    Examples are paired that have the same values in all identifier features. The output
    `example_diff_result` has a `SplitPair-<split>_<baseline's split>` for each pair of splits, with
    TFDV's messages of a feature skew: how often each feature is the same, how well examples could
    be paired, a sample of pairs that differ, and counts of the values that met.

    Args:
        examples_test: The examples to look at, of any payload format.
        examples_base: What they are compared with.
        config: `ExampleDiffConfig`, a dict or JSON. Floating-point numbers are compared as rounded
            to `float_round_ndigits` digits after the point, which is 0 unless it says otherwise.
        include_split_pairs: Pairs of splits, of the first and of the second; by default all.

    Example:
        ```python
        example_diff = ExampleDiff(
            examples_test=serving_gen.outputs["examples"],
            examples_base=example_gen.outputs["examples"],
            config={"paired_example_skew": {
                "identifier_features": ["id"], "skew_sample_size": 100, "float_round_ndigits": 4,
            }},
            include_split_pairs=[("serving", "train")],
        )
        ```
    """

    SPEC_CLASS = ExampleDiffSpec
    EXECUTOR_SPEC = ExecutorClassSpec("trainwright.components.example_diff.executor:Executor")
    DRIVER_CLASS = ExampleDiffDriver

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
            include_split_pairs=encode_split_pairs(include_split_pairs),
        )
        super().__init__(spec=spec)
