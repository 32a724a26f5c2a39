"""BigQueryToElwcExampleGen: the rows of a query as lists of examples with a context."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from google.protobuf import json_format

from trainwright.compat.google_cloud.big_query_examples import (
    CLIENT_LIBRARY,
    ask,
    one_config,
    parse_gcp_project,
    row_to_dict,
)
from trainwright.components.example_gen.base_example_gen_executor import BaseExampleGenExecutor
from trainwright.components.example_gen.component import QueryBasedExampleGen
from trainwright.components.example_gen.dict_examples import serialize_example
from trainwright.components.example_gen.split_config import InputLike, OutputLike
from trainwright.data.example_codec import encode_varint
from trainwright.dsl.executor_spec import BeamExecutorSpec
from trainwright.proto import example_gen_pb2
from trainwright.proto.google_cloud import elwc_config_pb2

# The fields of tensorflow.serving.ExampleListWithContext, as protobuf writes them.
_EXAMPLES_TAG = b"\x0a"
_CONTEXT_TAG = b"\x12"


class ElwcExecutor(BaseExampleGenExecutor):
    """Asks BigQuery and puts the rows with the same context into one message."""

    REPLACES_BEAM = True
    REQUIRED_MODULES = CLIENT_LIBRARY

    def read_examples(
        self, files: Sequence[str], exec_properties: Mapping[str, Any]
    ) -> Iterator[bytes]:
        [query] = files
        types, rows = ask(query, parse_gcp_project(self._beam_pipeline_args))
        context_fields = read_context_fields(exec_properties)
        missing = [name for name in context_fields if name not in types]
        if missing:
            raise RuntimeError(
                "Context feature fields are missing from the query. It has no column "
                f"{', '.join(missing)}."
            )
        yield from group_by_context((row_to_dict(types, row) for row in rows), context_fields)

    def GetInputSourceToExamplePTransform(self) -> Any:
        """Returns a Beam transform that asks and groups in one step."""
        from trainwright._imports import require

        beam = require("apache_beam", extra="beam")
        return lambda exec_properties, query: beam.Create(
            list(self.read_examples([query], exec_properties))
        )


class BigQueryToElwcExampleGen(QueryBasedExampleGen):
    """Writes the rows of queries in BigQuery as messages ExampleListWithContext.

    It needs `pip install google-cloud-bigquery` and an account on Google Cloud.

    Args:
        query: The query, if there is one: its result is divided into splits.
        elwc_config: The columns that are the context.
        input_config: The query of each input split instead, as its pattern.
        output_config: Into which splits the result of one query is divided.

    Raises:
        RuntimeError: unless either `query` or `input_config` is given, and `elwc_config`.
    """

    EXECUTOR_SPEC = BeamExecutorSpec(ElwcExecutor)

    def __init__(
        self,
        query: str | None = None,
        elwc_config: elwc_config_pb2.ElwcConfig | None = None,
        input_config: InputLike | None = None,
        output_config: OutputLike | None = None,
    ) -> None:
        config = one_config(query, input_config)
        if not elwc_config:
            raise RuntimeError("elwc_config is required for BigQueryToElwcExampleGen.")
        packed = example_gen_pb2.CustomConfig()
        packed.custom_config.Pack(elwc_config)
        super().__init__(
            input_config=config,
            output_config=output_config,
            output_data_format=example_gen_pb2.FORMAT_PROTO,
            custom_config=packed,
        )


def read_context_fields(exec_properties: Mapping[str, Any]) -> list[str]:
    """The columns that an ExampleGen's `custom_config` makes the context."""
    packed = json_format.Parse(exec_properties["custom_config"], example_gen_pb2.CustomConfig())
    config = elwc_config_pb2.ElwcConfig()
    packed.custom_config.Unpack(config)
    return list(config.context_feature_fields)


def group_by_context(
    rows: Iterator[Mapping[str, Any]], context_fields: Sequence[str]
) -> Iterator[bytes]:
    """The rows as serialized messages, in the order in which their contexts come first."""
    groups: dict[bytes, list[bytes]] = {}
    for row in rows:
        context = {name: row[name] for name in row if name in context_fields}
        example = {name: row[name] for name in row if name not in context_fields}
        groups.setdefault(_serialize(context), []).append(_serialize(example))
    for encoded_context, examples in groups.items():
        fields = [(_EXAMPLES_TAG, example) for example in examples]
        fields.append((_CONTEXT_TAG, encoded_context))
        yield b"".join(tag + encode_varint(len(data)) + data for tag, data in fields)


def _serialize(row: Mapping[str, Any]) -> bytes:
    return serialize_example(row, example_gen_pb2.FORMAT_TF_EXAMPLE, "a row of BigQuery")
