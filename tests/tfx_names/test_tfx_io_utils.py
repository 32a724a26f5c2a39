"""`io_utils`: small helpers around files."""

from __future__ import annotations

import pytest
from google.protobuf import json_format, text_format
from tensorflow_metadata.proto.v0 import schema_pb2

import tfx.v1
from tfx.proto import trainer_pb2
from tfx.utils import io_utils


def tree(directory) -> list[str]:
    return sorted(str(path.relative_to(directory)) for path in directory.rglob("*"))


@pytest.fixture
def source(tmp_path):
    directory = tmp_path / "source"
    for name in ("model.pb", "variables/data", "assets/words.txt"):
        io_utils.write_string_file(str(directory / name), name)
    (directory / "empty").mkdir()
    return directory


def test_strings_and_bytes_are_written_and_read(tmp_path):
    path = str(tmp_path / "new" / "directory" / "file")
    io_utils.write_string_file(path, "straße")
    assert io_utils.read_string_file(path) == "straße"
    assert io_utils.read_bytes_file(path) == "straße".encode()
    io_utils.write_bytes_file(path, b"\xff")
    assert io_utils.read_bytes_file(path) == b"\xff"


def test_a_file_without_a_directory_lies_in_the_current_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    io_utils.write_string_file("here.txt", "x")
    assert (tmp_path / "here.txt").read_text() == "x"


def test_reading_what_is_missing_names_it(tmp_path):
    with pytest.raises(FileNotFoundError, match="missing.txt"):
        io_utils.read_string_file(str(tmp_path / "missing.txt"))


def test_messages_are_written_and_parsed(tmp_path):
    path = str(tmp_path / "args.pbtxt")
    io_utils.write_pbtxt_file(path, trainer_pb2.TrainArgs(num_steps=7))
    parsed = tfx.v1.utils.parse_pbtxt_file(path, trainer_pb2.TrainArgs())
    assert parsed == trainer_pb2.TrainArgs(num_steps=7)
    io_utils.write_string_file(path, '{"num_steps": 8}')
    assert io_utils.parse_json_file(path, trainer_pb2.TrainArgs()).num_steps == 8


def test_a_file_that_is_no_message_is_named(tmp_path):
    path = str(tmp_path / "args.pbtxt")
    io_utils.write_string_file(path, "num_stepz: 7")
    with pytest.raises(text_format.ParseError, match=r"args\.pbtxt is not a TrainArgs.*num_stepz"):
        io_utils.parse_pbtxt_file(path, trainer_pb2.TrainArgs())
    with pytest.raises(json_format.ParseError, match=r"args\.pbtxt is not a TrainArgs in JSON"):
        io_utils.parse_json_file(path, trainer_pb2.TrainArgs())


def test_a_schema_is_read(tmp_path):
    path = str(tmp_path / "schema.pbtxt")
    io_utils.write_pbtxt_file(path, schema_pb2.Schema(feature=[schema_pb2.Feature(name="age")]))
    assert io_utils.SchemaReader().read(path).feature[0].name == "age"


def test_a_file_is_copied_into_a_new_directory(source, tmp_path):
    copy = str(tmp_path / "new" / "model.pb")
    io_utils.copy_file(str(source / "model.pb"), copy)
    assert io_utils.read_string_file(copy) == "model.pb"
    with pytest.raises(OSError, match="already exists"):
        io_utils.copy_file(str(source / "model.pb"), copy)
    io_utils.copy_file(str(source / "variables/data"), copy, overwrite=True)
    assert io_utils.read_string_file(copy) == "variables/data"


def test_a_directory_is_copied_and_replaces_what_was_there(source, tmp_path):
    io_utils.write_string_file(str(tmp_path / "copy" / "old"), "")
    io_utils.copy_dir(str(source) + "/", str(tmp_path / "copy"))
    assert tree(tmp_path / "copy") == tree(source)
    assert (tmp_path / "copy" / "assets" / "words.txt").read_text() == "assets/words.txt"


def test_a_copy_can_be_filtered(source, tmp_path):
    io_utils.copy_dir(str(source), str(tmp_path / "copy"), allow_regex_patterns=[r"\.txt$"])
    assert tree(tmp_path / "copy") == ["assets", "assets/words.txt"]
    io_utils.copy_dir(str(source), str(tmp_path / "copy"), deny_regex_patterns=["assets", "empty"])
    assert tree(tmp_path / "copy") == ["model.pb", "variables", "variables/data"]


def test_a_missing_source_does_not_cost_the_old_copy(source, tmp_path):
    with pytest.raises(FileNotFoundError):
        io_utils.copy_dir(str(tmp_path / "missing"), str(source))
    assert (source / "model.pb").exists()


@pytest.mark.parametrize(("src", "dst"), [("", ""), ("", "assets"), ("assets", "")])
def test_a_directory_is_not_copied_into_itself(source, src, dst):
    before = tree(source)
    with pytest.raises(ValueError, match="one lies in the other"):
        io_utils.copy_dir(str(source / src), str(source / dst))
    assert tree(source) == before


def test_deleting_a_directory_that_is_gone_is_fine(source):
    io_utils.delete_dir(str(source))
    io_utils.delete_dir(str(source))
    assert not source.exists()


def test_the_only_file_of_a_directory(tmp_path):
    with pytest.raises(RuntimeError, match=r"Only one file per dir is supported.*nothing"):
        io_utils.get_only_uri_in_dir(str(tmp_path))
    (tmp_path / "a").touch()
    assert io_utils.get_only_uri_in_dir(str(tmp_path)) == str(tmp_path / "a")
    (tmp_path / "b").touch()
    with pytest.raises(RuntimeError, match=r"\['a', 'b'\]"):
        io_utils.get_only_uri_in_dir(str(tmp_path))


def test_patterns_columns_and_local_paths(tmp_path):
    assert io_utils.all_files_pattern("/data/Split-train") == "/data/Split-train/*"
    io_utils.write_string_file(str(tmp_path / "a.csv"), "age,name\n1,Ada\n")
    assert io_utils.load_csv_column_names(str(tmp_path / "a.csv")) == ["age", "name"]
    assert io_utils.ensure_local("/data/module.py") == "/data/module.py"
    with pytest.raises(ValueError, match="only local paths are supported"):
        io_utils.ensure_local("hdfs://bucket/module.py")
