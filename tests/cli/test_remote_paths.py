"""Addresses in object stores where commands take the path of a directory."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest
from click.testing import CliRunner

from trainwright.cli.main import cli
from trainwright.cli.remote_paths import fetched
from trainwright.storage import objects

GOLDEN = Path(__file__).resolve().parents[1] / "schemas" / "golden" / "mixed"


@pytest.fixture
def bucket(tmp_path, monkeypatch):
    monkeypatch.setenv("TRAINWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    uri = f"memory://test-{uuid.uuid4().hex[:12]}"
    yield uri
    objects.remove_tree(uri)


def refused(*arguments):
    result = CliRunner().invoke(cli, [*map(str, arguments)])
    assert result.exit_code == 2
    return result.output


def test_a_page_is_made_of_what_lies_in_a_store(bucket, tmp_path):
    objects.write(f"{bucket}/schema/schema.pbtxt", (GOLDEN / "schema.pbtxt").read_bytes())
    result = CliRunner().invoke(cli, ["show", f"{bucket}/schema", "--html", "page.html"])
    assert result.exit_code == 0, result.output
    assert "<html" in (tmp_path / "page.html").read_text()


def test_a_model_is_fetched(bucket):
    objects.write(f"{bucket}/model/saved_model.pb", b"graph")
    objects.write(f"{bucket}/model/variables/v", b"1")
    path = Path(fetched(f"{bucket}/model", "MODEL"))
    assert (path / "saved_model.pb").read_bytes() == b"graph"
    assert (path / "variables" / "v").read_bytes() == b"1"
    assert fetched("here/model", "MODEL") == "here/model"


def test_what_cannot_be_fetched_is_said(bucket):
    said = refused("export", f"{bucket}/none", "--to", "onnx", "-o", "out")
    assert f"'{bucket}/none' does not exist" in said
    said = refused("export", f"{bucket}/none", "--to", "onnx")
    assert "name a local directory with --output" in said
    said = refused("export", "here", "--to", "onnx", "-o", f"{bucket}/out")
    assert "--output is a remote path" in said
    said = refused("show", "s3:/bucket/model", "--html")
    assert "is a remote path with a single slash" in said
    assert "has credentials in it" in refused("show", "s3://a:b/SECRET@bucket/model", "--html")


def test_a_server_takes_local_directories(bucket):
    said = refused("serve", f"{bucket}/model")
    assert f"{bucket}/model is in an object store" in said
    assert "the id of a Model artifact" in said
