"""Objects by address, on a server and in memory: the same for both."""

from __future__ import annotations

import contextlib
import os
import threading
import urllib.request

import boto3
import pytest

from trainwright.storage import files, objects, stores, uris
from trainwright.storage.errors import NoSuchObjectError, ObjectChangedError, StorageError


def test_what_is_written_is_read_and_described(bucket):
    uri = f"{bucket}/data/a file, 100%.csv"
    objects.write(uri, b"x,y\n")
    assert objects.read(uri) == b"x,y\n"
    facts = objects.stat(uri)
    assert (facts.uri, facts.size) == (uri, 4)
    assert facts.modified_ns > 1_600_000_000_000_000_000
    assert objects.stat(uris.parent(uri)) is None
    assert objects.exists(uris.parent(uri)), "something is below it"
    assert not objects.exists(f"{bucket}/dat")


def test_the_tag_changes_with_the_content(bucket):
    objects.write(f"{bucket}/a", b"one")
    before = objects.stat(f"{bucket}/a").etag
    objects.write(f"{bucket}/a", b"two")
    assert objects.stat(f"{bucket}/a").etag != before


def test_listings_are_sorted_and_know_directories(bucket):
    for name in ("b/2", "b/1", "a", "b/c/3", "bb/4"):
        objects.write(f"{bucket}/{name}", name.encode())
    assert [uris.relative(f.uri, bucket) for f in objects.list_tree(bucket)] == [
        *("a", "b/1", "b/2", "b/c/3", "bb/4")
    ]
    assert [uris.relative(f.uri, f"{bucket}/b") for f in objects.list_tree(f"{bucket}/b/")] == [
        *("1", "2", "c/3")
    ]
    assert objects.list_names(bucket) == (["b", "bb"], ["a"])
    assert objects.list_names(f"{bucket}/b") == (["c"], ["1", "2"])
    assert objects.list_names(f"{bucket}/none") == ([], [])


def test_a_tree_is_removed_and_nothing_beside_it(bucket):
    for name in ("b/1", "b/c/3", "bb/4", "b.txt"):
        objects.write(f"{bucket}/{name}", b"")
    assert objects.remove_tree(f"{bucket}/b") == 2
    assert objects.remove_tree(f"{bucket}/b") == 0
    assert [uris.relative(f.uri, bucket) for f in objects.list_tree(bucket)] == ["b.txt", "bb/4"]
    objects.remove(f"{bucket}/b.txt")
    objects.remove(f"{bucket}/b.txt")  # what is gone already is fine
    assert objects.stat(f"{bucket}/b.txt") is None


def test_of_many_who_create_an_object_one_succeeds(bucket):
    results = []
    barrier = threading.Barrier(8)

    def create(number):
        barrier.wait()
        results.append((objects.create(f"{bucket}/lease", b"%d" % number), number))

    threads = [threading.Thread(target=create, args=[number]) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    winners = [number for is_mine, number in results if is_mine]
    assert len(winners) == 1
    assert objects.read(f"{bucket}/lease") == b"%d" % winners[0]
    assert objects.create(f"{bucket}/lease", b"other") is False
    assert objects.create(f"{bucket}/lease", b"%d" % winners[0]), "it is the winner's own answer"


def test_a_file_is_read_from_anywhere_in_it(bucket):
    content = bytes(range(256)) * 40_000  # more than one request
    objects.write(f"{bucket}/big", content)
    with objects.open_input(f"{bucket}/big") as file:
        assert file.read(10) == content[:10]
        file.seek(-5, os.SEEK_END)
        assert file.read() == content[-5:]
        file.seek(0)
        assert file.read() == content
        file.seek(len(content) + 1)
        assert file.read() == b""


def test_the_whole_of_a_file_takes_few_requests(bucket, monkeypatch):
    objects.write(f"{bucket}/big", b"a" * 9_000_000)
    requests = []
    read = files._RangeReader.readinto
    monkeypatch.setattr(files._RangeReader, "readinto", lambda *of: requests.append(1) or read(*of))
    with objects.open_input(f"{bucket}/big") as file:
        assert len(file.read()) == 9_000_000
    assert len(requests) <= 4


def test_a_file_that_is_replaced_while_it_is_read_is_an_error(bucket):
    objects.write(f"{bucket}/big", b"a" * 9_000_000)
    with objects.open_input(f"{bucket}/big") as file:
        assert file.read(1) == b"a"
        objects.write(f"{bucket}/big", b"b" * 9_000_000)
        with pytest.raises(ObjectChangedError, match="was replaced while it was read"):
            file.read()


@pytest.mark.parametrize("size", [5, 20_000_000])
def test_a_file_is_visible_once_it_is_closed(bucket, size):
    uri = f"{bucket}/out"
    with objects.open_output(uri) as file:
        file.write(b"x" * size)
        assert objects.stat(uri) is None
    assert objects.stat(uri).size == size
    with contextlib.suppress(KeyError), objects.open_output(f"{bucket}/broken") as file:
        file.write(b"x" * size)
        raise KeyError
    unclosed = objects.open_output(f"{bucket}/unclosed")
    unclosed.write(b"x")
    del unclosed
    assert [f.uri for f in objects.list_tree(bucket)] == [uri]


def test_an_object_is_copied_within_a_store_and_to_another(s3, memory):
    objects.write(f"{s3}/a", b"content")
    objects.copy(f"{s3}/a", f"{s3}/b")
    objects.copy(f"{s3}/b", f"{memory}/c")
    assert objects.read(f"{s3}/b") == objects.read(f"{memory}/c") == b"content"


def test_what_is_not_there_has_its_own_error(bucket):
    with pytest.raises(FileNotFoundError, match=r"gone' does not exist\. Check the name"):
        objects.read(f"{bucket}/gone")
    with pytest.raises(NoSuchObjectError):
        objects.open_input(f"{bucket}/gone")
    with pytest.raises(NoSuchObjectError):
        objects.copy(f"{bucket}/gone", f"{bucket}/other")


def test_abandoned_uploads_are_removed_with_a_tree(s3, s3_server):
    for name in ("tree/big", "beside"):
        request = urllib.request.Request(
            f"{s3_server.url}/{s3[5:]}/{name}?uploads", method="POST", data=b""
        )
        urllib.request.urlopen(request).close()
    objects.write(f"{s3}/tree/small", b"")
    objects.remove_tree(f"{s3}/tree")
    left = s3_server.uploads(s3[5:])
    assert "tree/big" not in left
    assert "beside" in left


def test_links_below_memory_lead_nowhere(memory, tmp_path):
    """What is behind a link in /dev/shm is not the bucket's: not read, listed, or removed."""
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "file").write_text("mine")
    objects.write(f"{memory}/tree/a", b"1")
    directory = stores.memory_directory(memory.partition("//")[2])
    os.symlink(tmp_path / "precious", f"{directory}/tree/link")
    os.symlink(tmp_path / "precious" / "file", f"{directory}/tree/file")
    assert [facts.uri for facts in objects.list_tree(memory)] == [f"{memory}/tree/a"]
    assert objects.list_names(f"{memory}/tree") == ([], ["a"])
    for operation in (objects.read, objects.stat, objects.open_input, objects.list_tree):
        with pytest.raises(StorageError, match="leads through a symbolic link"):
            operation(f"{memory}/tree/link/file")
    for uri in (f"{memory}/tree/file", f"{memory}/tree/link/new"):
        with pytest.raises(StorageError, match="leads through a symbolic link"):
            objects.write(uri, b"")
        with pytest.raises(StorageError, match="leads through a symbolic link"):
            objects.copy(f"{memory}/tree/a", uri)
    assert objects.remove_tree(memory) == 1
    assert os.listdir(tmp_path / "precious") == ["file"]
    assert (tmp_path / "precious" / "file").read_text() == "mine"
    assert not objects.exists(memory)


def test_empty_folders_of_a_console_are_no_objects(s3):
    for key in ("data/none/", "data/some/", "data/"):
        boto3.client("s3").put_object(Bucket=s3.partition("//")[2], Key=key)
    names = ["empty", "some/empty", "some/full"]
    for name in names:
        objects.write(f"{s3}/data/{name}", b"1" if name.endswith("full") else b"")
    listed = objects.list_tree(f"{s3}/data")
    assert [uris.relative(facts.uri, f"{s3}/data") for facts in listed] == names
