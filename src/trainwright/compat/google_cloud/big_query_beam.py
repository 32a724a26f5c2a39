"""Beam transforms that read from BigQuery. Importing this imports Beam."""

from __future__ import annotations

from typing import Any

from trainwright._imports import require
from trainwright.compat.google_cloud.big_query_examples import (
    BigQueryConverter,
    beam_settings,
    parse_gcp_project,
)

beam: Any = require("apache_beam", extra="beam")


@beam.ptransform_fn  # type: ignore[untyped-decorator]
def ReadFromBigQuery(
    pipeline: Any, query: str, big_query_custom_config: dict[str, Any] | None = None
) -> Any:
    """The rows of a query's result as dicts; needs `pip install 'apache-beam[gcp]'`.

    Args:
        pipeline: The Beam pipeline.
        query: The query, in standard SQL.
        big_query_custom_config: More arguments for Beam's `ReadFromBigQuery`.
    """
    read = beam.io.ReadFromBigQuery(
        query=query, use_standard_sql=True, **(big_query_custom_config or {})
    )
    return pipeline | "ReadFromBigQuery" >> read


@beam.ptransform_fn  # type: ignore[untyped-decorator]
def BigQueryToExample(pipeline: Any, exec_properties: dict[str, Any], split_pattern: str) -> Any:
    """The rows of a query's result as tf.Examples.

    Args:
        pipeline: The Beam pipeline.
        exec_properties: The properties of an ExampleGen, with `_beam_pipeline_args`.
        split_pattern: The query.
    """
    project = parse_gcp_project(exec_properties["_beam_pipeline_args"])
    converter = BigQueryConverter(split_pattern, project)
    rows = pipeline | "QueryTable" >> ReadFromBigQuery(
        query=split_pattern, big_query_custom_config=beam_settings(exec_properties)
    )
    return rows | "ToTFExample" >> beam.Map(converter.RowToExample)
