"""The files that an ExampleGen reads: found, or refused with what is there instead."""

import os

import pytest

from trainwright.components.example_gen.input_files import find_input_files, fingerprint
from trainwright.components.example_gen.input_processor import FileBasedInputProcessor
from trainwright.components.example_gen.split_config import make_input_config


def find(base, pattern="*"):
    config = make_input_config({"splits": [{"name": "all", "pattern": pattern}]})
    processor = FileBasedInputProcessor(str(base), config.splits)
    processor.check_input_files()
    files = processor.input_files.files["all"]
    return [os.path.relpath(path, base) for path in files]


def touch(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("a\n1\n")


def test_files_are_sorted_and_hidden_files_and_directories_are_skipped(tmp_path):
    for name in ("b.csv", "a.csv", ".DS_Store", "nested/c.csv"):
        touch(tmp_path / name)
    assert find(tmp_path) == ["a.csv", "b.csv"]


def test_patterns_choose_files_also_in_directories(tmp_path):
    for name in ("a.csv", "README.md", "2024/b.csv", "2024/05/c.csv"):
        touch(tmp_path / name)
    assert find(tmp_path, "*.csv") == ["a.csv"]
    assert find(tmp_path, "2024/*") == ["2024/b.csv"]
    assert find(tmp_path, "**/*.csv") == ["2024/05/c.csv", "2024/b.csv", "a.csv"]


def test_every_input_split_has_its_own_files(tmp_path):
    touch(tmp_path / "train/1.csv")
    touch(tmp_path / "eval/2.csv")
    config = make_input_config(
        {"splits": [{"name": n, "pattern": f"{n}/*"} for n in ("train", "eval")]}
    )
    assert find_input_files(str(tmp_path), config).files == {
        "train": [str(tmp_path / "train/1.csv")],
        "eval": [str(tmp_path / "eval/2.csv")],
    }


def test_a_directory_whose_name_looks_like_a_pattern_is_that_directory(tmp_path):
    base = tmp_path / "data [v1]*"
    touch(base / "a.csv")
    assert find(base) == ["a.csv"]


def test_a_missing_directory_is_refused(tmp_path):
    with pytest.raises(ValueError) as raised:
        find(tmp_path / "nothing")
    assert f"'{tmp_path}/nothing' does not exist" in str(raised.value)
    assert f"Relative paths count from {os.getcwd()}" in str(raised.value)


def test_a_file_in_place_of_the_directory_is_refused(tmp_path):
    touch(tmp_path / "a.csv")
    with pytest.raises(ValueError, match=r"must be a directory .*a\.csv' is a file"):
        find(tmp_path / "a.csv")


def test_a_pattern_without_files_says_what_is_there(tmp_path):
    touch(tmp_path / "penguins.tsv")
    with pytest.raises(ValueError) as raised:
        find(tmp_path, "*.csv")
    assert f"No file matches '{tmp_path}/*.csv' for input split 'all'" in str(raised.value)
    assert "['penguins.tsv']" in str(raised.value)


def test_an_empty_directory_says_so(tmp_path):
    with pytest.raises(ValueError, match="No file matches .* holds nothing"):
        find(tmp_path)


def test_the_fingerprint_is_in_tfx_s_notation(tmp_path):
    for name, seconds in (("a.csv", 1000), ("b.csv", 2001)):
        touch(tmp_path / name)
        os.utime(tmp_path / name, (seconds, seconds))
    paths = [str(tmp_path / "a.csv"), str(tmp_path / "b.csv")]
    assert fingerprint({"all": paths}) == (
        f"split:all,num_files:2,total_bytes:8,xor_checksum:{1000 ^ 2001},sum_checksum:3001"
    )
    assert len(fingerprint({"x": paths, "y": paths}).splitlines()) == 2
