"""Examples held against a schema one by one: which of them are anomalous, and why."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from tensorflow_metadata.proto.v0 import anomalies_pb2, schema_pb2, statistics_pb2

from trainwright.compat.tfdv.generation import (
    find_files,
    make_pass,
    refuse_pipeline_options,
    types_schema,
    write_statistics,
)
from trainwright.compat.tfdv.record_batches import read_csv_batches
from trainwright.compat.tfdv.slicing import SliceFunction
from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.schemas.validation import validate_statistics
from trainwright.statistics.slices import ALL_EXAMPLES
from trainwright.statistics.stats_options import StatsOptions

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

_Statistics: TypeAlias = statistics_pb2.DatasetFeatureStatisticsList

# These are of many examples together: one alone cannot have them.
_OF_MANY_EXAMPLES = frozenset(
    getattr(anomalies_pb2.AnomalyInfo, name)
    for name in (
        "FEATURE_TYPE_LOW_FRACTION_PRESENT",
        "FEATURE_TYPE_LOW_NUMBER_PRESENT",
        "FEATURE_TYPE_NOT_PRESENT",
        "SCHEMA_TRAINING_SERVING_SKEW",
        "COMPARATOR_CONTROL_DATA_MISSING",
        "COMPARATOR_TREATMENT_DATA_MISSING",
        "COMPARATOR_L_INFTY_HIGH",
        "COMPARATOR_JENSEN_SHANNON_DIVERGENCE_HIGH",
        "COMPARATOR_LOW_NUM_EXAMPLES",
        "COMPARATOR_HIGH_NUM_EXAMPLES",
        "NO_DATA_IN_SPAN",
        "DATASET_LOW_NUM_EXAMPLES",
        "DATASET_HIGH_NUM_EXAMPLES",
    )
)

MULTIPLE_ERRORS_SHORT_DESCRIPTION = "Multiple errors"

_LISTS = {bytes: "bytes_list", float: "float_list", int: "int64_list"}


def validate_instance(
    instance: pa.RecordBatch, options: StatsOptions, environment: str | None = None
) -> anomalies_pb2.Anomalies:
    """The anomalies of a batch of examples, but for those that only many examples can have.

    Args:
        instance: The examples.
        options: With the schema that they are held against.
        environment: One of the schema's environments.
    """
    if not isinstance(options, StatsOptions):
        raise ValueError(f"options is {options!r}: options must be a StatsOptions object.")
    _schema_of(options)
    if not hasattr(instance, "num_rows"):
        raise TypeError(
            f"instance is of type {type(instance).__name__}: expected a pyarrow.RecordBatch of one "
            "row, such as pyarrow.RecordBatch.from_pydict({'fare': [[1.5]]})."
        )
    computed = make_pass(options)
    accumulator = computed.create()
    computed.add_batch(accumulator, instance, instance.num_rows, source="the instance", first=0)
    return _validate(computed.extract(accumulator), options, environment)


def _validate(
    statistics: _Statistics, options: StatsOptions, environment: str | None
) -> anomalies_pb2.Anomalies:
    anomalies = validate_statistics(statistics, _schema_of(options), environment)
    remove_anomaly_types(anomalies, _OF_MANY_EXAMPLES)
    return anomalies


def validate_examples_in_tfrecord(
    data_location: str,
    stats_options: StatsOptions,
    output_path: str | None = None,
    pipeline_options: Any | None = None,
    num_sampled_examples: int = 0,
) -> _Statistics | tuple[_Statistics, dict[str, list[Any]]]:
    """The statistics of the anomalous examples in TFRecord files, for each anomaly.

    Args:
        data_location: A file, or a pattern of several.
        stats_options: With the schema that the examples are held against.
        output_path: Where to write the statistics, too.
        pipeline_options: Of Beam, in TFDV; refused.
        num_sampled_examples: Up to this many examples of each anomaly are returned, too.

    Returns:
        A dataset for each anomaly, named `<feature>_<type of the anomaly>`; with samples, also a
        list of tf.Examples by that name.
    """
    refuse_pipeline_options(pipeline_options)
    _schema_of(stats_options)
    files = ExampleFiles(paths=find_files(data_location))
    rows = map(_with_its_own_features, _rows(one.batch for one in files.arrow_batches()))
    found, samples = _validate_rows(rows, stats_options, num_sampled_examples, data_location)
    write_statistics(found, output_path)
    if not num_sampled_examples:
        return found
    return found, {name: [*map(_to_example, rows)] for name, rows in samples.items()}


def validate_examples_in_csv(
    data_location: str,
    stats_options: StatsOptions,
    column_names: Sequence[str] | None = None,
    delimiter: str = ",",
    output_path: str | None = None,
    pipeline_options: Any | None = None,
    num_sampled_examples: int = 0,
) -> _Statistics | tuple[_Statistics, dict[str, pd.DataFrame]]:
    """The statistics of the anomalous rows of CSV files, for each anomaly.

    Arguments are those of `generate_statistics_from_csv` and `validate_examples_in_tfrecord`;
    samples are a data frame for each anomaly.
    """
    refuse_pipeline_options(pipeline_options)
    _schema_of(stats_options)
    batches = read_csv_batches(
        find_files(data_location), column_names, delimiter, types_schema(stats_options)
    )
    rows = _rows(batches)
    found, samples = _validate_rows(rows, stats_options, num_sampled_examples, data_location)
    write_statistics(found, output_path)
    if not num_sampled_examples:
        return found
    return found, {name: _to_frame(rows) for name, rows in samples.items()}


def _validate_rows(
    rows: Iterable[pa.RecordBatch], options: StatsOptions, most_samples: int, source: str
) -> tuple[_Statistics, dict[str, list[pa.RecordBatch]]]:
    """The statistics of the rows with each anomaly, and the first of these rows."""
    computed = make_pass(options)
    accumulator = computed.create()
    samples: dict[str, list[pa.RecordBatch]] = defaultdict(list)
    for row in rows:
        anomalies = validate_instance(row, options)
        for name, _ in get_anomalies_slicer(anomalies)(row):
            computed.add_to_slice(accumulator, name, row, source)
            if len(samples[name]) < most_samples:
                samples[name].append(row)
    found = computed.extract(accumulator)
    datasets = [one for one in found.datasets if one.name not in ("", ALL_EXAMPLES)]
    return _Statistics(datasets=datasets), dict(samples)


def _rows(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        yield from (batch.slice(number, 1) for number in range(batch.num_rows))


def _with_its_own_features(row: pa.RecordBatch) -> pa.RecordBatch:
    """An example as it is by itself: features that only others of its batch have are not there."""
    return row.select([name for name in row.schema.names if not row.column(name).null_count])


def remove_anomaly_types(
    anomalies: anomalies_pb2.Anomalies, types_to_remove: Iterable[int]
) -> None:
    """Removes the reasons of these types, and features that have no other."""
    removed = frozenset(types_to_remove)
    for name in list(anomalies.anomaly_info):
        info = anomalies.anomaly_info[name]
        kept = [reason for reason in info.reason if reason.type not in removed]
        # What differs from the schema cannot be told apart by reasons.
        info.ClearField("diff_regions")
        info.ClearField("reason")
        if not kept:
            del anomalies.anomaly_info[name]
            continue
        info.reason.extend(kept)
        new_column = anomalies_pb2.AnomalyInfo.SCHEMA_NEW_COLUMN
        if len(kept) == 1 or all(reason.type == new_column for reason in kept):
            info.description = kept[0].description
            info.short_description = kept[0].short_description
        else:
            info.description = " ".join(reason.description for reason in kept)
            info.short_description = MULTIPLE_ERRORS_SHORT_DESCRIPTION


def get_anomalies_slicer(anomalies: anomalies_pb2.Anomalies) -> SliceFunction:
    """A function that puts examples into a slice for each anomaly."""

    def slice_by_anomaly(example: pa.RecordBatch) -> Iterator[tuple[str, pa.RecordBatch]]:
        for name, info in anomalies.anomaly_info.items():
            for reason in info.reason:
                yield f"{name}_{anomalies_pb2.AnomalyInfo.Type.Name(reason.type)}", example

    return slice_by_anomaly


def _schema_of(options: StatsOptions) -> schema_pb2.Schema:
    if options.schema is None:
        raise ValueError(
            "The specified stats_options must include a schema: StatsOptions(schema=schema)."
        )
    return options.schema


def _to_example(row: pa.RecordBatch) -> Any:
    from trainwright.data.example_messages import example_class

    example = example_class()()
    for name, [values] in row.to_pydict().items():
        feature = example.features.feature[name]
        if values:
            getattr(feature, _LISTS[type(values[0])]).value.extend(values)
    return example


def _to_frame(rows: Sequence[pa.RecordBatch]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(
        [
            {name: _unwrap(values) for name, values in row.items()}
            for batch in rows
            for row in batch.to_pylist()
        ]
    )


def _unwrap(values: list[Any] | None) -> Any:
    """The only value of a cell."""
    return values[0] if values is not None and len(values) == 1 else values
