"""generate_statistics: from example files to statistics."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from trainwright.engine.engine import Engine, ReportProgress
from trainwright.engine.local_engine import LocalEngine
from trainwright.engine.passes import PassSpec, Shard
from trainwright.proto import example_gen_pb2
from trainwright.statistics.stats_options import StatsOptions

if TYPE_CHECKING:
    from tensorflow_metadata.proto.v0 import statistics_pb2

_STATISTICS = "trainwright.statistics.statistics_pass:StatisticsPass"


def generate_statistics(
    files: Sequence[str | os.PathLike[str]],
    options: StatsOptions | None = None,
    *,
    payload_format: int = example_gen_pb2.FORMAT_TF_EXAMPLE,
    engine: Engine | None = None,
    report_progress: ReportProgress | None = None,
) -> statistics_pb2.DatasetFeatureStatisticsList:
    """The statistics of the examples in TFRecord files, as TFDV computes them, in one pass.

    Counts, means, extremes and lengths are exact. Medians and histograms come from a sketch whose
    error is `options.epsilon`; the numbers of frequent and of different values are exact up to
    100 000 different values of a feature: see `Quantiles`, `ValueCounts` and `ValueSketches`. The
    result depends on the files, their order and the options, and on nothing else.

    Args:
        files: TFRecord files, gzip or plain; each is a shard.
        options: What to compute.
        payload_format: What the records are: tf.Example or tf.SequenceExample.
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
    from trainwright.statistics.example_batches import make_decoder

    make_decoder(payload_format)  # what is missing is said here, not by every shard
    options = options or StatsOptions()
    spec = PassSpec(
        _STATISTICS, {"options_json": options.to_json(), "payload_format": int(payload_format)}
    )
    shards = [
        Shard(name=path, config={"path": path}, size=os.path.getsize(path))
        for path in (os.fspath(file) for file in files)
    ]
    statistics: statistics_pb2.DatasetFeatureStatisticsList = (engine or LocalEngine()).accumulate(
        spec, shards, report_progress
    )
    return statistics
