"""InteractiveContext outside of a notebook, and a notebook as a script."""

from __future__ import annotations

import ast
import json

import pytest

from tfx.orchestration.experimental.interactive.interactive_context import InteractiveContext
from tfx.orchestration.experimental.interactive.notebook_utils import requires_ipython
from trainwright.compat.interactive.notebook_export import export_notebook
from trainwright.metadata.connection import (
    as_connection_config,
    sqlite_metadata_connection_config,
)
from trainwright.notebook.notebook import Notebook
from trainwright.orchestration import last_store

CELLS = [
    ("markdown", "Words."),
    ("code", "foo = 1"),
    ("code", "%%skip_for_export\n!pip install something\nprint('not this')"),
    ("code", "def bar():\n  %time print('nor this')\n  return 'hello'"),
]


@pytest.fixture
def notebook(tmp_path):
    path = tmp_path / "notebook.ipynb"
    cells = [{"cell_type": kind, "source": text.splitlines(True)} for kind, text in CELLS]
    path.write_text(json.dumps({"nbformat": 4, "cells": cells}))
    return path


def test_outside_of_ipython_a_context_does_nothing_and_says_so(tmp_path, caplog):
    context = InteractiveContext(pipeline_root=str(tmp_path))
    assert context.run(None) is None
    assert context.show(None) is None
    assert 'Method "run" is a no-op when invoked outside of IPython.' in caplog.text
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("make", [InteractiveContext, Notebook])
@pytest.mark.parametrize("root", ["s3://bucket/nb", "memory://bucket/nb/"])
def test_a_root_in_an_object_store_gets_the_store_of_a_pipeline_with_it(
    make, root, tmp_path, monkeypatch
):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    config = make("nb", root).metadata_connection_config
    expected = last_store.store_for_root(root.rstrip("/"))
    assert expected.startswith(str(tmp_path))
    assert as_connection_config(config) == sqlite_metadata_connection_config(expected)


def test_a_root_is_made_up_and_named(caplog):
    context = InteractiveContext()
    assert context.pipeline_root in caplog.text
    assert context.pipeline_name.startswith("interactive-")
    assert context.metadata_connection_config is not None


def test_functions_that_need_ipython_run_there(monkeypatch):
    monkeypatch.setattr("builtins.__IPYTHON__", True, raising=False)
    assert requires_ipython(lambda value: value + 1)(1) == 2


def test_a_notebook_becomes_a_script(notebook, tmp_path):
    script = tmp_path / "script.py"
    export_notebook(str(notebook), str(script), "beam")
    text = script.read_text()
    ast.parse(text)
    assert "foo = 1\n\ndef bar():\n  return 'hello'\n" in text
    assert "not this" not in text
    assert "nor this" not in text
    assert text.rstrip().endswith("BeamDagRunner().run(tfx_pipeline)")
    export_notebook(str(notebook), str(script), "airflow")
    assert "DAG = AirflowDagRunner(" in script.read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notebook.ipynb", "script.py"]


def test_another_runner_and_what_is_not_a_notebook_are_refused(notebook, tmp_path):
    script = tmp_path / "script.py"
    with pytest.raises(ValueError, match=r"Invalid runner_type: foobar. Expected .* airflow, beam"):
        export_notebook(str(notebook), str(script), "foobar")
    notebook.write_text("[]")
    with pytest.raises(ValueError, match="is not a notebook that can be read"):
        export_notebook(str(notebook), str(script), "beam")
    assert not script.exists()


def test_the_config_of_the_store_is_read_as_a_message(tmp_path):
    context = InteractiveContext(pipeline_root=str(tmp_path))
    uri = context.metadata_connection_config.sqlite.filename_uri
    assert uri.split("metadata.sqlite")[0] == f"{tmp_path}/"


@pytest.mark.parametrize("name", ["a/b", "../../up", "x" * 300])
def test_a_made_up_root_is_below_the_temporary_directory(name, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    context = InteractiveContext(pipeline_name=name)
    assert [str(one) for one in tmp_path.iterdir()] == [context.pipeline_root]
