"""Statistics of files and of data frames."""

from __future__ import annotations

import glob
import os
import tempfile
from typing import Any, TypeAlias

from tensorflow_metadata.proto.v0 import statistics_pb2

from trainwright.components.example_gen.dict_examples import serialize_example
from trainwright.data.csv_to_examples import convert_csv_to_examples
from trainwright.data.example_messages import example_class
from trainwright.data.tfrecord import open_gzip_writer, read_records
from trainwright.proto import example_gen_pb2
from trainwright.statistics.generate import generate_statistics
from trainwright.statistics.stats_options import StatsOptions

_Statistics: TypeAlias = statistics_pb2.DatasetFeatureStatisticsList


def generate_statistics_from_tfrecord(
    data_location: str,
    output_path: str | None = None,
    stats_options: StatsOptions | None = None,
    pipeline_options: Any | None = None,
) -> _Statistics:
    """The statistics of tf.Examples in TFRecord files.

    Args:
        data_location: A file, or a pattern of several.
        output_path: Where to write them, too, in binary form.
        stats_options: What to compute.
        pipeline_options: Of Beam, in TFDV; refused, since this machine does the work.
    """
    _refuse_pipeline_options(pipeline_options)
    return _generate(_find(data_location), stats_options, output_path)


def generate_statistics_from_csv(
    data_location: str,
    column_names: list[str] | None = None,
    delimiter: str = ",",
    output_path: str | None = None,
    stats_options: StatsOptions | None = None,
    pipeline_options: Any | None = None,
    compression_type: str = "auto",
) -> _Statistics:
    """The statistics of CSV files with a header, as CsvExampleGen reads them.

    Args:
        data_location: A file, or a pattern of several.
        column_names: For files without a header, in TFDV; refused.
        delimiter: A comma.
        output_path: Where to write the statistics, too, in binary form.
        stats_options: What to compute.
        pipeline_options: Of Beam, in TFDV; refused.
        compression_type: Found out from the file.
    """
    _refuse_pipeline_options(pipeline_options)
    if column_names is not None or delimiter != ",":
        raise ValueError(
            "CSV files are read with a header and commas, as CsvExampleGen reads them; got "
            f"column_names={column_names!r}, delimiter={delimiter!r}. Read others with pandas and "
            "use generate_statistics_from_dataframe."
        )
    with tempfile.TemporaryDirectory() as directory:
        convert_csv_to_examples({"all": _find(data_location)}, directory)
        files = sorted(glob.glob(os.path.join(glob.escape(directory), "Split-all", "*")))
        for path in files:
            _drop_empty_features(path)
        return _generate(files, stats_options, output_path)


def generate_statistics_from_dataframe(
    dataframe: Any, stats_options: StatsOptions | None = None, n_jobs: int = 1
) -> _Statistics:
    """The statistics of a pandas data frame.

    Args:
        dataframe: Its columns are features; what is missing in a row, the example does not have.
        stats_options: What to compute.
        n_jobs: TFDV's; one process is enough for what is in memory.
    """
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "examples.gz")
        with open_gzip_writer(path) as write:
            write([_serialize(row, number) for number, row in enumerate(_rows(dataframe))])
        return _generate([path], stats_options, None)


def _rows(dataframe: Any) -> list[dict[str, Any]]:
    present = dataframe.notna()
    return [
        {str(name): value for name, value in row.items() if present.at[index, name]}
        for index, row in dataframe.to_dict(orient="index").items()
    ]


def _serialize(row: dict[str, Any], number: int) -> bytes:
    return serialize_example(row, example_gen_pb2.FORMAT_TF_EXAMPLE, f"row {number}")


def _drop_empty_features(path: str) -> None:
    """An empty cell is a missing feature to TFDV, to CsvExampleGen a feature without values."""
    records = []
    for record in read_records(path):
        example = example_class().FromString(record)
        features = example.features.feature
        for name in [name for name, one in features.items() if not _has_values(one)]:
            del features[name]
        records.append(example.SerializeToString())
    with open_gzip_writer(path) as write:
        write(records)


def _find(pattern: str) -> list[str]:
    files = sorted(glob.glob(pattern)) or [pattern]
    if not os.path.exists(files[0]):
        raise FileNotFoundError(f"There are no files at {pattern!r}.")
    return files


def _generate(
    files: list[str], stats_options: StatsOptions | None, output_path: str | None
) -> _Statistics:
    options = None if stats_options is None else StatsOptions.from_any(stats_options)
    statistics = generate_statistics(files, options)
    if output_path:
        with open(output_path, "wb") as file:
            file.write(statistics.SerializeToString(deterministic=True))
    return statistics


def _refuse_pipeline_options(pipeline_options: Any | None) -> None:
    if pipeline_options is not None:
        raise ValueError(
            "pipeline_options are for Beam, and this machine computes the statistics. Leave them "
            "out."
        )


def _has_values(feature: Any) -> bool:
    kind = feature.WhichOneof("kind")
    return kind is not None and len(getattr(feature, kind).value) > 0
