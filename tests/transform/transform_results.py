"""Results of a transform, by either implementation: transformed rows, schema, vocabularies."""

from __future__ import annotations

import base64
import json
import os
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf
import tensorflow_transform as tft
from google.protobuf import text_format
from tensorflow_metadata.proto.v0 import schema_pb2
from transform_data import SCHEMA, raw_examples

from trainwright.engine.engine import Engine
from trainwright.engine.local_engine import LocalEngine
from trainwright.engine.passes import PassSpec, Shard
from trainwright.transform.analysis import analyze
from trainwright.transform.analyzer_cache import AnalyzerCache, Dataset

Row = dict[str, list[Any]]


@dataclass(frozen=True)
class Result:
    """A transform graph and what it made of the rows, by their `id`.

    Args:
        schema: That of the transformed rows.
        rows: The values of each feature.
        files: The contents of the vocabularies, by file name.
        asset_map: The files that were given names.
    """

    schema: schema_pb2.Schema
    rows: dict[int, Row]
    files: dict[str, bytes]
    asset_map: dict[str, str]

    def to_json(self, most_rows: int) -> str:
        """For a golden file: some of the rows, and everything else."""
        rows = {
            number: {name: list(map(_to_text, values)) for name, values in row.items()}
            for number, row in sorted(self.rows.items())[:most_rows]
        }
        fields = {
            "rows": rows,
            "files": {name: list(map(_to_text, _lines(d))) for name, d in self.files.items()},
            "asset_map": self.asset_map,
            "schema": text_format.MessageToString(self.schema),
        }
        return json.dumps(fields, indent=0, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Result:
        fields = json.loads(text)
        return cls(
            schema=text_format.Parse(fields["schema"], schema_pb2.Schema()),
            rows={
                int(number): {name: list(map(_from_text, vs)) for name, vs in row.items()}
                for number, row in fields["rows"].items()
            },
            files={
                name: b"\n".join(map(_from_text, lines)) for name, lines in fields["files"].items()
            },
            asset_map=fields["asset_map"],
        )


def _to_text(value: Any) -> Any:
    return {"bytes": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def _from_text(value: Any) -> Any:
    return base64.b64decode(value["bytes"]) if isinstance(value, dict) else value


def _lines(data: bytes) -> list[bytes]:
    return data.split(b"\n")


def run_ours(
    preprocessing_fn: Any,
    paths: Sequence[str],
    directory: Path,
    *,
    schema: schema_pb2.Schema = SCHEMA,
    engine: Engine | None = None,
    force_tf_compat_v1: bool = False,
    cache: AnalyzerCache | None = None,
    datasets: Sequence[Dataset] | None = None,
) -> Result:
    """Analyzes, on the engine, and transforms, in this process, with Trainwright."""
    examples = raw_examples(schema)
    output = tempfile.mkdtemp(dir=directory)
    analyze(
        preprocessing_fn,
        examples,
        datasets or [Dataset("train", paths)],
        output,
        engine=engine or LocalEngine(1),
        temporary_directory=tempfile.mkdtemp(dir=directory),
        force_tf_compat_v1=force_tf_compat_v1,
        cache=cache,
    )
    transformed = tft.TFTransformOutput(output)
    encoded = transformed.transformed_metadata.schema.SerializeToString()
    spec = PassSpec(
        "trainwright.transform.transform_pass:TransformPass",
        {
            "function_directory": os.path.join(output, "transform_fn"),
            "examples": examples.to_json(),
            "schema": base64.b64encode(encoded).decode(),
        },
    )
    outputs = [f"{tempfile.mkdtemp(dir=directory)}/out.gz" for _ in paths]
    shards = [
        Shard(name=path, config={"path": path, "output": out}, size=os.path.getsize(path))
        for path, out in zip(paths, outputs, strict=True)
    ]
    counts = LocalEngine(1).map(spec, shards)
    result = read_result(output, outputs)
    assert sum(count["examples"] for count in counts) == len(result.rows)
    return result


def read_result(output: str | Path, paths: Sequence[str]) -> Result:
    """The result in a transform graph's directory and in files of transformed rows."""
    transformed = tft.TFTransformOutput(str(output))
    assets = Path(output) / "transform_fn" / "assets"
    rows: dict[int, Row] = {}
    for path in paths:
        for record in tf.data.TFRecordDataset(path, "GZIP").as_numpy_iterator():
            row = _decode(record)
            [number] = row["id"]
            assert number not in rows
            rows[int(number)] = row
    return Result(
        schema=transformed.transformed_metadata.schema,
        rows=rows,
        files={path.name: _content(path) for path in sorted(assets.glob("*"))},
        asset_map=_asset_map(output),
    )


def _asset_map(output: str | Path) -> dict[str, str]:
    path = Path(output) / "transformed_metadata" / tft.TFTransformOutput.ASSET_MAP
    return json.loads(path.read_text()) if path.exists() else {}


def _content(path: Path) -> bytes:
    """What a file says; of a compressed one the records, for compressors differ."""
    if path.suffix != ".gz":
        return path.read_bytes()
    return b"\n".join(tf.data.TFRecordDataset(str(path), "GZIP").as_numpy_iterator())


def _decode(record: bytes) -> Row:
    example = tf.train.Example.FromString(record)
    row = {}
    for name, feature in example.features.feature.items():
        kind = feature.WhichOneof("kind")
        row[name] = list(getattr(feature, kind).value) if kind else []
    return row


def assert_same(
    found: Result,
    expected: Result,
    *,
    tolerance: float = 1e-5,
    tolerances: Mapping[str, float] | None = None,
    rounded_files: Collection[str] = (),
) -> None:
    """Raises AssertionError with a line for each difference.

    Args:
        found: Ours.
        expected: tf.Transform's; it may have fewer rows.
        tolerance: The relative and absolute difference of numbers that is rounding.
        tolerances: Others, by feature.
        rounded_files: Files whose lines start with numbers, which may differ by rounding.
    """
    differences = list(differ(found, expected, tolerance, tolerances or {}, rounded_files))
    assert not differences, "\n".join(differences[:60])


def differ(
    found: Result,
    expected: Result,
    tolerance: float,
    tolerances: Mapping[str, float],
    rounded_files: Collection[str] = (),
) -> Iterator[str]:
    """Yields the differences in words."""
    if found.asset_map != expected.asset_map:
        yield f"asset map: {found.asset_map} != {expected.asset_map}"
    if found.schema != expected.schema:
        yield from _differ_in_schema(found.schema, expected.schema)
    for name in sorted(found.files.keys() | expected.files.keys()):
        ours, theirs = found.files.get(name), expected.files.get(name)
        if name in rounded_files and ours and theirs and _is_close_file(ours, theirs, tolerance):
            continue
        if ours != theirs:
            yield f"file {name}: {ours and ours[:300]!r} != {theirs and theirs[:300]!r}"
    features = sorted({name for row in expected.rows.values() for name in row})
    if missing := expected.rows.keys() - found.rows.keys():
        yield f"rows are missing: {sorted(missing)[:10]}"
    for name in features:
        bound = tolerances.get(name, tolerance)
        for number in sorted(expected.rows.keys() & found.rows.keys()):
            ours = found.rows[number].get(name)
            theirs = expected.rows[number].get(name)
            if not _is_close(ours, theirs, bound):
                yield f"{name} of row {number}: {ours} != {theirs}"
                break


def _is_close_file(ours: bytes, theirs: bytes, tolerance: float) -> bool:
    """Whether lines like `1.25,3.5 key` have the same keys and about the same numbers."""
    numbers, keys = [], []
    for lines in (ours, theirs):
        pairs = [line.partition(b" ") for line in lines.splitlines()]
        numbers.append([float(number) for text, _, _ in pairs for number in text.split(b",")])
        keys.append([key for _, _, key in pairs])
    return keys[0] == keys[1] and _is_close(*numbers, tolerance)


def _is_close(ours: list[Any] | None, theirs: list[Any] | None, tolerance: float) -> bool:
    if ours is None or theirs is None or len(ours) != len(theirs):
        return (ours or []) == (theirs or [])
    if ours and isinstance(ours[0], float):
        return np.allclose(ours, theirs, rtol=tolerance, atol=tolerance, equal_nan=True)
    return ours == theirs


def _differ_in_schema(found: schema_pb2.Schema, expected: schema_pb2.Schema) -> Iterator[str]:
    ours = {feature.name: feature for feature in found.feature}
    theirs = {feature.name: feature for feature in expected.feature}
    for name in sorted(ours.keys() | theirs.keys()):
        if ours.get(name) != theirs.get(name):
            yield f"schema of {name}: {ours.get(name)} != {theirs.get(name)}"
    first, second = schema_pb2.Schema(), schema_pb2.Schema()
    first.CopyFrom(found)
    second.CopyFrom(expected)
    for schema in (first, second):
        del schema.feature[:]
    if first != second:
        yield f"rest of the schema: {first} != {second}"
    if list(ours) != list(theirs):
        yield f"order of features: {list(ours)} != {list(theirs)}"
