"""Outputs with links, empty directories and odd names: a consumer sees the same on every root."""

from __future__ import annotations

import json
import os
import uuid
from pathlib import Path

import pytest
from object_store import ObjectStore

from trainwright import (
    InputArtifact,
    LocalDagRunner,
    OutputArtifact,
    Parameter,
    Pipeline,
    PipelineRunError,
    component,
)
from trainwright.metadata.connection import sqlite_metadata_connection_config
from trainwright.storage import objects
from trainwright.types import standard_artifacts

NAMES = [
    *("with space", " space before", "100%", "%20", "a#b", "what?", "a?b=c&d=e", "back\\slash"),
    *("ünï", "e\u0301", "日本", "\U0001f600", "...", ".hidden", "*[x]{y}", "quote'\"", "-x"),
]


@component
def make(
    names: Parameter[str], outside: Parameter[str], model: OutputArtifact[standard_artifacts.Model]
):
    top = Path(model.uri)
    for name in json.loads(names):
        (top / name).write_text(f"the file {name}")
        (top / "names" / name).mkdir(parents=True)
        (top / "names" / name / "zero").touch()
    (top / "no files").mkdir()
    for step in ("1", "2"):
        (top / "checkpoints" / f"ckpt-{step}" / "inner").mkdir(parents=True)
        (top / "checkpoints" / f"ckpt-{step}" / "weights").write_text(f"weights of {step}")
        (top / "checkpoints" / f"ckpt-{step}" / "inner" / "zero").touch()
    for link, target in {
        "checkpoints/latest": "ckpt-2",
        "best": "checkpoints/ckpt-1",
        "newest file": "checkpoints/latest/weights",
        "of a link 1%": "checkpoints/latest",
        "nothing": "no files",
        "outside": outside,
        "outside again": outside,
    }.items():
        (top / link).symlink_to(target)


@component
def look(
    model: InputArtifact[standard_artifacts.Model],
    seen: OutputArtifact[standard_artifacts.String],
):
    found = {}
    for above, folders, names in os.walk(model.uri, followlinks=True):
        within = os.path.relpath(above, model.uri)
        found[within] = sorted([*folders, *names])
        for name in names:
            found[os.path.join(within, name)] = Path(above, name).read_text()
    seen.value = json.dumps(found)


def what_a_consumer_sees(root, tmp_path):
    outside = tmp_path / "outside"
    (outside / "deep").mkdir(parents=True, exist_ok=True)
    (outside / "deep" / "file").write_text("from outside")
    made = make(names=json.dumps(NAMES), outside=str(outside))
    nodes = [made, look(model=made.outputs["model"])]
    config = sqlite_metadata_connection_config(str(tmp_path / f"{uuid.uuid4().hex}.db"))
    result = LocalDagRunner().run(Pipeline("odd", root, config, nodes))
    uri = result["look"].seen.uri
    return json.loads(objects.read(uri) if "//" in uri else Path(uri).read_text())


@pytest.fixture(scope="module")
def server():
    with ObjectStore() as server:
        yield server


@pytest.fixture(params=["memory", "s3"])
def bucket(request, monkeypatch, tmp_path):
    monkeypatch.setenv("TRAINWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    if request.param == "s3":
        server = request.getfixturevalue("server")
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        uri = f"s3://{server.create_bucket()}"
    else:
        uri = f"memory://test-{uuid.uuid4().hex[:12]}"
    yield uri
    objects.remove_tree(uri)


@component
def make_unreadable_name(model: OutputArtifact[standard_artifacts.Model]):
    (Path(model.uri) / "fine").touch()
    (Path(model.uri) / os.fsdecode(b"caf\xe9")).touch()


def test_a_file_whose_name_no_object_can_have_fails_its_node_by_name(bucket, tmp_path):
    config = sqlite_metadata_connection_config(str(tmp_path / "metadata.db"))
    pipeline = Pipeline("odd", f"{bucket}/root", config, [make_unreadable_name()])
    with pytest.raises(PipelineRunError, match=r"caf\\xe9' cannot be put into an object store"):
        LocalDagRunner().run(pipeline)
    assert not objects.exists(f"{bucket}/root/make_unreadable_name/model")


def test_a_consumer_sees_what_it_sees_on_a_disk(bucket, tmp_path):
    expected = what_a_consumer_sees(str(tmp_path / "root"), tmp_path)
    assert expected["checkpoints/latest/weights"] == "weights of 2"
    assert expected["of a link 1%/inner/zero"] == ""
    assert expected["outside again/deep/file"] == "from outside"
    assert expected["no files"] == expected["nothing"] == []
    assert what_a_consumer_sees(f"{bucket}/root", tmp_path) == expected
