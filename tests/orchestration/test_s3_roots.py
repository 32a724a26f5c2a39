"""Roots in S3, with a real server on loopback that may be away for a while."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import threading
import time
import urllib.request
from pathlib import Path

import pytest
from object_store import ObjectStore

from trainwright import LocalDagRunner, OutputArtifact, Parameter, Pipeline, component, open_store
from trainwright.metadata.connection import sqlite_metadata_connection_config
from trainwright.orchestration.cleanup.garbage import collect, plan_collection
from trainwright.storage import objects, uris
from trainwright.types import standard_artifacts


@pytest.fixture(scope="module")
def server():
    with ObjectStore() as server:
        yield server


@pytest.fixture
def bucket(server, monkeypatch, tmp_path):
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    for name, value in server.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("TRAINWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    return f"s3://{server.create_bucket()}"


@component
def write(size: Parameter[int], model: OutputArtifact[standard_artifacts.Model]):
    Path(model.uri, "assets").mkdir()
    Path(model.uri, "saved_model.pb").write_bytes(b"x" * size)
    Path(model.uri, "assets", "words").write_text("one\ntwo\n")


def pipeline(root, store, size=3):
    config = sqlite_metadata_connection_config(str(store))
    return Pipeline("s3", root, config, [write(size=size)], enable_cache=True)


def states(result):
    return {state.value for state in result.states.values()}


def test_a_run_and_its_rerun(bucket, tmp_path):
    store = tmp_path / "metadata.db"
    root = f"{bucket}/deep/root"
    result = LocalDagRunner().run(pipeline(root, store, size=9 << 20))
    uri = result["write"].model.uri
    assert {uris.relative(facts.uri, uri): facts.size for facts in objects.list_tree(uri)} == {
        "saved_model.pb": 9 << 20,
        "assets/words": 8,
    }
    assert states(LocalDagRunner().run(pipeline(root, store, size=9 << 20))) == {"cached"}


def test_nothing_of_the_credentials_is_written_down(bucket, tmp_path):
    root = f"{bucket}/root"
    LocalDagRunner().run(pipeline(root, tmp_path / "metadata.db"))
    written = b"".join(objects.read(facts.uri) for facts in objects.list_tree(root))
    written += (tmp_path / "metadata.db").read_bytes()
    assert b"secret-key-of-tests" not in written
    assert b"access-key-of-tests" not in written


def test_a_store_that_is_away_for_a_moment_delays_the_run_and_no_more(bucket, server, tmp_path):
    def freeze_for_a_moment():
        server.freeze()
        time.sleep(5)
        server.thaw()

    pause = threading.Timer(0.3, freeze_for_a_moment)
    pause.start()
    try:
        result = LocalDagRunner().run(pipeline(f"{bucket}/root", tmp_path / "metadata.db"))
    finally:
        pause.join()
    assert states(result) == {"complete"}


@pytest.mark.soak
@pytest.mark.parametrize("after", [0.1, 0.4, 0.7, 1.0, 1.3])
def test_a_store_that_is_away_for_twenty_seconds(bucket, server, tmp_path, after):
    """The run waits, or the next one finishes it."""

    def freeze():
        server.freeze()
        time.sleep(20)
        server.thaw()

    pause = threading.Timer(after, freeze)
    pause.start()
    try:
        LocalDagRunner().run(pipeline(f"{bucket}/root", tmp_path / "metadata.db"))
    except Exception as error:
        print(f"the first run failed: {error}")
    finally:
        pause.join()
    result = LocalDagRunner().run(pipeline(f"{bucket}/root", tmp_path / "metadata.db"))
    assert states(result) <= {"complete", "cached"}


def test_an_upload_that_was_killed_leaves_nothing_that_counts_and_gc_nothing_at_all(
    bucket, server, tmp_path
):
    script = tmp_path / "pipeline.py"
    script.write_text(
        textwrap.dedent("""
        import os, signal, sys, threading, time
        from pathlib import Path
        from trainwright import LocalDagRunner, OutputArtifact, Pipeline, component
        from trainwright.metadata.connection import sqlite_metadata_connection_config
        from trainwright.types import standard_artifacts

        @component
        def write(model: OutputArtifact[standard_artifacts.Model]):
            from trainwright.storage import transfer
            Path(model.uri, "large").write_bytes(os.urandom(64 << 20))
            if not os.path.exists("seen"):
                Path("seen").touch()
                upload = transfer.upload_file
                def killed(path, uri, **options):
                    threading.Timer(0.25, os.kill, (os.getpid(), signal.SIGKILL)).start()
                    return upload(path, uri, **options)
                transfer.upload_file = killed

        config = sqlite_metadata_connection_config("metadata.db")
        LocalDagRunner().run(Pipeline("killed", sys.argv[1], config, [write()], enable_cache=True))
        """)
    )
    command = [sys.executable, str(script), f"{bucket}/root"]
    first = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert first.returncode != 0, first.stderr
    assert not objects.exists(f"{bucket}/root/write/model/1/large")
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    assert objects.stat(f"{bucket}/root/write/model/2/large").size == 64 << 20
    with open_store(tmp_path / "metadata.db") as store:
        collect(store, plan_collection(store, "killed", keep=1))
    name = uris.split(bucket).bucket
    with urllib.request.urlopen(f"{server.url}/{name}?uploads", timeout=30) as answer:
        assert b"<UploadId>" not in answer.read()


def test_what_is_wrong_with_a_root_is_said_before_anything_starts(bucket, tmp_path, monkeypatch):
    store = tmp_path / "metadata.db"
    with pytest.raises(ValueError, match="there is no bucket 'no-such-bucket'"):
        LocalDagRunner().run(pipeline("s3://no-such-bucket/root", store))
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("TRAINWRIGHT_STORAGE_TIMEOUT", "2")
    with pytest.raises(ValueError, match="does not answer"):
        LocalDagRunner().run(pipeline(f"{bucket}/root", store))
    assert not store.exists()
