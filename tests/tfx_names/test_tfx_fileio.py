"""`fileio` on a local disk does what TFX's does."""

from __future__ import annotations

import os
import pickle

import pytest

from tfx.v1.dsl.io import fileio


@pytest.fixture
def file(tmp_path) -> str:
    path = str(tmp_path / "a.txt")
    with fileio.open(path, "w") as opened:
        opened.write("straße")
    return path


def test_text_is_utf8_and_bytes_are_bytes(file):
    with fileio.open(file) as opened:
        assert opened.read() == "straße"
    with fileio.open(file, "rb") as opened:
        assert opened.read() == "straße".encode()


@pytest.mark.parametrize(
    "call",
    [
        fileio.open,
        fileio.listdir,
        fileio.remove,
        fileio.rmtree,
        fileio.stat,
        lambda path: fileio.copy(path, path + ".copy"),
        lambda path: fileio.rename(path, path + ".new"),
        lambda path: fileio.mkdir(path + "/below"),
    ],
    ids=["open", "listdir", "remove", "rmtree", "stat", "copy", "rename", "mkdir"],
)
def test_what_is_missing_is_a_not_found_error(tmp_path, call):
    with pytest.raises(fileio.NotFoundError):
        call(str(tmp_path / "missing"))
    assert issubclass(fileio.NotFoundError, OSError)


def test_a_copy_does_not_overwrite_unless_told_to(file, tmp_path):
    other = str(tmp_path / "b.txt")
    fileio.copy(file, other)
    with fileio.open(file, "w") as opened:
        opened.write("new")
    with pytest.raises(OSError, match="already exists"):
        fileio.copy(file, other)
    assert fileio.open(other).read() == "straße"
    fileio.copy(file, other, overwrite=True)
    assert fileio.open(other).read() == "new"


def test_a_rename_does_not_overwrite_unless_told_to(file, tmp_path):
    other = str(tmp_path / "b.txt")
    fileio.open(other, "w").close()
    with pytest.raises(OSError, match="already exists"):
        fileio.rename(file, other)
    fileio.rename(file, other, overwrite=True)
    assert not fileio.exists(file)
    assert fileio.open(other).read() == "straße"


def test_a_directory_can_be_renamed(tmp_path):
    fileio.makedirs(str(tmp_path / "old" / "below"))
    fileio.rename(str(tmp_path / "old"), str(tmp_path / "new"))
    assert fileio.isdir(str(tmp_path / "new" / "below"))


def test_makedirs_may_find_the_directory_and_mkdir_may_not(tmp_path):
    path = str(tmp_path / "a" / "b")
    fileio.makedirs(path)
    fileio.makedirs(path)
    with pytest.raises(FileExistsError):
        fileio.mkdir(path)
    fileio.mkdir(path + "/c")
    assert fileio.isdir(path + "/c")


def test_exists_and_isdir(file, tmp_path):
    assert fileio.exists(file)
    assert not fileio.isdir(file)
    assert fileio.isdir(str(tmp_path))
    assert not fileio.exists(file + "x")
    assert not fileio.isdir(file + "x")


def test_names_come_sorted(tmp_path):
    for name in "cab":
        (tmp_path / name).touch()
    (tmp_path / "d").mkdir()
    assert fileio.listdir(str(tmp_path)) == ["a", "b", "c", "d"]
    assert fileio.glob(str(tmp_path / "[ab]")) == [str(tmp_path / name) for name in "ab"]
    assert fileio.glob(str(tmp_path / "x*")) == []


def test_rmtree_takes_all_and_remove_one(file, tmp_path):
    fileio.remove(file)
    assert not fileio.exists(file)
    fileio.makedirs(str(tmp_path / "a" / "b"))
    fileio.rmtree(str(tmp_path / "a"))
    assert fileio.listdir(str(tmp_path)) == []


def test_stat_answers_to_both_sets_of_names(file, tmp_path):
    found, expected = fileio.stat(file), os.stat(file)
    assert found.length == found.st_size == expected.st_size
    assert found.mtime_nsec == expected.st_mtime_ns
    assert found.st_mtime == pytest.approx(expected.st_mtime)
    assert not found.is_directory
    assert fileio.stat(str(tmp_path)).is_directory
    assert pickle.loads(pickle.dumps(found)) == found


def test_walk_goes_down_or_up(tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "f").touch()
    top = str(tmp_path / "a")
    down = [(top, ["b"], ["f"]), (os.path.join(top, "b"), [], [])]
    assert list(fileio.walk(top)) == down
    assert list(fileio.walk(top, topdown=False)) == down[::-1]


def test_walking_what_is_missing_is_silent_unless_asked(tmp_path):
    errors = []
    assert list(fileio.walk(str(tmp_path / "missing"))) == []
    assert list(fileio.walk(str(tmp_path / "missing"), onerror=errors.append)) == []
    assert isinstance(errors[0], fileio.NotFoundError)


def test_bytes_and_path_objects_are_paths_too(file, tmp_path):
    assert fileio.exists(os.fsencode(file))
    assert fileio.listdir(os.fsencode(str(tmp_path))) == [b"a.txt"]
    assert fileio.exists(tmp_path)


@pytest.mark.parametrize("path", ["ftp://bucket/a", "wasb://bucket/a", "hdfs://host/a", b"hdfs://b/a"])
@pytest.mark.parametrize(
    "name", ["open", "exists", "glob", "isdir", "listdir", "makedirs", "remove", "stat", "walk"]
)
def test_a_remote_path_is_refused(name, path):
    with pytest.raises(ValueError, match="only local paths are supported"):
        getattr(fileio, name)(path)


def test_a_remote_end_of_a_copy_is_refused_before_anything_is_done(file):
    for call in (fileio.copy, fileio.rename):
        with pytest.raises(ValueError, match="'hdfs://bucket/a' is a remote path .hdfs."):
            call(file, "hdfs://bucket/a", overwrite=True)
    assert fileio.exists(file)


def test_a_colon_alone_does_not_make_a_path_remote(tmp_path):
    path = str(tmp_path / "a:b")
    fileio.open(path, "w").close()
    assert fileio.exists(path)
