"""Transformed examples: a file for each file of raw examples."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tensorflow_metadata.proto.v0 import schema_pb2
from tensorflow_transform import impl_helper

from trainwright.components.transform.splits import SplitFiles
from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.engine.engine import Engine, ReportProgress
from trainwright.engine.passes import PassSpec, Shard
from trainwright.transform.transformed_files import (
    file_ending,
    open_transformed_file,
    payload_format_of_transformed,
)
from trainwright.types import splits

_TRANSFORM = "trainwright.transform.transform_pass:TransformPass"
_PREFIX = "transformed_examples"


@dataclass(frozen=True)
class Materialized:
    """What was written.

    Args:
        paths: The files, in order.
        examples: The number of examples by split.
    """

    paths: Sequence[str]
    examples: dict[str, int]


def materialize(
    split_files: Sequence[SplitFiles],
    directory: str,
    *,
    function_directory: str,
    examples: ExampleFiles,
    schema: schema_pb2.Schema,
    engine: Engine,
    report_progress: ReportProgress,
) -> Materialized:
    """Writes `Split-<name>/transformed_examples-<number>-of-<count>.gz`, or `.parquet`.

    A split without files gets one without examples, so that whoever reads it finds something.

    Args:
        split_files: The raw examples. Files of one split and several artifacts are numbered on.
        directory: Where the splits go, as far as they have no place of their own.
        function_directory: The SavedModel of the transform graph.
        examples: How the raw examples are parsed.
        schema: That of the transformed examples.
        engine: What runs the pass.
        report_progress: Told how many examples were written so far.
    """
    names = list(dict.fromkeys(one.split for one in split_files))
    ending = file_ending(payload_format_of_transformed(examples.payload_format))
    shards = []
    paths = []
    for split_directory, (name, sources) in _by_directory(split_files, directory).items():
        outputs = list(_output_paths(split_directory, len(sources) or 1, ending))
        paths.extend(outputs)
        for fields, output in zip(examples.at(*sources).shards(), outputs, strict=False):
            fields["config"].update(output=output, split=name)
            fields["writes"] = ["output"]
            shards.append(Shard.from_json(fields))
        if not sources:
            converter = impl_helper.make_tensor_to_arrow_converter(schema)
            with open_transformed_file(outputs[0], schema, converter.arrow_schema()):
                pass
    encoded = base64.b64encode(schema.SerializeToString(deterministic=True)).decode()
    spec = PassSpec(
        _TRANSFORM,
        {
            "function_directory": function_directory,
            "examples": examples.to_json(),
            "schema": encoded,
        },
        files=[("function_directory",), ("examples", "data_view")],
    )
    counts = dict.fromkeys(names, 0)
    written = engine.map(spec, shards, report_progress) if shards else []
    for shard, result in zip(shards, written, strict=True):
        counts[shard.config["split"]] += result["examples"]
    return Materialized(paths, counts)


def _by_directory(
    split_files: Sequence[SplitFiles], directory: str
) -> dict[str, tuple[str, list[str]]]:
    """The split and its raw files, by the directory that the transformed ones go to."""
    found: dict[str, tuple[str, list[str]]] = {}
    for one in split_files:
        output = one.output_directory or os.path.join(directory, splits.split_directory(one.split))
        found.setdefault(output, (one.split, []))[1].extend(one.paths)
    return found


def _output_paths(directory: str, count: int, ending: str) -> Iterator[str]:
    os.makedirs(directory)
    for number in range(count):
        yield os.path.join(directory, f"{_PREFIX}-{number:05}-of-{count:05}{ending}")
