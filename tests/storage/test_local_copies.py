"""Copies on this host: whole, shared, bounded, and never in the way of a killed process."""

from __future__ import annotations

import os
import stat
import sys
import threading

import google_crc32c
import pytest

from trainwright.orchestration.publishing.work_files import make_work_directory
from trainwright.storage import local_copies, objects, transfer
from trainwright.storage.errors import NoSuchObjectError, ObjectChangedError, StorageError
from trainwright.storage.local_copies import LocalCopies, default_copies
from trainwright.storage.private_directories import make_private_directory


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


def _names(copies):
    """Entries and their locks, without the sum of their sizes."""
    return sorted(name for name in os.listdir(copies.directory) if name != ".total")


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


def test_all_that_lies_below_an_address_is_fetched_at_once(bucket, copies, monkeypatch):
    base = f"{bucket}/data"
    files = {"a": b"1", "deep/b": b"22", "deep/er/c": b"333", "empty": b""}
    _upload(base, files)
    all_at_once = threading.Barrier(len(files))
    download = transfer.download_file

    def wait_for_the_others(*arguments, **options):
        all_at_once.wait(20)
        download(*arguments, **options)

    monkeypatch.setattr(transfer, "download_file", wait_for_the_others)
    monkeypatch.setattr(local_copies, "download_file", wait_for_the_others)
    with copies.fetch_all(base) as copy:
        assert {name: _read(os.path.join(copy.path, name)) for name in files} == files


@pytest.mark.parametrize("name", ["a", "deep/b"])
def test_what_is_replaced_while_all_is_fetched_is_an_error(bucket, copies, monkeypatch, name):
    base = f"{bucket}/data"
    _upload(base, {"a": b"1", "deep/b": b"1"})
    listing = local_copies.list_tree

    def replaced_afterwards(uri):
        found = listing(uri)
        objects.write(f"{base}/{name}", b"2")
        return found

    monkeypatch.setattr(local_copies, "list_tree", replaced_afterwards)
    with pytest.raises(ObjectChangedError, match=f"'{base}/{name}' was replaced while"):
        copies.fetch_all(base)
    assert _entries(copies) == []


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
    assert _names(copies) == []


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
        assert _names(copies) == [_entries(copies)[0], _entries(copies)[0] + ".lock"]
        limit, copies.limit_bytes = copies.limit_bytes, 0
        copies.clean()
        copies.limit_bytes = limit
        assert _names(copies) == []
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


def test_copies_of_many_files_are_not_counted_for_each_of_them(memory, tmp_path, monkeypatch):
    copies = LocalCopies(str(tmp_path / "copies"), limit_bytes=100_000)
    listed = []
    listdir = os.listdir
    monkeypatch.setattr(os, "listdir", lambda path: listed.append(path) or listdir(path))
    for number in range(60):
        objects.write(f"{memory}/{number}", b"x" * 10)
        copies.fetch_file(f"{memory}/{number}").close()
    assert len(listed) <= 4


def test_several_processes_keep_to_one_limit(memory, copies):
    """Each adds less than it has counted itself room for; together they would be far above it."""
    for number in range(24):
        objects.write(f"{memory}/{number}", b"%03d" % number * 100)

    def fetch(numbers):
        for number in numbers:
            copies.fetch_file(f"{memory}/{number}").close()

    copies.fetch_file(f"{memory}/0").close()  # it has counted, and its children know what
    for numbers in (range(8), range(8, 16), range(16, 24)):
        pid = os.fork()
        if pid == 0:
            fetch(numbers)
            os._exit(0)
        assert os.waitpid(pid, 0)[1] == 0
        assert 0 < len(_entries(copies)) <= 3, "300 bytes each, of 1000"
    fetch([0, 1])
    assert len(_entries(copies)) <= 3


def test_copies_are_for_this_users_eyes_alone(memory, monkeypatch, tmp_path):
    objects.write(f"{memory}/a", b"1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("TRAINWRIGHT_CACHE_DIR", raising=False)
    home = tmp_path / "trainwright" / "copies"
    make_work_directory("s3://bucket/root/Node/.system/executor_execution/1")
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert [stat.S_IMODE(path.stat().st_mode) for path in home.rglob("*")] == [0o700, 0o700]
    home.chmod(0o755)  # as earlier versions have made it
    default_copies().fetch_file(f"{memory}/a").close()
    assert stat.S_IMODE(home.stat().st_mode) == 0o700


@pytest.mark.parametrize("mode", [0o755, 0o770])
def test_a_directory_that_others_can_look_into_is_refused(memory, monkeypatch, tmp_path, mode):
    objects.write(f"{memory}/a", b"1")
    mine = tmp_path / "mine"
    mine.mkdir()
    mine.chmod(mode)
    monkeypatch.setenv("TRAINWRIGHT_CACHE_DIR", str(mine))
    with pytest.raises(StorageError, match=f"not a directory of this user alone .*mode {mode:o}"):
        default_copies().fetch_file(f"{memory}/a")
    assert stat.S_IMODE(mine.stat().st_mode) == mode, "it is the user's to change"
    monkeypatch.setenv("TRAINWRIGHT_CACHE_DIR", str(mine / "below"))
    default_copies().fetch_file(f"{memory}/a").close()
    assert stat.S_IMODE((mine / "below").stat().st_mode) == 0o700


@pytest.mark.skipif(os.getuid() != 0, reason="only root can make what belongs to others")
@pytest.mark.parametrize("kind", ["directory", "link"])
def test_a_directory_of_another_user_is_refused(tmp_path, kind):
    theirs, target = tmp_path / "theirs", tmp_path / "target"
    target.mkdir(mode=0o700)
    if kind == "link":
        theirs.symlink_to(target)
    else:
        theirs.mkdir(mode=0o700)
    os.chown(theirs, 12345, 12345, follow_symlinks=False)
    with pytest.raises(StorageError, match="not a directory of this user alone"):
        make_private_directory(str(theirs), "The directory of copies")


def test_an_object_whose_name_no_file_can_have_is_named(s3, copies):
    uri = f"{s3}/{'x' * 300}/a"
    objects.write(uri, b"1")
    with pytest.raises(StorageError, match=r"cannot be copied to this machine: its name is too"):
        copies.fetch_file(uri)
    objects.write(f"{s3}/{'y' * 250}", b"1")
    copies.fetch_file(f"{s3}/{'y' * 250}").close()


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
