"""FileBasedExampleGen and QueryBasedExampleGen: examples from files or queries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from trainwright._checks import is_integer, mismatch
from trainwright.components.example_gen import split_config
from trainwright.components.example_gen.base_example_gen_executor import BaseExampleGenExecutor
from trainwright.components.example_gen.driver import FileBasedDriver, QueryBasedDriver
from trainwright.components.example_gen.input_files import check_patterns
from trainwright.components.example_gen.span_range import RangeLike, make_range_config
from trainwright.components.example_gen.split_config import InputLike, OutputLike
from trainwright.components.older_arguments import takes_older_arguments
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.executor_spec import ExecutorClassSpec, ExecutorSpec
from trainwright.proto import example_gen_pb2
from trainwright.types.channel import Channel
from trainwright.types.placeholders.placeholder import Placeholder
from trainwright.types.runtime_parameter import RuntimeParameter, has_runtime_parameters
from trainwright.types.standard_component_specs import (
    FileBasedExampleGenSpec,
    QueryBasedExampleGenSpec,
)

# What the ExampleGens for files take, each in the forms that its docstring names.
InputBase = str | RuntimeParameter | None
InputConfig = InputLike | RuntimeParameter | None
OutputConfig = OutputLike | RuntimeParameter | None
RangeConfig = RangeLike | RuntimeParameter | Placeholder | None
CustomConfigLike = example_gen_pb2.CustomConfig | Mapping[str, Any] | str

_PAYLOAD_FORMATS = (
    example_gen_pb2.FORMAT_TF_EXAMPLE,
    example_gen_pb2.FORMAT_TF_SEQUENCE_EXAMPLE,
    example_gen_pb2.FORMAT_PROTO,
    example_gen_pb2.FORMAT_PARQUET,
)
_FILE_FORMATS = (
    example_gen_pb2.FILE_FORMAT_UNSPECIFIED,
    example_gen_pb2.FORMAT_TFRECORDS_GZIP,
)
# Records in which no feature can be found to partition by.
_OPAQUE_FORMATS = (example_gen_pb2.FORMAT_PROTO, example_gen_pb2.FORMAT_PARQUET)


# Before TFX 0.23 a channel held the directory: `CsvExampleGen(input=external_input("data"))`.
takes_older_arguments_for_files = takes_older_arguments(
    renamed={"input": "input_base"}, outputs={"example_artifacts": "examples"}
)


class FileBasedExampleGen(BaseComponent):
    """Reads files with an executor of yours and writes gzip TFRecords of examples, in splits.

    The executor is a subclass of `BaseExampleGenExecutor`, which says what to write. The other
    ExampleGens are this one with an executor for CSV, TFRecord or Parquet files.

    Args:
        input_base: The directory of the files.
        input_config: Which files are which input split: `Input`, a dict or JSON. By default all
            files are one split. Patterns may have a span and a version in them.
        output_config: Into which splits one input split is divided, by hash buckets or by a
            partition feature. By default two thirds train, one third eval.
        custom_config: Settings for the executor: `CustomConfig`, a dict or JSON.
        range_config: Which span to take, if not the latest: `RangeConfig`, a dict or JSON.
        output_data_format: What the examples are, of `PayloadFormat`.
        output_file_format: What they are written as: gzip TFRecords.
        custom_executor_spec: The executor, for example `ExecutorClassSpec(MyExecutor)`.
        max_bad_records: How many bad records the executor may skip, if it can; in
            `exec_properties`.

    Example:
        ```python
        class LogExecutor(BaseExampleGenExecutor):
            def read_examples(self, files, exec_properties):
                for path in files:
                    for line in open(path):
                        yield {"message": line.rstrip()}

        example_gen = FileBasedExampleGen(
            input_base="logs", custom_executor_spec=ExecutorClassSpec(LogExecutor)
        )
        ```
    """

    STORED_TYPE_NAME: ClassVar[str] = "tfx.components.example_gen.component.FileBasedExampleGen"

    SPEC_CLASS = FileBasedExampleGenSpec
    EXECUTOR_SPEC: ClassVar[ExecutorSpec] = ExecutorClassSpec(
        "trainwright.components.example_gen.base_example_gen_executor:BaseExampleGenExecutor"
    )
    DRIVER_CLASS = FileBasedDriver

    @takes_older_arguments_for_files
    def __init__(
        self,
        input_base: InputBase = None,
        input_config: InputConfig = None,
        output_config: OutputConfig = None,
        custom_config: CustomConfigLike | RuntimeParameter | None = None,
        range_config: RangeConfig = None,
        output_data_format: int = example_gen_pb2.FORMAT_TF_EXAMPLE,
        output_file_format: int = example_gen_pb2.FORMAT_TFRECORDS_GZIP,
        custom_executor_spec: ExecutorSpec | None = None,
        *,
        max_bad_records: int | RuntimeParameter = 0,
    ) -> None:
        _check_executor(custom_executor_spec or type(self).EXECUTOR_SPEC)
        _check_formats(output_data_format, output_file_format)
        check_limit("max_bad_records", max_bad_records)
        resolved_input, resolved_output, resolved_range = _resolve_configs(
            input_config, output_config, range_config
        )
        if isinstance(resolved_input, example_gen_pb2.Input):
            check_patterns(resolved_input)
        _check_partition_feature(resolved_output, output_data_format)
        optional = {
            "custom_config": custom_config,
            "range_config": resolved_range,
            "max_bad_records": max_bad_records or None,
        }
        spec = FileBasedExampleGenSpec(
            input_base=_path_in(input_base),
            input_config=resolved_input,
            output_config=resolved_output,
            output_data_format=output_data_format,
            output_file_format=output_file_format,
            **{name: value for name, value in optional.items() if value is not None},
        )
        super().__init__(spec=spec, custom_executor_spec=custom_executor_spec)


class QueryBasedExampleGen(BaseComponent):
    """Writes the results of queries as examples, in splits, with an executor of yours.

    The executor is a subclass of `BaseExampleGenExecutor`: its `read_examples` yields the examples
    of a query, or it returns TFX's Beam transform. It is called with the pattern of a split, which
    is the query. `@span_yyyymmdd_utc`, `@span_begin_timestamp` and `@span_end_timestamp` in it
    stand for the day of the span that `range_config` names, a number of days since 1970-01-01.

    A result is reused while the queries and the code stay the same: name the span, or turn the
    cache of this node off, where the table changes.

    Args:
        input_config: The query of each input split as its pattern: `Input`, a dict or JSON.
        output_config: Into which splits the result of one query is divided, by hash buckets or by
            a partition feature. By default two thirds train, one third eval.
        custom_config: Settings for the executor: `CustomConfig`, a dict or JSON.
        range_config: Which span to ask for: `RangeConfig` with a `static_range`, a dict or JSON.
        output_data_format: What the examples are, of `PayloadFormat`.
        output_file_format: What they are written as: gzip TFRecords.
        custom_executor_spec: The executor; a subclass may have it as its `EXECUTOR_SPEC`.

    Example:
        ```python
        class TripsExecutor(BaseExampleGenExecutor):
            def read_examples(self, queries, exec_properties):
                [query] = queries
                connection = sqlite3.connect("trips.db")
                connection.row_factory = sqlite3.Row
                yield from map(dict, connection.execute(query))

        example_gen = QueryBasedExampleGen(
            input_config={"splits": [{"name": "all", "pattern": "SELECT * FROM trips"}]},
            custom_executor_spec=ExecutorClassSpec(TripsExecutor),
        )
        ```
    """

    SPEC_CLASS = QueryBasedExampleGenSpec
    EXECUTOR_SPEC: ClassVar[ExecutorSpec] = ExecutorClassSpec(
        "trainwright.components.example_gen.base_example_gen_executor:BaseExampleGenExecutor"
    )
    DRIVER_CLASS = QueryBasedDriver

    @takes_older_arguments(outputs={"example_artifacts": "examples"})
    def __init__(
        self,
        input_config: InputLike | RuntimeParameter,
        output_config: OutputConfig = None,
        custom_config: CustomConfigLike | RuntimeParameter | None = None,
        range_config: RangeLike | RuntimeParameter | None = None,
        output_data_format: int = example_gen_pb2.FORMAT_TF_EXAMPLE,
        output_file_format: int = example_gen_pb2.FORMAT_TFRECORDS_GZIP,
        custom_executor_spec: ExecutorSpec | None = None,
    ) -> None:
        _check_executor(custom_executor_spec or type(self).EXECUTOR_SPEC)
        _check_formats(output_data_format, output_file_format)
        resolved_input, resolved_output, resolved_range = _resolve_configs(
            input_config, output_config, range_config
        )
        _check_partition_feature(resolved_output, output_data_format)
        optional = {"custom_config": custom_config, "range_config": resolved_range}
        spec = QueryBasedExampleGenSpec(
            input_config=resolved_input,
            output_config=resolved_output,
            output_data_format=output_data_format,
            output_file_format=output_file_format,
            **{name: value for name, value in optional.items() if value is not None},
        )
        super().__init__(spec=spec, custom_executor_spec=custom_executor_spec)


def _path_in(input_base: Any) -> Any:
    """The directory that a channel holds, for those who pass one; anything else as it is."""
    if not isinstance(input_base, Channel):
        return input_base
    held = input_base.get()
    if len(held) != 1 or not held[0].uri:
        raise ValueError(
            f"input_base is {input_base!r}: expected the path of a directory, or a channel that "
            "holds one artifact with that path, as external_input(path) makes it."
        )
    return held[0].uri


def check_limit(argument: str, limit: Any) -> None:
    """Raises ValueError unless a limit of bad records is a number, or comes with the run."""
    if isinstance(limit, RuntimeParameter):
        return
    if not is_integer(limit) or limit < 0:
        raise ValueError(mismatch(argument, limit, "how many may be skipped, 0 or more"))


def _check_executor(spec: ExecutorSpec) -> None:
    if isinstance(spec, ExecutorClassSpec) and issubclass(
        spec.executor_class, BaseExampleGenExecutor
    ):
        spec.executor_class.check_hooks()


def _resolve_configs(input_config: Any, output_config: Any, range_config: Any) -> tuple[Any, ...]:
    """The configs with their defaults; what comes with a run is left for the driver."""
    if _is_known(range_config):
        range_config = make_range_config(range_config)
    if has_runtime_parameters(input_config):
        return input_config, output_config or example_gen_pb2.Output(), range_config
    input_config = split_config.make_input_config(input_config)
    if not has_runtime_parameters(output_config):
        output_config = split_config.make_output_config(input_config, output_config)
    return input_config, output_config, range_config


def _is_known(config: Any) -> bool:
    """Whether a config is written out here: a run or another node may give it instead."""
    return not isinstance(config, Placeholder) and not has_runtime_parameters(config)


def _check_formats(data_format: int, file_format: int) -> None:
    if data_format not in _PAYLOAD_FORMATS:
        known = ", ".join(map(example_gen_pb2.PayloadFormat.Name, _PAYLOAD_FORMATS))
        raise ValueError(
            f"The payload format is {_name(example_gen_pb2.PayloadFormat, data_format)}: expected "
            f"one of {known}."
        )
    is_parquet = data_format == example_gen_pb2.FORMAT_PARQUET
    if file_format not in _FILE_FORMATS and not (
        is_parquet and file_format == example_gen_pb2.FILE_FORMAT_PARQUET
    ):
        raise ValueError(
            f"The output_file_format is {_name(example_gen_pb2.FileFormat, file_format)}: examples "
            "are written as FORMAT_TFRECORDS_GZIP."
        )


def _check_partition_feature(output_config: Any, data_format: int) -> None:
    if (
        isinstance(output_config, example_gen_pb2.Output)
        and output_config.split_config.partition_feature_name
        and data_format in _OPAQUE_FORMATS
    ):
        raise ValueError(
            "The output_config has the partition_feature_name "
            f"{output_config.split_config.partition_feature_name!r}, but records of "
            f"{example_gen_pb2.PayloadFormat.Name(data_format)} have no features to "
            "partition by: take tf.Examples or tf.SequenceExamples, or leave it out."
        )


def _name(enum: Any, value: int) -> str:
    return str(enum.Name(value)) if value in enum.values() else repr(value)
