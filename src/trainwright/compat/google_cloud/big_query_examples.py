"""BigQueryExampleGen: the result of a query in BigQuery as examples.

Queries are asked with Google's client library, `pip install google-cloud-bigquery`, and the account
that it finds in the environment: neither Beam nor a bucket is needed. Settings for Beam's
`ReadFromBigQuery`, in `custom_config`, make Beam read the result, as in TFX.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from trainwright._imports import require
from trainwright.components.example_gen.base_example_gen_executor import BaseExampleGenExecutor
from trainwright.components.example_gen.component import CustomConfigLike, QueryBasedExampleGen
from trainwright.components.example_gen.dict_examples import dict_to_example
from trainwright.components.example_gen.request import Request
from trainwright.components.example_gen.span_range import RangeLike
from trainwright.components.example_gen.split_config import InputLike, OutputLike
from trainwright.components.example_gen.user_helpers import make_default_input_config
from trainwright.dsl.executor_spec import BeamExecutorSpec, ExecutorSpec
from trainwright.types.artifact import Artifact
from trainwright.types.runtime_parameter import RuntimeParameter

_PACKAGE = "google-cloud-bigquery"
CLIENT_LIBRARY = {"google.cloud.bigquery": f"pip install {_PACKAGE}"}

_CONVERTERS: dict[str, Callable[[Any], Any]] = {
    "INTEGER": int,
    "BOOLEAN": int,
    "FLOAT": float,
    "STRING": str,
}


def row_to_dict(
    field_to_type: Mapping[str, str], field_name_to_data: Mapping[str, Any]
) -> dict[str, Any]:
    """A row with values that a tf.Example can hold; a boolean becomes 0 or 1.

    Raises:
        RuntimeError: if a column is not INTEGER, BOOLEAN, FLOAT or STRING.
    """
    row: dict[str, Any] = {}
    for name, value in field_name_to_data.items():
        kind = field_to_type[name]
        if kind not in _CONVERTERS and value is not None:
            raise RuntimeError(
                f'BigQuery column "{name}" has non-supported type {kind}. Cast it in the query to '
                "one of INT64, BOOL, FLOAT64 or STRING."
            )
        if value is not None:
            values = value if isinstance(value, list) else [value]
            value = [_CONVERTERS[kind](one) for one in values]
        row[name] = value
    return row


def row_to_example(field_to_type: Mapping[str, str], field_name_to_data: Mapping[str, Any]) -> Any:
    """A `tf.train.Example` of a row; `row_to_dict` says of which columns."""
    return dict_to_example(row_to_dict(field_to_type, field_name_to_data))


def parse_gcp_project(beam_pipeline_args: Sequence[str]) -> str | None:
    """The project that Beam's flags name.

    >>> parse_gcp_project(["--runner=DirectRunner", "--project=my-project"])
    'my-project'
    """
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--project")
    project: str | None = parser.parse_known_args(list(beam_pipeline_args))[0].project
    return project


class BigQueryConverter:
    """Asks for the types of a query's columns, to convert its rows.

    Args:
        query: The query.
        project_id: The project that pays for it; by default that of the environment.
    """

    def __init__(self, query: str, project_id: str | None = None) -> None:
        bigquery = require_client()
        client = bigquery.Client(project=project_id)
        # The query is the user's own; it comes from the pipeline, as the one that is asked in full.
        result = client.query(f"SELECT * FROM ({query}) LIMIT 0").result()  # noqa: S608
        self.types = {field.name: field.field_type for field in result.schema}

    def RowToExample(self, instance: Mapping[str, Any]) -> Any:
        """A `tf.train.Example` of a row."""
        return row_to_example(self.types, instance)


class Executor(BaseExampleGenExecutor):
    """Asks BigQuery and writes the rows as tf.Examples."""

    REPLACES_BEAM = True
    REQUIRED_MODULES = CLIENT_LIBRARY

    def read_examples(
        self, files: Sequence[str], exec_properties: Mapping[str, Any]
    ) -> Iterator[Any]:
        [query] = files
        types, rows = ask(query, parse_gcp_project(self._beam_pipeline_args))
        for row in rows:
            yield row_to_dict(types, row)

    def write_examples(self, request: Request, examples: Artifact) -> None:
        if request.exec_properties.get("custom_config"):
            self._write_by_beam(request, examples)
        else:
            super().write_examples(request, examples)

    def GetInputSourceToExamplePTransform(self) -> Any:
        """Returns the Beam transform that reads the result of a query."""
        from trainwright.compat.google_cloud.big_query_beam import BigQueryToExample

        return BigQueryToExample


class BigQueryExampleGen(QueryBasedExampleGen):
    """Writes the result of queries in BigQuery as examples, in splits.

    It needs `pip install google-cloud-bigquery` and an account on Google Cloud. The project is that
    of the environment, or of the flag `--project` among the `beam_pipeline_args`.

    Args:
        query: The query, if there is one: its result is divided into splits.
        input_config: The query of each input split instead, as its pattern.
        output_config: Into which splits the result of one query is divided.
        range_config: Which span stands for placeholders such as `@span_yyyymmdd_utc`.
        custom_executor_spec: Another executor.
        custom_config: Settings for Beam's `ReadFromBigQuery`, which then reads the result.

    Raises:
        RuntimeError: unless either `query` or `input_config` is given.
    """

    EXECUTOR_SPEC = BeamExecutorSpec(Executor)

    def __init__(
        self,
        query: str | None = None,
        input_config: InputLike | RuntimeParameter | None = None,
        output_config: OutputLike | RuntimeParameter | None = None,
        range_config: RangeLike | RuntimeParameter | None = None,
        custom_executor_spec: ExecutorSpec | None = None,
        custom_config: CustomConfigLike | RuntimeParameter | None = None,
    ) -> None:
        super().__init__(
            input_config=one_config(query, input_config),
            output_config=output_config,
            custom_config=custom_config,
            range_config=range_config,
            custom_executor_spec=custom_executor_spec,
        )


def one_config(query: str | None, input_config: Any) -> Any:
    """The input config of a component that takes a query or a config, and one of them alone."""
    if bool(query) == bool(input_config):
        raise RuntimeError("Exactly one of query and input_config should be set.")
    return input_config or make_default_input_config(str(query))


def ask(query: str, project: str | None) -> tuple[dict[str, str], Iterator[Mapping[str, Any]]]:
    """The types of the columns and the rows of a query's result."""
    result = require_client().Client(project=project).query(query).result()
    types = {field.name: field.field_type for field in result.schema}
    return types, (dict(row.items()) for row in result)


def require_client() -> Any:
    """Google's client library for BigQuery."""
    return require("google.cloud.bigquery", package=_PACKAGE)


def beam_settings(exec_properties: Mapping[str, Any]) -> dict[str, Any]:
    """The settings for Beam's ReadFromBigQuery in an ExampleGen's `custom_config`."""
    given = exec_properties.get("custom_config")
    settings: dict[str, Any] = json.loads(given) if given else {}
    return settings
