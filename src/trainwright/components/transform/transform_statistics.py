"""The statistics of raw and of transformed examples, with their schemas and anomalies."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from tensorflow_metadata.proto.v0 import anomalies_pb2, schema_pb2, statistics_pb2

from trainwright.components.anomalies_output import (
    DEFAULT_FILE_NAME as ANOMALIES_FILE_NAME,
)
from trainwright.components.transform.stats_options_util import AssignableStatsOptions, StatsType
from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.engine.engine import Engine, ReportProgress
from trainwright.schemas.schema_file import SCHEMA_FILE_NAME, write_schema
from trainwright.schemas.statistics_file import STATISTICS_FILE_NAME
from trainwright.schemas.validation import validate_statistics
from trainwright.statistics.generate import generate_statistics
from trainwright.statistics.stats_options import StatsOptions

StatsOptionsUpdater = Callable[[StatsType, StatsOptions], Any]


def choose_options(
    stats_type: StatsType, schema: schema_pb2.Schema, updater: StatsOptionsUpdater | None
) -> StatsOptions:
    """The options for these statistics: with the schema, and as the user's function wants them."""
    own = schema_pb2.Schema()
    own.CopyFrom(schema)
    options = AssignableStatsOptions(schema=own)
    if updater is None:
        return options
    updated = updater(stats_type, options)
    if updated is None:
        raise ValueError(
            f"stats_options_updater_fn returned None for {stats_type}. Expected the options: does "
            "it end with `return stats_options`?"
        )
    return StatsOptions.from_any(updated)


def write_statistics(
    examples: ExampleFiles,
    options: StatsOptions,
    *,
    statistics_uri: str,
    schema_uri: str,
    engine: Engine,
    report_progress: ReportProgress,
) -> statistics_pb2.DatasetFeatureStatisticsList:
    """Computes the statistics of all files together; writes them and the schema."""
    statistics = generate_statistics(
        examples,
        options,
        engine=engine,
        report_progress=report_progress,
    )
    os.makedirs(statistics_uri, exist_ok=True)
    with open(os.path.join(statistics_uri, STATISTICS_FILE_NAME), "wb") as file:
        file.write(statistics.SerializeToString(deterministic=True))
    schema = options.schema or schema_pb2.Schema()
    write_schema(os.path.join(schema_uri, SCHEMA_FILE_NAME), schema)
    return statistics


def write_anomalies(
    statistics: statistics_pb2.DatasetFeatureStatisticsList,
    schema: schema_pb2.Schema | None,
    uri: str,
) -> anomalies_pb2.Anomalies:
    """Holds statistics against the schema and writes what does not fit."""
    anomalies = validate_statistics(statistics, schema or schema_pb2.Schema())
    os.makedirs(uri, exist_ok=True)
    with open(os.path.join(uri, ANOMALIES_FILE_NAME), "wb") as file:
        file.write(anomalies.SerializeToString(deterministic=True))
    return anomalies
