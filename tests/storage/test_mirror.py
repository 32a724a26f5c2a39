"""Mirror: copies of growing files, while they grow and when they are done."""

from __future__ import annotations

import time

import pytest

from trainwright.storage import objects, transfer
from trainwright.storage.mirror import Mirror

pytestmark = pytest.mark.not_quick  # waits


@pytest.fixture
def place():
    uri = f"memory://mirror-{time.time_ns()}"
    yield uri
    objects.remove_tree(uri)


def wait_until(holds):
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


def test_a_file_is_copied_again_when_it_has_grown(tmp_path, place):
    log = tmp_path / "executor.log"
    with Mirror(seconds=0.05) as mirror:
        mirror.add(str(log), f"{place}/executor.log")
        for text in ("one\n", "one\ntwo\n"):
            log.write_text(text)
            wait_until(
                lambda text=text: (
                    objects.exists(f"{place}/executor.log")
                    and objects.read(f"{place}/executor.log") == text.encode()
                )
            )
        log.write_text("one\ntwo\nthree\n")
    assert objects.read(f"{place}/executor.log") == b"one\ntwo\nthree\n"


def test_what_takes_long_to_copy_is_copied_less_often(tmp_path, place, monkeypatch):
    log, uploads = tmp_path / "executor.log", []
    upload = transfer.upload_file

    def upload_slowly(path, uri):
        uploads.append(uri)
        time.sleep(0.4)
        return upload(path, uri)

    monkeypatch.setattr(transfer, "upload_file", upload_slowly)
    with Mirror(seconds=0.01) as mirror:
        mirror.add(str(log), f"{place}/executor.log")
        until = time.monotonic() + 1.5
        while time.monotonic() < until:
            with open(log, "a") as file:
                file.write("another line\n")
            time.sleep(0.02)
        assert len(uploads) == 1
    assert len(uploads) == 2
    assert objects.read(f"{place}/executor.log") == log.read_bytes()
