"""Pushes to an object store: a version counts when it is whole, and only then."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
import uuid

import pytest
from object_store import ObjectStore, free_port

from trainwright import LocalDagRunner, OutputArtifact, Parameter, Pipeline, component
from trainwright.components import Pusher
from trainwright.components.pusher import remote_versions, versions
from trainwright.components.pusher.executor import push_directory
from trainwright.components.pusher.remote_versions import (
    COMPLETE,
    check_can_push,
    find_remote_damage,
    newest_remote_version,
)
from trainwright.metadata.leases import current_lease
from trainwright.storage import objects, uris
from trainwright.storage.errors import StorageError, StoragePermissionError
from trainwright.types.standard_artifacts import Model

FILES = {
    "saved_model.pb": b"graph",
    "variables/variables.index": b"index",
    "variables/variables.data-00000-of-00001": b"weights" * 1000,
    "assets/vocabulary.txt": b"a\nb\n",
}


@pytest.fixture
def bucket(tmp_path, monkeypatch):
    monkeypatch.setenv("TRAINWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    uri = f"memory://test-{uuid.uuid4().hex[:12]}"
    yield uri
    objects.remove_tree(uri)


@pytest.fixture
def model(tmp_path):
    for name, content in FILES.items():
        path = tmp_path / "model" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return str(tmp_path / "model")


def _files(version):
    return {
        uris.relative(facts.uri, version): objects.read(facts.uri)
        for facts in objects.list_tree(version)
    }


def test_a_version_has_all_files_and_a_marker_that_lists_them(bucket, model):
    before = int(time.time())
    version = push_directory(model, f"{bucket}/serving/")
    assert before <= int(uris.name(version)) <= time.time()
    found = _files(version)
    marker = json.loads(found.pop(COMPLETE))
    assert found == FILES
    assert marker["files"] == {name: len(content) for name, content in FILES.items()}
    assert newest_remote_version(f"{bucket}/serving") == int(uris.name(version))
    assert objects.list_names(f"{bucket}/serving") == ([uris.name(version)], [])


def test_what_a_reader_opens_first_comes_last(bucket, model, monkeypatch):
    order = []
    upload = remote_versions.upload_tree

    def noted(directory, uri, names, *, last):
        order.append(last)
        upload(directory, uri, names, last=last)

    monkeypatch.setattr(remote_versions, "upload_tree", noted)
    version = push_directory(model, f"{bucket}/serving")
    assert order == [["saved_model.pb"]]
    facts = {uris.relative(f.uri, version): f.modified_ns for f in objects.list_tree(version)}
    assert max(facts, key=facts.get) == COMPLETE
    del facts[COMPLETE]
    assert max(facts, key=facts.get) == "saved_model.pb"


def test_pushes_at_the_same_time_get_different_versions(bucket, model):
    pushed = []

    def push():
        pushed.append(push_directory(model, f"{bucket}/serving"))

    threads = [threading.Thread(target=push) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(pushed)) == 6
    assert [find_remote_damage(version) for version in pushed] == [None] * 6
    directories, names = objects.list_names(f"{bucket}/serving")
    assert (len(directories), names) == (6, [])


def test_a_version_of_something_else_is_left_alone_and_outnumbered(bucket, model):
    objects.write(f"{bucket}/serving/9000000000/saved_model.pb", b"theirs")
    objects.write(f"{bucket}/serving/7/readme", b"")
    version = push_directory(model, f"{bucket}/serving")
    assert uris.name(version) == "9000000001"
    assert objects.read(f"{bucket}/serving/9000000000/saved_model.pb") == b"theirs"
    assert objects.exists(f"{bucket}/serving/7")
    objects.write(f"{bucket}/other/{2**63 - 1}/a", b"")
    with pytest.raises(ValueError, match="has the highest number"):
        push_directory(model, f"{bucket}/other")


def test_a_push_that_fails_leaves_nothing(bucket, model, monkeypatch):
    def fail(*arguments, **options):
        raise StorageError("no more")

    monkeypatch.setattr(remote_versions, "_check_still_taken", fail)
    with pytest.raises(StorageError, match="no more"):
        push_directory(model, f"{bucket}/serving")
    assert objects.list_tree(bucket) == []


def _killed_at_line(number, function):
    """The status of a forked process that kills itself when it comes to a line of the push."""
    pid = os.fork()
    if pid == 0:
        counted = 0

        def trace(frame, event, argument):
            nonlocal counted
            if frame.f_code.co_filename != remote_versions.__file__:
                return None
            counted += event == "line"
            if counted == number:
                os.kill(os.getpid(), 9)
            return trace

        sys.settrace(trace)
        function()
        os._exit(0)
    return os.waitpid(pid, 0)[1]


def test_a_push_that_is_killed_at_any_line_leaves_no_version_that_is_not_whole(bucket, model):
    base = f"{bucket}/serving"
    line, ended, seen = 0, False, set()
    while not ended:
        line += 3
        ended = _killed_at_line(line, lambda: push_directory(model, base)) == 0
        newest = newest_remote_version(base)
        if newest is not None:
            assert find_remote_damage(f"{base}/{newest}") is None
        seen.add(newest is not None)
        version = push_directory(model, base)
        directories, names = objects.list_names(base)
        assert names == [], "nothing is left of the killed push"
        assert [find_remote_damage(f"{base}/{one}") for one in directories] == [None] * len(
            directories
        )
        assert newest_remote_version(base) == int(uris.name(version))
        objects.remove_tree(base)
    assert line > 40
    assert seen == {True, False}


def test_a_push_of_another_host_is_cleared_a_day_later(bucket, model, monkeypatch):
    owner = {"host": "elsewhere", "pid": 1, "process_started_at": 0.0, "push": "x"}
    objects.write(f"{bucket}/serving/.trainwright-push-5", json.dumps(owner).encode())
    objects.write(f"{bucket}/serving/5/saved_model.pb", b"half")
    push_directory(model, f"{bucket}/serving")
    assert objects.exists(f"{bucket}/serving/5"), "it may go on there"
    monkeypatch.setattr(versions, "STALE_PUSH_SECONDS", -1)
    push_directory(model, f"{bucket}/serving")
    assert not objects.exists(f"{bucket}/serving/5")
    directories, names = objects.list_names(f"{bucket}/serving")
    assert (len(directories), names) == (2, [])


GARBLED = [
    *(b"", b"not JSON", b"\xff\xfe", b"[1, 2]", b"null", b"{}", b"[" * 100_000),
    b'{"files": 7, "host": 7, "pid": "x", "push": []}',
]


@pytest.mark.parametrize("content", GARBLED, ids=lambda content: repr(content[:20]))
def test_objects_that_are_not_ours_hold_up_no_push(bucket, model, monkeypatch, content):
    base = f"{bucket}/serving"
    ours = push_directory(model, base)
    objects.write(f"{base}/.trainwright-push-5", content)
    objects.write(f"{base}/5/saved_model.pb", b"half")
    objects.write(f"{base}/.trainwright-push-6", content)
    objects.write(f"{base}/6/saved_model.pb", b"theirs")
    objects.write(f"{base}/6/{COMPLETE}", content)
    assert newest_remote_version(base) == int(uris.name(ours))
    assert find_remote_damage(ours) is None
    assert find_remote_damage(f"{base}/6") == f"its {COMPLETE} does not say which files it has"
    push_directory(model, base)
    assert objects.exists(f"{base}/5"), "whose it is nobody knows: it may go on"
    monkeypatch.setattr(versions, "STALE_PUSH_SECONDS", -1)
    newest = push_directory(model, base)
    assert not objects.exists(f"{base}/5")
    assert objects.exists(f"{base}/6/saved_model.pb"), "it was said to be whole"
    assert objects.list_names(base)[1] == []
    assert newest_remote_version(base) == int(uris.name(newest))


def test_an_owner_of_this_host_without_its_process_is_cleared_a_day_later(bucket, model):
    owner = json.dumps({"host": current_lease().host}).encode()
    objects.write(f"{bucket}/serving/.trainwright-push-5", owner)
    push_directory(model, f"{bucket}/serving")
    assert objects.exists(f"{bucket}/serving/.trainwright-push-5")


def test_a_look_at_the_destination_leaves_nothing(bucket):
    check_can_push(f"{bucket}/serving")
    assert objects.list_tree(bucket) == []


def test_a_destination_where_nothing_can_be_removed_is_refused_with_one_object_left(
    bucket, monkeypatch
):
    def deny(uri):
        raise StoragePermissionError(f"{uri!r} cannot be removed: the store denies it.")

    monkeypatch.setattr(objects, "remove", deny)
    for _ in range(2):
        with pytest.raises(StorageError, match="cannot be removed: the store denies") as info:
            check_can_push(f"{bucket}/serving")
        assert "A push removes objects of its own" in str(info.value)
    left = [facts.uri for facts in objects.list_tree(bucket)]
    assert left == [f"{bucket}/serving/.trainwright-probe"]


@component
def make_model(text: Parameter[str], model: OutputArtifact[Model]):
    import os

    os.makedirs(f"{model.uri}/Format-Serving")
    with open(f"{model.uri}/Format-Serving/saved_model.pb", "w") as file:
        file.write(text)


def _pipeline(tmp_path, text, place):
    maker = make_model(text=text)
    pusher = Pusher(model=maker.outputs["model"], push_destination=place)
    return Pipeline("p", str(tmp_path / "r"), components=[maker, pusher], enable_cache=True)


def test_a_cached_push_counts_only_while_it_is_whole_and_the_newest(bucket, tmp_path):
    base = f"{bucket}/serving"

    def run(text):
        result = LocalDagRunner().run(_pipeline(tmp_path, text, base))
        model = objects.read(f"{base}/{newest_remote_version(base)}/saved_model.pb").decode()
        return result.states["Pusher"].value, model

    assert run("a") == ("complete", "a")
    assert run("a") == ("cached", "a")
    assert run("b") == ("complete", "b")
    assert run("a") == ("complete", "a")
    objects.remove(f"{base}/{newest_remote_version(base)}/{COMPLETE}")
    assert run("a") == ("complete", "a")
    objects.write(f"{base}/{newest_remote_version(base)}/saved_model.pb", b"longer")
    assert run("a") == ("complete", "a")
    objects.remove_tree(base)
    assert run("a") == ("complete", "a")


def test_a_destination_that_cannot_be_written_is_refused_before_anything_runs(
    tmp_path, monkeypatch
):
    with ObjectStore(free_requests=1) as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        place = f"s3://{server.create_bucket()}/serving"
        with pytest.raises(ValueError, match="cannot be written: the store denies it"):
            LocalDagRunner().run(_pipeline(tmp_path, "a", place))
    with ObjectStore() as server:
        monkeypatch.setenv("AWS_ENDPOINT_URL", server.url)
        with pytest.raises(ValueError, match="there is no bucket 'nowhere-at-all'"):
            LocalDagRunner().run(_pipeline(tmp_path, "a", "s3://nowhere-at-all/serving"))
    monkeypatch.setenv("TRAINWRIGHT_STORAGE_TIMEOUT", "0.3")
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{free_port()}")
    with pytest.raises(ValueError, match="does not answer"):
        LocalDagRunner().run(_pipeline(tmp_path, "a", "s3://bucket/serving"))
    assert not (tmp_path / "r").exists()
