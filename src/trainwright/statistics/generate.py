"""generate_statistics: from example files to statistics."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.engine.engine import Engine, ReportProgress
from trainwright.engine.local_engine import LocalEngine
from trainwright.engine.passes import PassSpec, Shard
from trainwright.statistics.stats_options import StatsOptions

if TYPE_CHECKING:
    from tensorflow_metadata.proto.v0 import statistics_pb2

_STATISTICS = "trainwright.statistics.statistics_pass:StatisticsPass"


def generate_statistics(
    files: ExampleFiles | Sequence[str | os.PathLike[str]],
    options: StatsOptions | None = None,
    *,
    engine: Engine | None = None,
    report_progress: ReportProgress | None = None,
) -> statistics_pb2.DatasetFeatureStatisticsList:
    """The statistics of the examples in files, as TFDV computes them, in one pass.

    Counts, means, extremes and lengths are exact. Medians and histograms come from a sketch whose
    error is `options.epsilon`; the numbers of frequent and of different values are exact up to
    100 000 different values of a feature: see `Quantiles`, `ValueCounts` and `ValueSketches`. The
    result depends on the files, their order and the options, and on nothing else.

    Args:
        files: Each is a shard: TFRecord files of tf.Examples, gzip or plain, or `ExampleFiles` of
            any payload format.
        options: What to compute.
        engine: What runs the pass; by default `LocalEngine()`.
        report_progress: Told how many examples were read so far.

    Raises:
        ModuleNotFoundError: if tfx-bsl is not installed.
        ShardError: if a file cannot be read; the message says which, where and why.
        FeatureTypeError: if a feature has different types in different files.

    Example:
        ```py
        statistics = generate_statistics(["data_tfrecord-00000-of-00001.gz"])
        print(statistics.datasets[0].num_examples)
        ```
    """
    from trainwright.data.example_reading.arrow_decoding import make_decoder

    # Statistics are of all that is in the records, whatever a schema says.
    examples = ExampleFiles.of_any(files).with_schema(None)
    make_decoder(examples)  # what is missing is said here, not by every shard
    options = options or StatsOptions()
    spec = PassSpec(
        _STATISTICS,
        {"options_json": options.to_json(), "examples": examples.to_json()},
        files=[("examples", "data_view")],
    )
    shards = [Shard.from_json(shard) for shard in examples.shards()]
    statistics: statistics_pb2.DatasetFeatureStatisticsList = (engine or LocalEngine()).accumulate(
        spec, shards, report_progress
    )
    return statistics
