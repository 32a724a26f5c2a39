"""Roots in S3, with a real server on loopback that may be away for a while."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import boto3
import pytest
from click.testing import CliRunner
from command_launcher import CommandLauncher
from object_store import ObjectStore
from store_audit import audit_objects, find_repeated

from trainwright import LocalDagRunner, OutputArtifact, Parameter, Pipeline, component, open_store
from trainwright.cli.main import cli
from trainwright.metadata.connection import sqlite_metadata_connection_config
from trainwright.metadata.records import ArtifactState
from trainwright.orchestration.cleanup.garbage import collect, plan_collection
from trainwright.storage import objects, uploads, uris
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


class CommandRunner(LocalDagRunner):
    """What a third party writes: it hears of nothing but the ends of commands."""

    def make_launcher(self):
        return CommandLauncher()


@pytest.mark.parametrize("runner_class", [LocalDagRunner, CommandRunner])
def test_a_run_and_its_rerun(bucket, tmp_path, runner_class):
    store = tmp_path / "metadata.db"
    root = f"{bucket}/deep/root"
    result = runner_class().run(pipeline(root, store, size=9 << 20))
    uri = result["write"].model.uri
    assert {uris.relative(facts.uri, uri): facts.size for facts in objects.list_tree(uri)} == {
        "saved_model.pb": 9 << 20,
        "assets/words": 8,
    }
    assert states(runner_class().run(pipeline(root, store, size=9 << 20))) == {"cached"}


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


# Seconds after an upload of many parts has begun.
IN_THE_MIDDLE = 0.25


@pytest.mark.parametrize(
    ("after", "who"),
    [
        (IN_THE_MIDDLE, "worker"),
        *(
            pytest.param(random.Random(seed).uniform(0.0, 1.5), who, marks=pytest.mark.soak)
            for seed in range(8)
            for who in ("worker", "run")
        ),
    ],
)
def test_an_upload_that_was_killed_leaves_nothing_that_counts_and_gc_nothing_at_all(
    bucket, server, tmp_path, after, who
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
                pid = os.getpid() if sys.argv[3] == "worker" else int(os.environ["PID_OF_RUN"])
                upload = transfer.upload_file
                def killed(path, uri, **options):
                    kill = threading.Timer(float(sys.argv[2]), os.kill, (pid, signal.SIGKILL))
                    kill.daemon = True
                    kill.start()
                    return upload(path, uri, **options)
                transfer.upload_file = killed

        os.environ.setdefault("PID_OF_RUN", str(os.getpid()))
        config = sqlite_metadata_connection_config("metadata.db")
        LocalDagRunner().run(Pipeline("killed", sys.argv[1], config, [write()], enable_cache=True))
        """)
    )
    root, store = f"{bucket}/root", tmp_path / "metadata.db"
    command = [sys.executable, str(script), root, str(after), who]
    first = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    if after == IN_THE_MIDDLE:  # a later kill may find nobody
        assert first.returncode != 0, first.stderr
        assert not objects.exists(f"{root}/write/model/1/large")
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    with open_store(store) as opened:
        [model] = opened.get_artifacts(states=[ArtifactState.LIVE])
        assert objects.stat(f"{model.uri}/large").size == 64 << 20
        collect(opened, plan_collection(opened, "killed", keep=1))
    assert "<UploadId>" not in server.uploads(uris.split(bucket).bucket)
    assert audit_objects(store, root) + find_repeated(store) == []


def test_gc_says_that_it_cannot_find_what_broken_off_uploads_have_left(
    bucket, tmp_path, monkeypatch
):
    store = tmp_path / "metadata.db"

    def collect_after_runs_of(*sizes):
        for size in sizes:
            LocalDagRunner().run(pipeline(f"{bucket}/root", store, size=size))
        command = ["gc", "--store", str(store), "--keep", "1", "--yes"]
        result = CliRunner().invoke(cli, command)
        assert result.exit_code == 0, result.output
        assert f"Deleted {len(sizes) - 1} artifacts" in result.output
        return result.output

    assert "boto3" not in collect_after_runs_of(1, 2)
    monkeypatch.setattr(uploads, "is_installed", lambda module: False)
    said = collect_after_runs_of(2, 3)
    assert f"Uploads to {bucket} that were broken off may have left parts" in said
    assert "without boto3 they are not found. Install it with: pip install boto3" in said


def test_only_what_is_in_s3_needs_boto3_for_its_uploads(monkeypatch):
    addresses = ["/a/b", "memory://bucket/a", "gs://bucket/a", "s3://bucket/a", "s3://bucket/b"]
    assert uploads.why_uploads_stay(addresses) is None
    monkeypatch.setattr(uploads, "is_installed", lambda module: False)
    assert uploads.why_uploads_stay(addresses[:3]) is None
    assert uploads.why_uploads_stay(addresses).startswith("Uploads to s3://bucket that")


def test_what_is_wrong_with_a_root_is_said_before_anything_starts(bucket, tmp_path, monkeypatch):
    store = tmp_path / "metadata.db"
    with pytest.raises(ValueError, match="there is no bucket 'no-such-bucket'"):
        LocalDagRunner().run(pipeline("s3://no-such-bucket/root", store))
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("TRAINWRIGHT_STORAGE_TIMEOUT", "2")
    with pytest.raises(ValueError, match="does not answer"):
        LocalDagRunner().run(pipeline(f"{bucket}/root", store))
    assert not store.exists()


def user_who_may(server, name, actions):
    """Credentials of a user of the server's own, as variables."""
    client = boto3.client("iam", endpoint_url=server.url, region_name="us-east-1")
    statement = {"Effect": "Allow", "Action": actions, "Resource": "*"}
    policy = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
    client.create_user(UserName=name)
    client.put_user_policy(UserName=name, PolicyName="some", PolicyDocument=policy)
    key = client.create_access_key(UserName=name)["AccessKey"]
    return {
        **server.environment,
        "AWS_ACCESS_KEY_ID": key["AccessKeyId"],
        "AWS_SECRET_ACCESS_KEY": key["SecretAccessKey"],
    }


def test_rights_that_do_not_suffice_are_said_before_anything_starts(tmp_path, monkeypatch):
    put, get = "s3:PutObject", "s3:GetObject"
    lists, deletes = "s3:ListBucket", "s3:DeleteObject"
    lacking = {
        "written": [get, lists, deletes],
        "listed": [put, get, deletes],
        "read": [put, lists, deletes],
        "removed": [put, get, lists],
    }
    with ObjectStore(free_requests=1 + 3 * len(lacking)) as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        root = f"s3://{server.create_bucket()}/root"
        users = {what: user_who_may(server, what, actions) for what, actions in lacking.items()}
        for what, environment in users.items():
            for name, value in environment.items():
                monkeypatch.setenv(name, value)
            with pytest.raises(ValueError, match=f"cannot be {what}: the store denies it"):
                LocalDagRunner().run(pipeline(root, tmp_path / "metadata.db"))
    assert not (tmp_path / "metadata.db").exists()
