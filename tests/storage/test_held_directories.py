"""Held directories: they stay while a process that uses them lives, and not longer."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from trainwright.engine.hosted import carried_files
from trainwright.engine.hosted.carried_files import CarriedFiles, place
from trainwright.storage.held_directories import hold, is_held, remove_left

HOLDER = """
import sys, time
from trainwright.storage.held_directories import hold
hold(sys.argv[1])
print("holds it", flush=True)
time.sleep(600)
"""


def test_a_directory_is_held_until_its_process_is_killed(tmp_path):
    (tmp_path / "work").mkdir()
    directory = str(tmp_path / "work")
    assert not is_held(directory)
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, directory], stdout=subprocess.PIPE, text=True
    )
    with holder:
        assert holder.stdout.readline() == "holds it\n"
        assert is_held(directory)
        remove_left(directory)
        assert os.path.isdir(directory)
        holder.send_signal(signal.SIGKILL)
    assert not is_held(directory)
    remove_left(directory)
    assert os.listdir(tmp_path) == []


def test_one_that_was_never_held_may_just_be_being_made(tmp_path):
    (tmp_path / "new").mkdir()
    remove_left(str(tmp_path / "new"))
    assert (tmp_path / "new").is_dir()
    with pytest.raises(FileNotFoundError):
        hold(str(tmp_path / "absent"))


MAKER = """
import os, signal, sys
from trainwright.storage.held_directories import held_temporary
with held_temporary(sys.argv[1]) as directory:
    open(os.path.join(directory, "rows"), "w").close()
    print(os.path.basename(directory), flush=True)
    os.kill(os.getpid(), int(sys.argv[2]))
"""


def make(tmp_path, prefix, number=0):
    """A process that makes a temporary directory, and gets a signal within the block."""
    command = [sys.executable, "-c", MAKER, prefix, str(int(number))]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    made = subprocess.run(command, env=environment, capture_output=True, text=True)
    return made.stdout.strip()


def test_a_temporary_directory_of_a_killed_process_is_removed_by_the_next(tmp_path):
    killed = make(tmp_path, "work-", signal.SIGKILL)
    other = make(tmp_path, "other-", signal.SIGKILL)
    assert {path.name for path in tmp_path.iterdir()} == {killed, other}
    target = tmp_path / "target"
    shutil.copytree(tmp_path / other, target)
    (tmp_path / "work-link").symlink_to(target)
    (tmp_path / "work-unheld").mkdir()
    with contextlib.closing(Held(tmp_path / "work-held")):
        assert make(tmp_path, "work-") != killed
        names = {path.name for path in tmp_path.iterdir()}
        assert names == {other, "target", "work-link", "work-unheld", "work-held"}
        assert (target / "rows").exists()


class Held:
    def __init__(self, path):
        path.mkdir()
        self._lock = hold(str(path))

    def close(self):
        os.close(self._lock)


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(carried_files, "_held", {})
    return tmp_path


def test_carried_files_that_are_in_use_stay_however_old_they_are(home, tmp_path):
    carried = []
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "vocabulary.txt").write_text(name)
        carried.append(CarriedFiles.read(str(tmp_path / name)))
    data = {one.digest: one.data for one in carried}
    old, new = (one.digest for one in carried)

    def age(path):
        long_ago = time.time() - 3 * 24 * 3600
        os.utime(os.path.dirname(path), (long_ago, long_ago))

    path = place(old, data.__getitem__)
    age(path)
    place(new, data.__getitem__)
    assert Path(path, "vocabulary.txt").read_text() == "old"

    os.close(carried_files._held.pop(os.path.dirname(path)))
    os.close(carried_files._held.pop(os.path.dirname(place(new, data.__getitem__))))
    (tmp_path / "third").write_text("third")
    third = CarriedFiles.read(str(tmp_path / "third"))
    place(third.digest, lambda digest: third.data)
    assert not os.path.exists(path)
    # And it is brought anew.
    path = place(old, data.__getitem__)
    assert Path(path, "vocabulary.txt").read_text() == "old"
