"""`fileio` on object stores: the same as on a disk, as far as there is the same."""

from __future__ import annotations

import os
import uuid

import pytest

from trainwright.dsl.io import fileio, io_utils
from trainwright.storage import objects


@pytest.fixture
def bucket():
    uri = f"memory://test-{uuid.uuid4().hex[:12]}"
    yield uri
    objects.remove_tree(uri)


@pytest.fixture(params=["disk", "store"])
def place(request, tmp_path):
    """A directory on the disk, and one in a store, with the same files."""
    base = str(tmp_path / "d") if request.param == "disk" else request.getfixturevalue("bucket")
    for name in ("a.txt", "b/c.txt", "b/d/e.txt", ".hidden", "z/1"):
        fileio.makedirs(os.path.dirname(f"{base}/{name}"))
        with fileio.open(f"{base}/{name}", "w") as file:
            file.write(f"Grüße aus {name}\n")
    return base


def test_files_are_written_and_read(place):
    with fileio.open(f"{place}/a.txt") as file:
        assert file.read() == "Grüße aus a.txt\n"
        assert file.size() == fileio.stat(f"{place}/a.txt").st_size
    with fileio.open(f"{place}/new", "wb") as file:
        file.write(b"\0\1")
    with fileio.open(f"{place}/new", "rb") as file:
        assert file.read() == b"\0\1"
    fileio.open(f"{place}/unclosed", "w").write("as people do")
    assert fileio.open(f"{place}/unclosed").read() == "as people do"
    assert list(fileio.open(f"{place}/b/c.txt")) == ["Grüße aus b/c.txt\n"]
    with pytest.raises(fileio.NotFoundError):
        fileio.open(f"{place}/none")


def test_what_is_there(place):
    assert fileio.exists(f"{place}/a.txt")
    assert fileio.exists(f"{place}/b")
    assert not fileio.exists(f"{place}/c")
    assert fileio.isdir(place)
    assert fileio.isdir(f"{place}/b/d")
    assert not fileio.isdir(f"{place}/a.txt")
    assert not fileio.isdir(f"{place}/none")
    assert fileio.listdir(place) == [".hidden", "a.txt", "b", "z"]
    assert fileio.listdir(place.encode() + b"/b") == [b"c.txt", b"d"]
    found = fileio.stat(f"{place}/b")
    assert found.is_directory
    assert not fileio.stat(f"{place}/a.txt").is_directory
    assert fileio.stat(f"{place}/a.txt").st_mtime > 1_600_000_000
    for call in (fileio.stat, fileio.listdir, fileio.remove, fileio.rmtree):
        with pytest.raises(fileio.NotFoundError):
            call(f"{place}/none")


@pytest.mark.parametrize(
    "pattern", ["*", "*.txt", "b/*", "*/*.txt", "b/**", "?/c.txt", "[ab]*", ".*", "b", "none", "n*"]
)
def test_patterns(place, tmp_path, pattern):
    expected = {
        "*": ["a.txt", "b", "z"],
        "*.txt": ["a.txt"],
        "b/*": ["b/c.txt", "b/d"],
        "*/*.txt": ["b/c.txt"],
        "b/**": ["b/c.txt", "b/d"],
        "?/c.txt": ["b/c.txt"],
        "[ab]*": ["a.txt", "b"],
        ".*": [".hidden"],
        "b": ["b"],
    }
    found = [f"{place}/{name}" for name in expected.get(pattern, [])]
    assert fileio.glob(f"{place}/{pattern}") == found
    assert fileio.glob(f"{place}/{pattern}".encode()) == [name.encode() for name in found]


@pytest.mark.parametrize("topdown", [True, False])
def test_a_tree_is_walked(place, topdown):
    def relative(walk):
        return sorted((os.path.relpath(top, place), sorted(a), sorted(b)) for top, a, b in walk)

    assert relative(fileio.walk(place, topdown=topdown)) == [
        (".", ["b", "z"], [".hidden", "a.txt"]),
        ("b", ["d"], ["c.txt"]),
        ("b/d", [], ["e.txt"]),
        ("z", [], ["1"]),
    ]
    errors = []
    assert list(fileio.walk(f"{place}/none", onerror=errors.append)) == []
    assert isinstance(errors[0], fileio.NotFoundError)
    for _, directories, _ in fileio.walk(place):
        directories[:] = [name for name in directories if name != "b"]
        assert "e.txt" not in directories


def test_files_are_copied_renamed_and_removed(place):
    fileio.copy(f"{place}/a.txt", f"{place}/copy.txt")
    for call in (fileio.copy, fileio.rename):
        with pytest.raises(OSError, match="already exists"):
            call(f"{place}/a.txt", f"{place}/copy.txt")
        call(f"{place}/a.txt", f"{place}/copy.txt", overwrite=True)
    assert not fileio.exists(f"{place}/a.txt")
    fileio.rename(f"{place}/b", f"{place}/moved")
    assert fileio.open(f"{place}/moved/d/e.txt").read() == "Grüße aus b/d/e.txt\n"
    assert not fileio.exists(f"{place}/b")
    fileio.remove(f"{place}/copy.txt")
    assert not fileio.exists(f"{place}/copy.txt")
    with pytest.raises(IsADirectoryError):
        fileio.remove(f"{place}/moved")
    fileio.rmtree(f"{place}/moved")
    assert not fileio.exists(f"{place}/moved")
    with pytest.raises(NotADirectoryError):
        fileio.rmtree(f"{place}/.hidden")


def test_files_go_from_a_store_to_a_disk_and_back(bucket, tmp_path):
    io_utils.write_string_file(f"{bucket}/module.py", "x = 1\n")
    local = io_utils.ensure_local(f"{bucket}/module.py")
    assert open(local).read() == "x = 1\n"  # noqa: SIM115
    fileio.copy(local, f"{bucket}/b/module.py")
    fileio.copy(f"{bucket}/b/module.py", str(tmp_path / "module.py"))
    assert (tmp_path / "module.py").read_text() == "x = 1\n"
    io_utils.copy_dir(f"{bucket}/b", str(tmp_path / "dir"))
    assert os.listdir(tmp_path / "dir") == ["module.py"]


def test_what_a_failed_block_has_written_to_a_store_is_not_kept(bucket):
    for mode, content in (("w", "text"), ("wb", b"bytes")):
        with pytest.raises(KeyError):
            _write_and_fail(f"{bucket}/a", mode, content)
        assert not fileio.exists(f"{bucket}/a")


def _write_and_fail(path, mode, content):
    with fileio.open(path, mode) as file:
        file.write(content)
        raise KeyError


def test_what_no_store_can_do_is_said(bucket):
    with pytest.raises(ValueError, match="The mode 'a' is not supported.*written as a whole"):
        fileio.open(f"{bucket}/a", "a")
    with pytest.raises(ValueError, match="has an empty step"):
        fileio.exists(f"{bucket}//a")
    with pytest.raises(ValueError, match="has credentials in it"):
        fileio.exists("s3://key:secret@bucket/a")
    with pytest.raises(ValueError, match="has credentials in it") as info:
        fileio.open("s3://AKIA:abc/SECRET@bucket/a")
    assert "SECRET" not in str(info.value)
    for path in ("s3:/bucket/a", "memory:/bucket/a"):
        with pytest.raises(ValueError, match=f"'{path}' is a remote path with a single slash"):
            fileio.open(path)
