"""The pass from CSV to examples: TFX's rows in TFX's splits, however many processes write."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tensorflow.core.example import example_pb2

from trainwright.data.example_writing.column_types import ColumnType
from trainwright.data.example_writing.csv_diagnosis import CsvError
from trainwright.data.example_writing.csv_to_examples import convert_csv_to_examples
from trainwright.data.example_writing.splits import HashSplits
from trainwright.data.tfrecord import read_records
from trainwright.engine.engine import Engine, ShardError
from trainwright.engine.local_engine import LocalEngine
from trainwright.engine.passes import Shard

GOLDEN = Path(__file__).parent / "golden"
TRAIN_EVAL = HashSplits(buckets=(("train", 2), ("eval", 1)))


def shards(output_dir, split):
    return sorted((Path(output_dir) / f"Split-{split}").iterdir())


def records(output_dir, split):
    return [record for shard in shards(output_dir, split) for record in read_records(shard)]


def written_files(output_dir):
    return {
        str(path.relative_to(output_dir)): path.read_bytes()
        for path in sorted(Path(output_dir).rglob("*.gz"))
    }


def ids(output_dir, split):
    parsed = map(example_pb2.Example.FromString, records(output_dir, split))
    return [proto.features.feature["id"].int64_list.value[0] for proto in parsed]


@pytest.fixture
def large_csv(tmp_path):
    """Two files of one split, enough for several blocks of 20 kB."""
    paths = [tmp_path / "first.csv", tmp_path / "second.csv"]
    for path, start in zip(paths, (0, 3000)):
        rows = [f'{i},{i / 7},"name, {i % 13}",' for i in range(start, start + 3000)]
        path.write_text("id,ratio,name,empty\n" + "\n".join(rows) + "\n")
    return [str(path) for path in paths]


@pytest.mark.parametrize("name", ["mixed", "penguins"])
def test_golden_rows_are_in_the_same_splits_in_the_same_order(tmp_path, name):
    result = convert_csv_to_examples(
        {"all": [GOLDEN / name / f"{name}.csv"]}, tmp_path, output_splits=TRAIN_EVAL
    )
    for split in ("train", "eval"):
        # TFX writes map entries in the order of a hash table, so its bytes are compared after
        # serializing them again.
        expected = [
            example_pb2.Example.FromString(record).SerializeToString(deterministic=True)
            for record in records(GOLDEN / name, split)
        ]
        assert records(tmp_path, split) == expected
        assert result.rows[split] == len(expected)
        assert [shard.name for shard in shards(tmp_path, split)] == [
            "data_tfrecord-00000-of-00001.gz"
        ]


def test_result_says_what_was_written(tmp_path, large_csv):
    result = convert_csv_to_examples(
        {"all": large_csv}, tmp_path / "out", output_splits=TRAIN_EVAL, block_bytes=20_000
    )
    assert sum(result.rows.values()) == 6000
    assert result.shards == {
        split: len(shards(tmp_path / "out", split)) for split in ("train", "eval")
    }
    assert result.column_types == {
        "all": {
            "id": ColumnType.INT,
            "ratio": ColumnType.FLOAT,
            "name": ColumnType.BYTES,
            "empty": ColumnType.UNKNOWN,
        }
    }


def test_input_splits_are_kept_and_typed_one_by_one(tmp_path):
    (tmp_path / "train.csv").write_text("id,x\n1,1\n2,2\n3,3\n")
    (tmp_path / "eval.csv").write_text("id,x\n4,1.5\n")
    result = convert_csv_to_examples(
        {"train": [tmp_path / "train.csv"], "eval": [tmp_path / "eval.csv"]}, tmp_path / "out"
    )
    assert ids(tmp_path / "out", "train") == [1, 2, 3]
    assert ids(tmp_path / "out", "eval") == [4]
    assert result.rows == {"train": 3, "eval": 1}
    assert result.column_types["train"]["x"] is ColumnType.INT
    assert result.column_types["eval"]["x"] is ColumnType.FLOAT


def test_output_does_not_depend_on_the_number_of_processes(tmp_path, large_csv):
    outputs = []
    for processes in (1, 2, 3):
        directory = tmp_path / str(processes)
        result = convert_csv_to_examples(
            {"all": large_csv},
            directory,
            output_splits=TRAIN_EVAL,
            processes=processes,
            block_bytes=20_000,
            inline_bytes=0,
        )
        assert result.shards["train"] > 3
        outputs.append(written_files(directory))
    assert outputs[0] == outputs[1] == outputs[2]


def test_shards_are_numbered_without_gaps_in_file_order(tmp_path, large_csv):
    # All rows but the last share a name, so one of the splits gets rows from the last block only.
    output_splits = HashSplits(buckets=(("a", 1), ("b", 1)), partition_feature="name")
    for path in large_csv:
        lines = Path(path).read_text().splitlines()
        rows = [f"{line.split(',')[0]},1.5,common," for line in lines[1:]]
        Path(path).write_text("\n".join([lines[0], *rows]) + "\n")
    with open(large_csv[1], "a") as file:
        file.write("6000,1.5,odd,\n")
    result = convert_csv_to_examples(
        {"all": large_csv},
        tmp_path / "out",
        output_splits=output_splits,
        processes=2,
        block_bytes=20_000,
        inline_bytes=0,
    )
    assert sorted(result.rows.values()) == [1, 6000]
    assert min(result.shards.values()) == 1 < max(result.shards.values())
    for split, count in result.shards.items():
        assert [shard.name for shard in shards(tmp_path / "out", split)] == [
            f"data_tfrecord-{i:05d}-of-{count:05d}.gz" for i in range(count)
        ]
        written = ids(tmp_path / "out", split)
        assert written == (list(range(6000)) if len(written) > 1 else [6000])


def test_many_small_files_make_one_shard(tmp_path):
    paths = []
    for i in range(50):
        paths.append(tmp_path / f"{i:02d}.csv")
        paths[-1].write_text(f"id\n{i}\n")
    result = convert_csv_to_examples({"all": paths}, tmp_path / "out")
    assert result.shards == {"all": 1}
    assert ids(tmp_path / "out", "all") == list(range(50))


def test_split_without_rows_gets_an_empty_shard(tmp_path):
    (tmp_path / "one.csv").write_text("id\n1\n")
    result = convert_csv_to_examples(
        {"all": [tmp_path / "one.csv"]}, tmp_path / "out", output_splits=TRAIN_EVAL
    )
    assert sorted(result.rows.values()) == [0, 1]
    for split in ("train", "eval"):
        (shard,) = shards(tmp_path / "out", split)
        assert len(list(read_records(shard))) == result.rows[split]


def test_rows_with_the_same_partition_feature_stay_together(tmp_path, large_csv):
    convert_csv_to_examples(
        {"all": large_csv},
        tmp_path / "out",
        output_splits=HashSplits(buckets=(("a", 1), ("b", 1)), partition_feature="name"),
    )
    names = {}
    for split in ("a", "b"):
        parsed = map(example_pb2.Example.FromString, records(tmp_path / "out", split))
        names[split] = {p.features.feature["name"].bytes_list.value[0] for p in parsed}
    assert names["a"]
    assert names["b"]
    assert not names["a"] & names["b"]


@pytest.mark.parametrize("processes", [1, 2])
def test_progress_is_reported_in_rows(tmp_path, large_csv, processes):
    reports = []
    convert_csv_to_examples(
        {"all": large_csv},
        tmp_path / "out",
        output_splits=TRAIN_EVAL,
        processes=processes,
        report_progress=reports.append,
        block_bytes=20_000,
        inline_bytes=0,
    )
    assert reports == sorted(reports)
    assert len(reports) > 3
    assert reports[-1] == 6000


@pytest.mark.parametrize("inline_bytes", [0, 1 << 20])
def test_bad_input_is_found_before_anything_is_written(tmp_path, large_csv, inline_bytes):
    with open(large_csv[1], "a") as file:
        file.write("6000,1.5\n")
    with pytest.raises(CsvError, match=r"second\.csv, line 3002: this row has 2 cells"):
        convert_csv_to_examples(
            {"all": large_csv},
            tmp_path / "out",
            output_splits=TRAIN_EVAL,
            processes=2,
            inline_bytes=inline_bytes,
        )
    assert not (tmp_path / "out").exists()


def test_bad_partition_feature_is_found_before_anything_is_written(tmp_path, large_csv):
    with pytest.raises(ValueError, match="'ratio' is a float column"):
        convert_csv_to_examples(
            {"all": large_csv},
            tmp_path / "out",
            output_splits=HashSplits(buckets=(("a", 1), ("b", 1)), partition_feature="ratio"),
        )
    assert not (tmp_path / "out").exists()


def test_several_input_splits_cannot_be_divided(tmp_path, large_csv):
    with pytest.raises(ValueError, match=r"2 input splits \(a, b\) and an output split config"):
        convert_csv_to_examples(
            {"a": large_csv[:1], "b": large_csv[1:]}, tmp_path / "out", output_splits=TRAIN_EVAL
        )


def test_shards_of_two_runs_do_not_mix(tmp_path, large_csv):
    convert_csv_to_examples({"all": large_csv}, tmp_path / "out")
    with pytest.raises(FileExistsError, match=r"Split-all is not empty"):
        convert_csv_to_examples({"all": large_csv}, tmp_path / "out")


def test_number_of_processes_is_checked(tmp_path, large_csv):
    with pytest.raises(ValueError, match="processes is 0: expected 1 or more"):
        convert_csv_to_examples({"all": large_csv}, tmp_path / "out", processes=0)


def convert_while_processes_are_killed(paths, output_dir, times):
    """Kills all processes that write, at each of the first reports of progress."""
    killed = []

    def kill_processes(rows):
        if len(killed) < times:
            killed.append(engine._pool.process_ids)
            for process_id in killed[-1]:
                os.kill(process_id, signal.SIGKILL)

    with LocalEngine(2, inline_bytes=0) as engine:
        convert_csv_to_examples(
            {"all": paths},
            output_dir,
            output_splits=TRAIN_EVAL,
            report_progress=kill_processes,
            block_bytes=5_000,
            engine=engine,
        )
    assert len(killed) == times


def test_a_killed_process_costs_its_block_a_try(tmp_path, large_csv):
    convert_while_processes_are_killed(large_csv, tmp_path / "killed", times=1)
    convert_csv_to_examples(
        {"all": large_csv}, tmp_path / "whole", output_splits=TRAIN_EVAL, block_bytes=5_000
    )
    assert written_files(tmp_path / "killed") == written_files(tmp_path / "whole")


def test_processes_that_are_killed_again_and_again_give_an_error(tmp_path, large_csv):
    with pytest.raises(
        ShardError,
        match=r"Block \d+ of the input was tried 2 times .* was killed by SIGKILL.*fewer",
    ):
        convert_while_processes_are_killed(large_csv, tmp_path / "out", times=1000)


class OtherEngine(Engine):
    """Has nothing of a shard but JSON and bytes."""

    def run(self, spec, shards, report_progress=None):
        for shard in shards:
            sent = json.dumps(shard.to_json()), bytes(shard.packed_data)
            yield spec.build().run(
                Shard.from_json(json.loads(sent[0]), sent[1]), lambda units: None
            )


def test_any_engine_writes_the_same(tmp_path, large_csv):
    for name, engine in (("other", OtherEngine()), ("own", None)):
        convert_csv_to_examples(
            {"all": large_csv},
            tmp_path / name,
            output_splits=TRAIN_EVAL,
            block_bytes=5_000,
            engine=engine,
        )
    assert written_files(tmp_path / "other") == written_files(tmp_path / "own")


SCRIPT_WITHOUT_MAIN_GUARD = """
import sys
print("script runs")
from trainwright.data.example_writing.csv_to_examples import convert_csv_to_examples
convert_csv_to_examples({"all": sys.argv[2:]}, sys.argv[1], processes=2, inline_bytes=0)
heavy = {"tensorflow", "apache_beam", "pandas"} & set(sys.modules)
assert not heavy, heavy
"""


def test_a_script_without_a_main_guard_runs_once_and_imports_nothing_heavy(tmp_path, large_csv):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT_WITHOUT_MAIN_GUARD)
    # A module of the working directory must not get in the way of the processes.
    (tmp_path / "json.py").write_text("raise ImportError('the wrong json')")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-P", str(script), str(tmp_path / "out"), *large_csv]
    if sys.version_info < (3, 11):
        command.remove("-P")
        (tmp_path / "json.py").unlink()
    run = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert run.stdout == "script runs\n"
    assert ids(tmp_path / "out", "all") == list(range(6000))


# Rows that do not fit the header, skipped because that is allowed.

RAGGED = 'id,name\n1,a\n2\n3,"c\nc"\n4,d,x\n\n5,e\n'


@pytest.fixture
def ragged_csv(tmp_path):
    path = tmp_path / "ragged.csv"
    path.write_text(RAGGED)
    return str(path)


@pytest.mark.parametrize("processes", [1, 2])
def test_rows_of_another_width_are_skipped_and_counted(tmp_path, ragged_csv, caplog, processes):
    result = convert_csv_to_examples(
        {"all": [ragged_csv]},
        tmp_path / "out",
        max_bad_rows=2,
        processes=processes,
        inline_bytes=0,
    )
    assert result.bad_records == 2
    assert result.rows == {"all": 3}
    assert ids(tmp_path / "out", "all") == [1, 3, 5]
    assert f"Skipped: {ragged_csv}, line 3: this row has 1 cell, but the header" in caplog.text
    assert f"Skipped: {ragged_csv}, line 6: this row has 3 cells, but the header" in caplog.text


def test_one_bad_row_too_many(tmp_path, ragged_csv, large_csv):
    with pytest.raises(ValueError) as raised:
        convert_csv_to_examples({"all": [ragged_csv]}, tmp_path / "out", max_bad_rows=1)
    message = str(raised.value)
    assert message.startswith("2 bad rows so far, and max_bad_rows allows 1. The first of them:")
    assert f"- {ragged_csv}, line 3: this row has 1 cell" in message
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        (b'7,"open', "line 9: a cell of this row opens a double quote that is never closed"),
        (b'7,5" pipe', "line 9: the double quotes of this row do not pair up"),
        (b"7,caf\xe9", "line 9: byte 6 of the line"),
    ],
)
def test_other_damage_is_not_tolerated(tmp_path, ragged_csv, row, complaint):
    with open(ragged_csv, "ab") as file:
        file.write(row)
    with pytest.raises(CsvError) as raised:
        convert_csv_to_examples({"all": [ragged_csv]}, tmp_path / "out", max_bad_rows=9)
    assert f"{ragged_csv}, {complaint}" in str(raised.value)


def test_a_file_with_only_bad_rows_has_no_rows(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("a,b\n1\n2\n")
    with pytest.raises(CsvError, match="no rows follow"):
        convert_csv_to_examples({"all": [path]}, tmp_path / "out", max_bad_rows=9)


def test_bad_rows_of_a_large_file(tmp_path):
    path = tmp_path / "data.csv"
    rows = ["1" if number % 1000 == 0 else f"{number},x" for number in range(1, 20_001)]
    path.write_text("id,name\n" + "\n".join(rows) + "\n")
    result = convert_csv_to_examples(
        {"all": [path]},
        tmp_path / "out",
        output_splits=TRAIN_EVAL,
        max_bad_rows=20,
        block_bytes=20_000,
    )
    assert result.bad_records == 20
    assert sum(result.rows.values()) == 19_980


def test_numbers_that_become_infinite_are_told(tmp_path):
    path = tmp_path / "far.csv"
    path.write_text("id,far,near\n" + "1,1e300,inf\n2,-1e400,1e38\n3,7,0\n" * 400)
    for processes in (1, 2):
        written = convert_csv_to_examples(
            {"all": [path]},
            tmp_path / str(processes),
            processes=processes,
            block_bytes=2000,
            inline_bytes=0,
        )
        [remark] = written.remarks
        assert "Feature 'far': 800 numbers are too large for float32" in remark
        assert "became infinite: for example '" in remark


@pytest.mark.parametrize(
    ("separator", "word", "shown"),
    [(";", "semicolons", "';'"), ("\t", "tabs", r"'\t'"), ("|", "vertical bars", "'|'")],
)
def test_another_separator_is_pointed_out_and_the_advice_works(tmp_path, separator, word, shown):
    path = tmp_path / "export.csv"
    rows = [["id", "name, first", "size"], ["1", "Ada", "1"], ["2", "Grace, H.", ""]]
    path.write_text("".join(separator.join(row) + "\n" for row in rows).replace(", ", " "))
    written = convert_csv_to_examples({"all": [path]}, tmp_path / "out")
    assert len(written.column_types["all"]) == 1  # as TFX reads it
    [remark] = written.remarks
    assert f"{path} is read as one column" in remark
    assert f"separated by {word}, 3 in each row" in remark
    assert f"delimiter={shown}" in remark

    command = remark.partition("if that is so: ")[2].replace("python", sys.executable, 1)
    subprocess.run(command, shell=True, check=True, cwd=tmp_path)
    converted = convert_csv_to_examples({"all": [tmp_path / "converted.csv"]}, tmp_path / "again")
    assert list(converted.column_types["all"]) == ["id", "name first", "size"]
    assert not converted.remarks


def test_commas_within_numbers_point_at_the_separator(tmp_path):
    path = tmp_path / "export.csv"
    path.write_text("id;size\n1;1,5\n2;2,5\n")
    with pytest.raises(CsvError, match="line 2: this row has 2 cells.*separated by semicolons"):
        convert_csv_to_examples({"all": [path]}, tmp_path / "out")


@pytest.mark.parametrize(
    "text",
    [
        "id\n1\n2\n",
        "notes; more\none\ntwo; three\n",
        '"a;b"\n1\n',
        "tags\nx|y\nx|z\n",
        "a;b,c\n1;2,3\n",
    ],
)
def test_real_columns_are_not_taken_for_other_separators(tmp_path, text):
    path = tmp_path / "f.csv"
    path.write_text(text)
    assert not convert_csv_to_examples({"all": [path]}, tmp_path / "out").remarks


def test_a_table_of_many_columns(tmp_path):
    columns = 5000
    kinds = [("int", "7"), ("float", "0.5"), ("text", "x"), ("none", "")]
    names = [f"{kinds[n % 4][0]}{n}" for n in range(columns)]
    path = tmp_path / "wide.csv"
    path.write_text(
        ",".join(names) + "\n" + ",".join(kinds[n % 4][1] for n in range(columns)) + "\n"
    )
    written = convert_csv_to_examples({"all": [path]}, tmp_path / "out")
    assert list(written.column_types["all"].values())[:4] == [
        ColumnType.INT, ColumnType.FLOAT, ColumnType.BYTES, ColumnType.UNKNOWN,
    ]  # fmt: skip
    [record] = records(tmp_path / "out", "all")
    features = example_pb2.Example.FromString(record).features.feature
    assert len(features) == columns
    assert list(features["float4997"].float_list.value) == [0.5]
    assert list(features["text4998"].bytes_list.value) == [b"x"]
