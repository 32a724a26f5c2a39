"""ParquetExampleGen: turns Parquet files into tf.Examples."""

from __future__ import annotations

from trainwright.components.example_gen.component import (
    FileBasedExampleGen,
    InputBase,
    InputConfig,
    OutputConfig,
    RangeConfig,
)
from trainwright.dsl.executor_spec import ExecutorClassSpec


class ParquetExampleGen(FileBasedExampleGen):
    """Reads Parquet files and writes gzip TFRecords of tf.Examples, split by hash.

    Booleans and integers become int64 features, floats float, strings and bytes bytes. Timestamps,
    times and durations become int64 in their own unit, dates int64 in days since 1970-01-01,
    decimals int64 if they have no fraction and float otherwise. A missing value is a feature
    without a value. A list is a feature with several values; the lists in a list `x` lie one after
    the other in `x`, and their lengths are in `x_row_lengths_1` (further in: `x_row_lengths_2`),
    as `tf.io.RaggedFeature` wants them. A struct's fields are features with dotted names: `a.b`.

    Args:
        input_base: The directory of the Parquet files.
        input_config: Which files are which input split: `Input`, a dict or JSON. By default all
            files are one split. Patterns may have a span and a version in them.
        output_config: Into which splits one input split is divided, by hash buckets or by a
            partition feature. By default two thirds train, one third eval.
        range_config: Which span to take, if not the latest: `RangeConfig`, a dict or JSON.

    Example:
        ```python
        example_gen = ParquetExampleGen(
            input_base="warehouse/trips",
            input_config={"splits": [{"name": "all", "pattern": "{YYYY}-{MM}-{DD}/*.parquet"}]},
        )
        ```
    """

    EXECUTOR_SPEC = ExecutorClassSpec(
        "trainwright.components.example_gen.parquet_example_gen.executor:Executor"
    )

    def __init__(
        self,
        input_base: InputBase = None,
        input_config: InputConfig = None,
        output_config: OutputConfig = None,
        range_config: RangeConfig = None,
    ) -> None:
        super().__init__(
            input_base=input_base,
            input_config=input_config,
            output_config=output_config,
            range_config=range_config,
        )
