"""CsvExampleGen: turns CSV files into tf.Examples."""

from __future__ import annotations

from typing import ClassVar

from trainwright.components.example_gen.component import (
    FileBasedExampleGen,
    InputBase,
    InputConfig,
    OutputConfig,
    RangeConfig,
    check_limit,
    takes_older_arguments_for_files,
)
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.types.runtime_parameter import RuntimeParameter


class CsvExampleGen(FileBasedExampleGen):
    """Reads CSV files with a header and writes gzip TFRecords of tf.Examples, split by hash.

    A column whose cells are all whole numbers becomes int64, else float if all are numbers, else
    bytes; an empty cell becomes a feature without a value.

    Args:
        input_base: The directory of the CSV files.
        input_config: Which files are which input split: `Input`, a dict or JSON. By default all
            files are one split. Patterns may have a span and a version in them.
        output_config: Into which splits one input split is divided, by hash buckets or by a
            partition feature. By default two thirds train, one third eval.
        range_config: Which span to take, if not the latest: `RangeConfig`, a dict or JSON.
        max_bad_rows: Up to this many rows with too few or too many cells are skipped, logged with
            their lines and counted in the artifact's property `bad_records`; one more fails the
            node.

    Example:
        ```python
        example_gen = CsvExampleGen(
            input_base="data",
            output_config={"split_config": {"splits": [
                {"name": "train", "hash_buckets": 8}, {"name": "eval", "hash_buckets": 2}]}},
        )
        ```
    """

    STORED_TYPE_NAME: ClassVar[str] = (
        "tfx.components.example_gen.csv_example_gen.component.CsvExampleGen"
    )

    EXECUTOR_SPEC = ExecutorClassSpec(
        "trainwright.components.example_gen.csv_example_gen.executor:Executor"
    )

    @takes_older_arguments_for_files
    def __init__(
        self,
        input_base: InputBase = None,
        input_config: InputConfig = None,
        output_config: OutputConfig = None,
        range_config: RangeConfig = None,
        *,
        max_bad_rows: int | RuntimeParameter = 0,
    ) -> None:
        check_limit("max_bad_rows", max_bad_rows)
        super().__init__(
            input_base=input_base,
            input_config=input_config,
            output_config=output_config,
            range_config=range_config,
            max_bad_records=max_bad_rows,
        )
