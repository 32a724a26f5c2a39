"""Directories up to a store and down again."""

from __future__ import annotations

import contextlib
import os
import socket
import threading

import google_crc32c
import pytest

from trainwright.storage import objects, transfer, uris
from trainwright.storage.errors import (
    NoSuchObjectError,
    ObjectChangedError,
    StorageError,
    StorageUnreachableError,
)
from trainwright.storage.transfer import (
    DamagedDownloadError,
    download_file,
    download_tree,
    upload_tree,
)

_FILES = {
    "a": b"",
    "Split-train/data-0.gz": b"x" * 1000,
    "Split-train/data-1.gz": bytes(range(256)) * 100_000,  # in several parts
    "variables/ü 1%": b"y",
    **{f"many/{number}": b"%d" % number for number in range(30)},
}


@pytest.fixture
def tree(tmp_path):
    for name, content in _FILES.items():
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return tmp_path / "tree"


def _checksums():
    return {name: google_crc32c.value(content) for name, content in _FILES.items()}


def test_a_tree_goes_up_and_comes_down_as_it_was(bucket, tree, tmp_path):
    sent, received = [], []
    upload_tree(str(tree), f"{bucket}/model", _FILES, progress=sent.append)
    copy = str(tmp_path / "copy")
    download_tree(f"{bucket}/model", copy, _FILES, _checksums(), progress=received.append)
    found = {
        os.path.relpath(path, copy): path.read_bytes()
        for path in (tmp_path / "copy").rglob("*")
        if path.is_file()
    }
    assert found == _FILES
    total = sum(map(len, _FILES.values()))
    assert sum(sent) == sum(received) == total


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        (b"caf\xe9", r"caf\\xe9' .* bytes that are not valid UTF-8"),
        (b"a\nb", r"a\\nb' .* the control character '\\n'"),
    ],
)
def test_a_file_whose_name_no_object_can_have_is_named(bucket, tree, name, problem):
    (tree / "variables" / os.fsdecode(name)).touch()
    names = ["a", f"variables/{os.fsdecode(name)}"]
    with pytest.raises(StorageError, match=problem) as info:
        upload_tree(str(tree), f"{bucket}/model", names)
    str(info.value).encode()
    assert "Give the file another name" in str(info.value)
    assert objects.list_tree(bucket) == []


def test_an_artifact_that_is_a_file_goes_up_and_comes_down(bucket, tmp_path):
    (tmp_path / "file").write_bytes(b"content")
    upload_tree(str(tmp_path / "file"), f"{bucket}/file", [""])
    download_tree(f"{bucket}/file", str(tmp_path / "new/copy"), [""])
    assert (tmp_path / "new/copy").read_bytes() == b"content"


def test_the_last_files_come_after_all_others(bucket, tree, monkeypatch):
    os.unlink(tree / "variables/ü 1%")
    with pytest.raises(FileNotFoundError, match="variables"):
        upload_tree(str(tree), f"{bucket}/model", _FILES, last=["a"])
    assert objects.stat(f"{bucket}/model/a") is None
    assert [f for f in objects.list_tree(f"{bucket}/model") if uris.name(f.uri) == "a"] == []
    names = [name for name in _FILES if name != "variables/ü 1%"]
    upload_tree(str(tree), f"{bucket}/model", names, last=["many/1", "a"])
    facts = {uris.relative(f.uri, bucket): f for f in objects.list_tree(bucket)}
    newest = max(facts.values(), key=lambda f: f.modified_ns).modified_ns
    assert facts["model/a"].modified_ns == newest


def test_what_is_damaged_or_missing_is_named_and_leaves_no_file(bucket, tmp_path):
    objects.write(f"{bucket}/a", b"right")
    with pytest.raises(DamagedDownloadError, match="/a' is damaged: its content has the checksum"):
        download_tree(bucket, str(tmp_path / "copy"), ["a"], {"a": 1})
    with pytest.raises(NoSuchObjectError, match="/gone' does not exist"):
        download_tree(bucket, str(tmp_path / "copy"), ["gone"])
    with pytest.raises(NoSuchObjectError, match="/gone' does not exist"):
        download_tree(bucket, str(tmp_path / "many"), ["a", "gone"])
    assert os.listdir(tmp_path / "copy") == []


def test_another_content_than_was_asked_for_is_an_error(bucket, tmp_path):
    objects.write(f"{bucket}/a", b"old")
    etag = objects.stat(f"{bucket}/a").etag
    objects.write(f"{bucket}/a", b"new")
    with pytest.raises(ObjectChangedError, match="was replaced"):
        download_file(f"{bucket}/a", str(tmp_path / "a"), etag=etag)


def test_a_store_that_stops_in_the_middle_is_an_error_and_leaves_no_file(
    s3, s3_server, monkeypatch, tmp_path, tree
):
    """In the middle of a download: some of its ranges are there."""
    upload_tree(str(tree), s3, ["Split-train/data-1.gz"])
    monkeypatch.setenv("TRAINWRIGHT_STORAGE_TIMEOUT", "0.2")
    (tmp_path / "copy").mkdir()
    timer = threading.Timer(30, s3_server.thaw)
    timer.start()
    try:
        with pytest.raises(StorageUnreachableError, match=r"data-1\.gz' cannot be read"):
            download_file(
                f"{s3}/Split-train/data-1.gz",
                str(tmp_path / "copy/file"),
                progress=lambda _: s3_server.freeze(),
            )
    finally:
        timer.cancel()
        s3_server.thaw()
    assert os.listdir(tmp_path / "copy") == []


@pytest.mark.parametrize("name", ["../outside", "a/../../outside", "/outside"])
def test_an_object_whose_name_leads_out_of_the_directory_is_not_copied(tmp_path, name):
    with pytest.raises(StorageError, match="leads out of a directory"):
        download_tree("memory://bucket/data", str(tmp_path / "inside"), [name])
    assert not (tmp_path / "outside").exists()


def test_a_download_goes_on_where_the_connection_broke(s3, s3_server, monkeypatch, tmp_path):
    """Through a door that closes after some bytes, again and again."""
    content = os.urandom(30_000_000)
    objects.write(f"{s3}/big", content)
    with _Door(s3_server.port, after=12_000_000) as door:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{door.port}")
        download_file(f"{s3}/big", str(tmp_path / "big"), checksum=google_crc32c.value(content))
    assert (tmp_path / "big").read_bytes() == content
    assert door.broken >= 2


@pytest.mark.parametrize("checksum", [None, "right"])
def test_a_very_large_file_comes_in_several_ranges(bucket, monkeypatch, tmp_path, checksum):
    monkeypatch.setattr(transfer, "_ONE_STREAM", 1 << 20)
    monkeypatch.setattr(transfer, "_RANGE", 1 << 20)
    content = os.urandom(5_500_000)
    objects.write(f"{bucket}/big", content)
    right = google_crc32c.value(content) if checksum else None
    download_file(f"{bucket}/big", str(tmp_path / "big"), checksum=right)
    assert (tmp_path / "big").read_bytes() == content


class _Door:
    """A port that leads to another, and closes each connection after a number of bytes."""

    def __init__(self, port, *, after):
        self._target, self._after = port, after
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.broken = 0

    def __enter__(self):
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *exc):
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _serve(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self._target))
            threading.Thread(target=self._pass, args=(client, server, None), daemon=True).start()
            threading.Thread(
                target=self._pass, args=(server, client, self._after), daemon=True
            ).start()

    def _pass(self, source, target, left):
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                target.sendall(data)
                if left is not None:
                    left -= len(data)
                    if left <= 0:
                        self.broken += 1
                        break
            for end in (source, target):
                end.shutdown(socket.SHUT_RDWR)
