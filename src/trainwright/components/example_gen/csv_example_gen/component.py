"""CsvExampleGen: turns CSV files into tf.Examples."""

from __future__ import annotations

from typing import Any

from trainwright.components.example_gen import split_config
from trainwright.components.example_gen.driver import FileBasedExampleGenDriver
from trainwright.components.example_gen.split_config import InputLike, OutputLike
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.proto import example_gen_pb2
from trainwright.types.runtime_parameter import RuntimeParameter
from trainwright.types.standard_component_specs import FileBasedExampleGenSpec


class CsvExampleGen(BaseComponent):
    """Reads CSV files with a header and writes gzip TFRecords of tf.Examples, split by hash.

    A column whose cells are all whole numbers becomes int64, else float if all are numbers, else
    bytes; an empty cell becomes a feature without a value.

    Args:
        input_base: The directory of the CSV files.
        input_config: Which files are which input split: `Input`, a dict or JSON. By default all
            files are one split.
        output_config: Into which splits one input split is divided, by hash buckets or by a
            partition feature. By default two thirds train, one third eval.
        range_config: For patterns with spans, which this version does not resolve: must be None.

    Example:
        ```python
        example_gen = CsvExampleGen(
            input_base="data",
            output_config={"split_config": {"splits": [
                {"name": "train", "hash_buckets": 8}, {"name": "eval", "hash_buckets": 2}]}},
        )
        ```
    """

    SPEC_CLASS = FileBasedExampleGenSpec
    EXECUTOR_SPEC = ExecutorClassSpec(
        "trainwright.components.example_gen.csv_example_gen.executor:Executor"
    )
    DRIVER_CLASS = FileBasedExampleGenDriver

    def __init__(
        self,
        input_base: str | RuntimeParameter | None = None,
        input_config: InputLike | RuntimeParameter | None = None,
        output_config: OutputLike | RuntimeParameter | None = None,
        range_config: Any = None,
    ) -> None:
        if range_config is not None:
            raise ValueError(
                "range_config chooses among spans, which this version does not resolve. Name the "
                "directory of the span as input_base."
            )
        resolved_input: Any = input_config
        resolved_output: Any = output_config
        if not isinstance(input_config, RuntimeParameter):
            resolved_input = split_config.make_input_config(input_config)
            if not isinstance(output_config, RuntimeParameter):
                resolved_output = split_config.make_output_config(resolved_input, output_config)
        elif output_config is None:
            resolved_output = example_gen_pb2.Output()
        spec = FileBasedExampleGenSpec(
            input_base=input_base,
            input_config=resolved_input,
            output_config=resolved_output,
            output_data_format=example_gen_pb2.FORMAT_TF_EXAMPLE,
            output_file_format=example_gen_pb2.FORMAT_TFRECORDS_GZIP,
        )
        super().__init__(spec=spec)
