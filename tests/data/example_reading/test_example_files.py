"""Choice of the files that are read and how, before anything is decoded."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from google.protobuf import text_format
from tensorflow_metadata.proto.v0 import schema_pb2

from trainwright.data.example_messages import example_class
from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.data.example_reading.serialized_batches import cut_batches
from trainwright.data.tfrecord import TFRecordError, open_gzip_writer
from trainwright.engine.passes import Shard
from trainwright.proto import example_gen_pb2
from trainwright.types.payload_format import DATA_VIEW_URI_PROPERTY_KEY, set_payload_format
from trainwright.types.standard_artifacts import Examples

SCHEMA = text_format.Parse('feature { name: "id" type: INT }', schema_pb2.Schema())
MEGABYTE = 1 << 20


def write(path, count, start=0):
    path.parent.mkdir(parents=True, exist_ok=True)
    records = []
    for number in range(start, start + count):
        example = example_class()()
        example.features.feature["id"].int64_list.value.append(number)
        records.append(example.SerializeToString())
    with open_gzip_writer(path) as write_all:
        write_all(records)
    return str(path)


def sizes(blocks, rows=None):
    return [len(batch) for batch in cut_batches(iter(blocks), rows)]


@pytest.mark.parametrize(
    ("blocks", "rows", "expected"),
    [
        ([], None, []),
        ([[b"x"] * 5], 1, [1] * 5),
        ([[b"x"] * 5, [b"x"] * 5], 4, [4, 4, 2]),
        # Enough is both, records and bytes.
        ([[b"x"] * 999] * 3, None, [2997]),
        ([[b"x" * MEGABYTE]] * 4, None, [4]),
        ([[b"x" * 4000] * 600] * 5, None, [1200, 1200, 600]),
        # Whatever is asked for, 32 MB are enough.
        ([[b"x" * MEGABYTE] * 8] * 9, None, [32, 32, 8]),
        ([[b"x" * MEGABYTE] * 8] * 9, 1000, [32, 32, 8]),
        ([[b"x" * MEGABYTE] * 8] * 9, 30, [30, 30, 12]),
    ],
)
def test_batches_are_cut_by_rows_and_bytes(blocks, rows, expected):
    assert sizes(blocks, rows) == expected


def test_batches_do_not_reach_over_files(tmp_path):
    files = ExampleFiles(paths=[write(tmp_path / "a.gz", 5), write(tmp_path / "b.gz", 3, 5)])
    assert [len(batch) for batch in files.batches(4)] == [4, 1, 3]
    assert len(list(files.records())) == 8
    found = list(files.arrow_batches(4))
    assert [(one.first, one.examples) for one in found] == [(0, 4), (4, 1), (0, 3)]
    assert found[2].batch.to_pydict() == {"id": [[5], [6], [7]]}


def test_batches_to_parse_are_smaller_if_there_are_many_features(tmp_path):
    path = write(tmp_path / "a.gz", 5000)
    wide = schema_pb2.Schema(feature=[schema_pb2.Feature(name=str(n)) for n in range(1000)])
    for schema, rows in ((None, 4096), (SCHEMA, 4096), (wide, 1048)):
        files = ExampleFiles(paths=[path], schema=schema)
        assert len(next(files.parsed_batches())) == rows


def test_how_files_are_read_travels_as_json_and_which_as_shards(tmp_path):
    path = write(tmp_path / "a.gz", 2)
    files = ExampleFiles(
        paths=[path], payload_format=example_gen_pb2.FORMAT_PROTO, data_view="v", schema=SCHEMA
    )
    [shard] = [Shard.from_json(json.loads(json.dumps(one))) for one in files.shards()]
    assert (shard.name, shard.size) == (path, (tmp_path / "a.gz").stat().st_size)
    there = ExampleFiles.from_json(json.loads(json.dumps(files.to_json())))
    assert there.at(shard.config["path"]).with_schema(there.schema) == files.at(path)


def test_artifacts_know_their_files_and_formats(tmp_path):
    artifacts = []
    for span in range(2):
        artifact = Examples()
        artifact.uri, artifact.splits = str(tmp_path / str(span)), ["train", "eval"]
        set_payload_format(artifact, example_gen_pb2.FORMAT_PROTO)
        artifact.set_string_custom_property(DATA_VIEW_URI_PROPERTY_KEY, "views/1")
        for split in artifact.splits:
            write(tmp_path / str(span) / f"Split-{split}" / "data.gz", 1)
        artifacts.append(artifact)
    files = ExampleFiles.of_splits(artifacts, ["eval", "train"])
    assert files.data_view == "views/1"
    assert files.paths == [
        str(tmp_path / span / f"Split-{split}" / "data.gz")
        for split in ("eval", "train")
        for span in ("0", "1")
    ]
    with pytest.raises(ValueError, match="Split does not exist over all example artifacts: test"):
        ExampleFiles.of_splits(artifacts, ["test"])


@pytest.mark.parametrize(
    ("payload_format", "received"),
    [
        (example_gen_pb2.FORMAT_PROTO, "in FORMAT_PROTO, and no DataView is bound to them"),
        (example_gen_pb2.FORMAT_UNSPECIFIED, "in FORMAT_UNSPECIFIED, which cannot be read"),
        (99, r"in an unknown format \(99\), which cannot be read"),
    ],
)
def test_what_cannot_be_decoded_is_refused_with_what_to_do(payload_format, received):
    with pytest.raises(ValueError, match=received) as raised:
        ExampleFiles(payload_format=payload_format)
    assert "Expected one of FORMAT_TF_EXAMPLE, FORMAT_TF_SEQUENCE_EXAMPLE" in str(raised.value)
    assert "DataViewBinder" in str(raised.value)


def test_a_damaged_file_gives_what_comes_before(tmp_path):
    path = write(tmp_path / "a.gz", 2)
    (tmp_path / "b.gz").write_bytes(b"not a TFRecord file at all")
    batches = ExampleFiles(paths=[path, str(tmp_path / "b.gz")]).batches()
    assert len(next(batches)) == 2
    with pytest.raises(TFRecordError, match=r"b\.gz"):
        next(batches)


def test_statistics_read_every_format_of_their_own_without_tensorflow(tmp_path):
    path = write(tmp_path / "a.gz", 3)
    code = (
        "import sys\n"
        "from trainwright.data.example_reading.example_files import ExampleFiles\n"
        "from trainwright.statistics import generate_statistics\n"
        f"assert generate_statistics([{path!r}]).datasets[0].num_examples == 3\n"
        "for payload_format in (6, 7, 15):\n"
        "    generate_statistics(ExampleFiles(payload_format=payload_format))\n"
        "sys.exit('tensorflow' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
