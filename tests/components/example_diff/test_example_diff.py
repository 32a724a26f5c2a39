"""ExampleDiff: examples are paired by identifiers, and counted by what differs, as TFDV does."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from google.protobuf import json_format
from skew_cases import CASES

from trainwright import LocalDagRunner, Pipeline
from trainwright.components import CsvExampleGen, ExampleDiff
from trainwright.components.example_diff.driver import ExampleDiffDriver
from trainwright.components.example_diff.executor import Executor
from trainwright.components.example_diff.spill import SpillWriter, read_segments
from trainwright.data.example_messages import example_class, sequence_example_class
from trainwright.data.feature_skew_files import FeatureSkewFiles, read_feature_skew
from trainwright.data.tfrecord import open_gzip_writer
from trainwright.dsl.base_executor import ExecutorContext
from trainwright.engine.engine import InvalidInputError
from trainwright.proto.tfdv import feature_skew_results_pb2 as messages
from trainwright.types import standard_artifacts
from trainwright.types.channel import Channel

GOLDEN = Path(__file__).parent / "golden"
EXAMPLES = Channel(type=standard_artifacts.Examples)


def put(features, row):
    for name, values in row.items():
        feature = features[name]
        if values is None:
            continue
        kinds = {bytes: "bytes_list", float: "float_list"}
        kind = kinds.get(type(values[0]) if values else int, "int64_list")
        getattr(feature, kind).SetInParent()
        getattr(feature, kind).value.extend(values)


def to_record(row):
    example = example_class()()
    put(example.features.feature, row)
    return example.SerializeToString()


def examples_at(directory, payload_format="", **records_by_split):
    """Examples with two files in each split."""
    artifact = standard_artifacts.Examples()
    artifact.uri = str(directory)
    artifact.split_names = json.dumps(list(records_by_split))
    if payload_format:
        artifact.set_string_custom_property("payload_format", payload_format)
    for split, records in records_by_split.items():
        place = Path(directory) / f"Split-{split}"
        place.mkdir(parents=True)
        for number, part in enumerate((records[::2], records[1::2])):
            with open_gzip_writer(place / f"data-{number}.gz") as write:
                write(part)
    return artifact


class Diff:
    """The output of an ExampleDiff, and what it said meanwhile."""

    def __init__(self, artifact, progress):
        self.uri = artifact.uri
        self.summary = artifact.get_string_custom_property("summary")
        self.progress = progress

    @property
    def pairs(self):
        return read_feature_skew(self.uri)


def diff(directory, test, base, options, **properties):
    result = standard_artifacts.ExamplesDiff()
    result.uri = str(directory / "diff")
    progress = []
    context = ExecutorContext(
        tmp_dir=str(directory / "tmp"), unique_id="1", report_progress=progress.append
    )
    Executor(context).Do(
        {"examples": [test], "baseline_examples": [base]},
        {"example_diff_result": [result]},
        {"example_diff_config": json.dumps({"paired_example_skew": options}), **properties},
    )
    assert not list((directory / "tmp").rglob("*-*"))  # what was spilled is gone
    return Diff(result, progress)


def compare_rows(directory, base, test, **options):
    """What is found of one pair of splits."""
    made = (
        examples_at(directory / name, all=[to_record(row) for row in rows])
        for name, rows in (("test", test), ("base", base))
    )
    return diff(directory, *made, options)


@pytest.mark.parametrize("name", sorted(CASES))
def test_what_tfdv_finds_is_found(tmp_path, name):
    case = CASES[name]
    expected = json.loads((GOLDEN / f"{name}.json").read_text())
    found = compare_rows(tmp_path, case.base, case.test, **case.options).pairs["all_all"]
    assert in_order(found.features) == expected["skew_results"]
    assert in_order([found.match]) == expected["match_stats"]
    assert len(found.sample) == expected["sampled"]
    if expected["skew_pairs"]:
        assert sorted(map(differences, found.sample), key=json.dumps) == expected["skew_pairs"]
    if "confusion_pairs" in expected:
        assert in_order(found.confusion) == expected["confusion_pairs"]
    else:
        assert found.confusion is None


def in_order(found):
    as_dicts = (json_format.MessageToDict(one, preserving_proto_field_name=True) for one in found)
    return sorted(as_dicts, key=json.dumps)


def differences(pair):
    base = example_class().FromString(pair.base)
    names = ("base_only", "test_only", "matched", "mismatched")
    return {
        "id": base.features.feature["id"].bytes_list.value[0].decode(),
        **{name: sorted(getattr(pair, f"{name}_features")) for name in names},
    }


def test_files_are_named_as_in_tfx_and_confusion_is_there_only_if_asked_for(tmp_path):
    case = CASES["every_outcome"]
    found = compare_rows(tmp_path / "a", case.base, case.test, **case.options)
    names = sorted(path.name for path in Path(found.uri, "SplitPair-all_all").iterdir())
    ends = "-00000-of-00001"
    assert names == [f"match_stats{ends}", f"sample_pairs{ends}", f"skew_stats{ends}"]
    assert found.summary == (
        "all_all: 5 of 8 features differ in 3 pairs (gone in 1, kind in 1, new in 1, ...)"
    )
    assert {"reading": 8} in found.progress
    assert {"comparing": 3} in found.progress


def test_pairs_of_splits_are_all_or_those_that_are_asked_for(tmp_path):
    rows = [to_record({"id": [number], "x": [number]}) for number in range(6)]
    test = examples_at(tmp_path / "test", train=rows, eval=rows[:3])
    base = examples_at(tmp_path / "base", train=rows[1:], eval=rows)
    options = {"identifier_features": ["id"]}
    found = diff(tmp_path / "all", test, base, options)
    assert list(found.pairs) == ["eval_eval", "eval_train", "train_eval", "train_train"]
    assert len(found.summary.splitlines()) == 4
    assert found.pairs["eval_train"].match.matching_pairs_count == 2
    chosen = diff(tmp_path / "one", test, base, options, include_split_pairs='[["train", "eval"]]')
    assert list(chosen.pairs) == ["train_eval"]
    wanted = '[["train", "eval"], ["train", "serving"]]'
    with pytest.raises(ValueError, match="Missing split pairs .* train_serving"):
        diff(tmp_path / "none", test, base, options, include_split_pairs=wanted)


def test_any_number_of_partitions_and_processes_finds_the_same(tmp_path, monkeypatch):
    from trainwright.components.example_diff import comparison

    rows = [{"id": [b"%d" % n], "x": [n % 7], "k": [b"a"]} for n in range(3000)]
    other = [{"id": [b"%d" % n], "x": [n % 5], "k": [b"b"]} for n in range(500, 3500)]
    made = [
        examples_at(tmp_path / name, all=[to_record(row) for row in given])
        for name, given in (("test", other), ("base", rows))
    ]
    options = {
        "identifier_features": ["id"],
        "skew_sample_size": 17,
        "confusion_config": [{"feature_name": "k"}],
    }
    results = []
    for partitions in (1, 13):
        monkeypatch.setattr(comparison, "choose_partitions", lambda paths, n=partitions: n)
        found = diff(tmp_path / str(partitions), *made, options)
        files = sorted(Path(found.uri, "SplitPair-all_all").iterdir())
        results.append({path.name: path.read_bytes() for path in files})
        assert len(found.pairs["all_all"].sample) == 17
    assert results[0] == results[1]


def test_memory_is_bounded_by_a_partition(tmp_path):
    """What is held before it is written, and what one partition reads, stays small."""
    with open(tmp_path / "spilled", "wb") as file:
        spill = SpillWriter(file, 4, held_bytes=1000)
        keys = [hashlib.blake2b(b"%d" % n, digest_size=16).digest() for n in range(200)]
        for number, key in enumerate(keys):
            spill.add(key, b"record %d" % number)
            assert spill._size < 1000
        segments = spill.finish()
    assert len(segments) > 8
    read = [
        list(
            read_segments((file.name, start, length) for n, start, length in segments if n == part)
        )
        for part in range(4)
    ]
    assert sorted(pair for part in read for pair in part) == sorted(
        (key, b"record %d" % number) for number, key in enumerate(keys)
    )


def test_sequence_examples_are_compared_step_by_step(tmp_path):
    def to_sequence(number, steps):
        sequence = sequence_example_class()()
        put(sequence.context.feature, {"id": [number], "x": [1]})
        for values in steps:
            step = sequence.feature_lists.feature_list["steps"].feature.add()
            step.float_list.value.extend(values)
        sequence.feature_lists.feature_list["x"].feature.add().int64_list.value.append(number)
        return sequence.SerializeToString()

    kind = "FORMAT_TF_SEQUENCE_EXAMPLE"
    base = [to_sequence(1, [[1.0], [2.0]]), to_sequence(2, [[1.0]]), to_sequence(3, [])]
    test = [to_sequence(1, [[1.0], [2.0]]), to_sequence(2, [[1.0], []]), to_sequence(3, [[4.0]])]
    made = (
        examples_at(tmp_path / name, kind, all=rows) for name, rows in (("t", test), ("b", base))
    )
    found = diff(tmp_path, *made, {"identifier_features": ["id"]}).pairs["all_all"]
    by_name = {one.feature_name: one for one in found.features}
    assert sorted(by_name) == ["##SEQUENCE##.x", "steps", "x"]
    steps = by_name["steps"]
    assert (steps.match_count, steps.mismatch_count, steps.test_only) == (1, 1, 1)


def test_rows_of_parquet_are_compared_with_examples(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    directory = tmp_path / "base" / "Split-all"
    directory.mkdir(parents=True)
    table = pa.table({"id": [1, 2], "x": pa.array([0.5, 1.5], pa.float32())})
    pq.write_table(table, directory / "a.parquet")
    base = standard_artifacts.Examples()
    base.uri, base.split_names = str(directory.parent), '["all"]'
    base.set_string_custom_property("payload_format", "FORMAT_PARQUET")
    records = [to_record({"id": [1], "x": [0.5]}), to_record({"id": [2], "x": [9.0]})]
    test = examples_at(tmp_path / "test", all=records)
    found = diff(tmp_path, test, base, {"identifier_features": ["id"]}).pairs["all_all"]
    assert (found.features[0].match_count, found.features[0].mismatch_count) == (1, 1)


def test_an_identifier_that_no_example_has_is_refused_with_a_guess(tmp_path):
    rows = [{"trip_id": [1], "x": [1]}]
    with pytest.raises(InvalidInputError, match="none has .*'trip_idd'; did you mean 'trip_id'"):
        compare_rows(tmp_path, rows, rows, identifier_features=["trip_idd"])


def test_the_record_that_cannot_be_counted_or_decoded_is_named(tmp_path):
    rows = [{"id": [number], "kind": [b"a"]} for number in range(5)]
    mixed = [*rows[:4], {"id": [7], "kind": [b"a", b"b"]}]
    counted = {"identifier_features": ["id"], "confusion_config": [{"feature_name": "kind"}]}
    with pytest.raises(
        InvalidInputError, match=r"Record 2 of .*data-0\.gz.* has 2 strings as 'kin"
    ):
        compare_rows(tmp_path / "a", rows, mixed, **counted)
    counted["confusion_config"] = [{"feature_name": "id"}]
    with pytest.raises(InvalidInputError, match="Record 0 of .* has integers as 'id'"):
        compare_rows(tmp_path / "b", rows, rows, **counted)
    test = examples_at(tmp_path / "test", all=[b"\xff\xff"])
    base = examples_at(tmp_path / "base", all=[to_record(rows[0])])
    with pytest.raises(InvalidInputError, match=r"Record 0 of .*data-0\.gz.* cannot be decoded"):
        diff(tmp_path, test, base, {"identifier_features": ["id"]})


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({}, "missing required paired_example_skew. Write config="),
        ({"paired_example_skew": {}}, r"identifier_features of .* is \[\]: expected the names"),
        (
            {
                "paired_example_skew": {
                    "identifier_features": ["id"],
                    "confusion_config": [{"feature_name": "a"}, {"feature_name": "a"}],
                }
            },
            "confusion_config names the feature 'a' more than once",
        ),
    ],
)
def test_configs_that_compare_nothing_are_refused_before_the_run(config, message):
    component = ExampleDiff(EXAMPLES, EXAMPLES, config=config)
    with pytest.raises(ValueError, match=f"^ExampleDiff: .*{message}"):
        ExampleDiffDriver().check(component, dict(component.exec_properties))


def test_split_pairs_are_pairs():
    with pytest.raises(ValueError, match=r"include_split_pairs is \['train'\]: .*Write include_sp"):
        ExampleDiff(EXAMPLES, EXAMPLES, config={}, include_split_pairs=["train"])


def test_the_output_is_a_diff():
    component = ExampleDiff(EXAMPLES, EXAMPLES, config={})
    assert component.outputs["example_diff_result"].type_name == "ExamplesDiff"


def test_damaged_files_are_said_to_be(tmp_path):
    with pytest.raises(ValueError, match="has no match_stats-"):
        FeatureSkewFiles.read(str(tmp_path))
    FeatureSkewFiles(features=[], match=messages.MatchStats()).write(str(tmp_path))
    (tmp_path / "skew_stats-00000-of-00001").write_bytes(b"no record")
    with pytest.raises(ValueError, match="skew_stats in .* is damaged"):
        FeatureSkewFiles.read(str(tmp_path))


def test_the_messages_are_tfdvs():
    """The descriptor of TFDV's wheel, so that both can be imported in one process."""
    descriptor = messages.DESCRIPTOR
    assert descriptor.name == "tensorflow_data_validation/skew/protos/feature_skew_results.proto"
    digest = hashlib.sha256(descriptor.serialized_pb).hexdigest()
    assert digest == "4c074cd17ba6d4db37f25f65f9a3632057413f4dd12bada4551d127dce160f74"


def test_in_a_pipeline_the_summary_says_what_differs(tmp_path, capfd):
    gens = []
    for name, shift in (("now", 1), ("then", 0)):
        (tmp_path / name).mkdir()
        lines = [f"{number},{number + shift},a\n" for number in range(60)]
        (tmp_path / name / "a.csv").write_text("trip,fare,kind\n" + "".join(lines))
        gens.append(CsvExampleGen(str(tmp_path / name)).with_id(name))
    example_diff = ExampleDiff(
        gens[0].outputs["examples"],
        gens[1].outputs["examples"],
        config={"paired_example_skew": {"identifier_features": ["trip"], "skew_sample_size": 5}},
        include_split_pairs=[("train", "train")],
    )
    pipeline = Pipeline("skew", str(tmp_path / "root"), components=[*gens, example_diff])
    result = LocalDagRunner().run(pipeline)
    assert "ExampleDiff: train_train: 1 of 2 features differ in" in capfd.readouterr().err
    (output,) = result.outputs["ExampleDiff"]["example_diff_result"]
    found = read_feature_skew(output.uri)["train_train"]
    assert {one.feature_name: one.diff_count > 0 for one in found.features} == {
        "fare": True,
        "kind": False,
    }
