"""Copies on this host: whole, shared, bounded, and never in the way of a killed process."""

from __future__ import annotations

import os
import stat
import sys
import threading

import google_crc32c
import pytest

from trainwright.storage import local_copies, objects, transfer
from trainwright.storage.errors import NoSuchObjectError, ObjectChangedError
from trainwright.storage.local_copies import LocalCopies, default_copies


@pytest.fixture
def copies(tmp_path):
    return LocalCopies(str(tmp_path / "copies"), limit_bytes=1000)


@pytest.fixture
def downloads(monkeypatch):
    """The addresses that were downloaded."""
    seen = []
    download = transfer.download_file

    def counted(uri, *arguments, **options):
        seen.append(uri)
        download(uri, *arguments, **options)

    monkeypatch.setattr(transfer, "download_file", counted)
    monkeypatch.setattr(local_copies, "download_file", counted)
    return seen


def _upload(base, files):
    for name, content in files.items():
        objects.write(f"{base}/{name}", content)
    return {
        name: [len(content), 1_700_000_000_123_456_789, google_crc32c.value(content)]
        for name, content in files.items()
    }


def _read(path):
    with open(path, "rb") as file:
        return file.read()


def _entries(copies):
    return sorted(name for name in os.listdir(copies.directory) if name.endswith("-0"))


def test_a_file_is_fetched_once_and_is_for_reading_only(memory, copies, downloads):
    uri = f"{memory}/data/2024/trips.csv"
    objects.write(uri, b"x,y\n")
    with copies.fetch_file(uri) as copy:
        assert _read(copy.path) == b"x,y\n"
        assert copy.path.endswith("/data/2024/trips.csv")
        assert stat.S_IMODE(os.stat(copy.path).st_mode) == 0o444
    with copies.fetch_file(uri) as again:
        assert again.path == copy.path
    assert downloads == [uri]


def test_a_file_that_changed_is_another_copy(memory, copies, downloads):
    uri = f"{memory}/a"
    objects.write(uri, b"old")
    facts = objects.stat(uri)
    with copies.fetch_file(uri) as old:
        objects.write(uri, b"new")
        with copies.fetch_file(uri) as new:
            assert _read(new.path) == b"new"
        assert _read(old.path) == b"old"
    with copies.fetch_file(uri, facts=facts) as copy:
        assert _read(copy.path) == b"old", "that content is still here"
    copies.limit_bytes = 0
    copies.clean()
    with pytest.raises(ObjectChangedError):
        copies.fetch_file(uri, facts=facts)
    objects.remove(uri)
    with pytest.raises(NoSuchObjectError):
        copies.fetch_file(uri)


def test_a_tree_is_fetched_as_its_manifest_says(bucket, copies, downloads):
    base = f"{bucket}/pipeline/Trainer/model/7"
    manifest = _upload(base, {"saved_model.pb": b"graph", "variables/v": b"0123"})
    manifest["assets/"] = [0, 0, 0]
    objects.write(f"{base}/other", b"not in the manifest")
    with copies.fetch_tree(base, manifest) as copy:
        assert copy.path.endswith("/Trainer/model/7")
        found = sorted(os.path.relpath(p, copy.path) for p in _walk(copy.path))
        assert found == ["assets", "saved_model.pb", "variables", "variables/v"]
        assert os.stat(f"{copy.path}/variables/v").st_mtime_ns == 1_700_000_000_123_456_789
    copies.fetch_tree(base, manifest).close()
    assert len(downloads) == 2
    with pytest.raises(transfer.DamagedDownloadError, match="saved_model.pb' is damaged"):
        copies.fetch_tree(base, {"saved_model.pb": [5, 0, 1]})


def test_an_artifact_that_is_a_file_is_fetched(memory, copies):
    objects.write(f"{memory}/a/model.bin", b"model")
    manifest = {"": [5, 1_700_000_000_000_000_000, google_crc32c.value(b"model")]}
    with copies.fetch_tree(f"{memory}/a/model.bin", manifest) as copy:
        assert _read(copy.path) == b"model"


def _walk(directory):
    for folder, folders, files in os.walk(directory):
        for name in folders + files:
            yield os.path.join(folder, name)


def test_the_least_recently_used_go_first_and_those_in_use_never(memory, copies):
    for name in "abcd":
        objects.write(f"{memory}/{name}", name.encode() * 400)
    in_use = copies.fetch_file(f"{memory}/a")
    copies.fetch_file(f"{memory}/b").close()
    with copies.fetch_file(f"{memory}/c") as copy:
        assert _read(copy.path) == b"c" * 400
    assert _read(in_use.path) == b"a" * 400
    assert len(_entries(copies)) == 2, "b has made room"
    with copies.fetch_file(f"{memory}/d") as d, copies.fetch_file(f"{memory}/b") as b:
        assert len(_entries(copies)) == 3, "all are in use"
        assert _read(b.path) + _read(d.path) == b"b" * 400 + b"d" * 400
    in_use.close()
    copies.clean()
    assert len(_entries(copies)) == 2
    copies.limit_bytes = 0
    copies.clean()
    assert os.listdir(copies.directory) == []


def test_a_copy_that_was_changed_is_made_again(memory, copies, downloads):
    objects.write(f"{memory}/a", b"right")
    with copies.fetch_file(f"{memory}/a") as copy:
        os.chmod(copy.path, 0o600)
        with open(copy.path, "wb") as file:
            file.write(b"WRONG")
        with copies.fetch_file(f"{memory}/a") as other:
            assert other.path != copy.path, "somebody uses the changed one"
            assert _read(other.path) == b"right"
    with copies.fetch_file(f"{memory}/a") as again:
        assert _read(again.path) == b"right"


def test_many_threads_and_processes_fetch_once(memory, copies, tmp_path, downloads):
    content = os.urandom(500)
    objects.write(f"{memory}/a", content)
    results = []

    def fetch():
        with copies.fetch_file(f"{memory}/a") as copy:
            results.append(_read(copy.path) == content)

    threads = [threading.Thread(target=fetch) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 8
    assert len(downloads) == 1
    pid = os.fork()
    if pid == 0:
        fetch()
        os._exit(0 if results == [True] * 9 and len(downloads) == 1 else 1)
    assert os.waitpid(pid, 0)[1] == 0


@pytest.mark.parametrize("remainder", range(4))
def test_a_process_that_is_killed_at_any_line_leaves_nothing_in_the_way(memory, copies, remainder):
    """A fetch that has to make room is killed at every fourth line, and the next one is whole."""
    base = f"{memory}/model"
    manifest = _upload(base, {"a": b"a" * 400, "b/c": b"b" * 300})
    objects.write(f"{memory}/old", b"o" * 600)
    line, ended = remainder, False
    while not ended:
        copies.fetch_file(f"{memory}/old").close()
        line += 4
        ended = _killed_at_line(line, lambda: copies.fetch_tree(base, manifest).close()) == 0
        with copies.fetch_tree(base, manifest) as copy:
            assert _read(f"{copy.path}/a") == b"a" * 400
            assert _read(f"{copy.path}/b/c") == b"b" * 300
        copies.clean()
        names = sorted(os.listdir(copies.directory))
        assert names == [_entries(copies)[0], _entries(copies)[0] + ".lock"]
        limit, copies.limit_bytes = copies.limit_bytes, 0
        copies.clean()
        copies.limit_bytes = limit
        assert os.listdir(copies.directory) == []
    assert line > 60


def _killed_at_line(number, function):
    """The status of a forked process that kills itself when it comes to a line of the cache."""
    pid = os.fork()
    if pid == 0:
        counted = 0

        def trace(frame, event, argument):
            nonlocal counted
            if frame.f_code.co_filename not in _TRACED:
                return None
            counted += event == "line"
            if counted == number:
                os.kill(os.getpid(), 9)
            return trace

        sys.settrace(trace)
        function()
        os._exit(0)
    return os.waitpid(pid, 0)[1]


_TRACED = {local_copies.__file__, sys.modules["trainwright.storage.entries"].__file__}


def test_where_the_copies_of_this_user_lie(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("TRAINWRIGHT_CACHE_DIR", raising=False)
    assert default_copies().directory == str(tmp_path / "trainwright" / "copies")
    assert default_copies().limit_bytes >= 1 << 30
    monkeypatch.setenv("TRAINWRIGHT_CACHE_DIR", str(tmp_path / "mine"))
    monkeypatch.setenv("TRAINWRIGHT_CACHE_BYTES", "5000")
    assert default_copies().directory == str(tmp_path / "mine")
    assert default_copies().limit_bytes == 5000
    monkeypatch.setenv("TRAINWRIGHT_CACHE_BYTES", "5 GB")
    with pytest.raises(ValueError, match="'5 GB': expected a number of bytes"):
        default_copies()
