"""Processes that outlive a run: ready for the next one, unless the surroundings have changed."""

from __future__ import annotations

import os
import sys

import pytest

from trainwright import Notebook, component
from trainwright.dsl.annotations import OutputDict
from trainwright.orchestration.launching.worker_pool import WorkerPool

pytestmark = pytest.mark.skipif(not WorkerPool.CAN_FORK, reason="processes are not forked here")


@component
def Surroundings() -> OutputDict(parent=int, greeting=str, path=str):  # noqa: N802
    return {
        "parent": os.getppid(),
        "greeting": os.environ.get("GREETING", ""),
        "path": sys.path[-1],
    }


@pytest.fixture
def notebook(tmp_path):
    notebook = Notebook("ready", str(tmp_path))
    yield notebook
    notebook.close()


def values(notebook):
    node = Surroundings()
    notebook.run(node, enable_cache=False)
    return {key: channel.get()[0].read() for key, channel in node.outputs.items()}


def test_the_next_component_is_forked_from_the_same_process(notebook):
    assert values(notebook)["parent"] == values(notebook)["parent"]


def test_changed_variables_and_paths_reach_the_next_component(notebook, monkeypatch):
    first = values(notebook)
    monkeypatch.setenv("GREETING", "hello")
    second = values(notebook)
    assert (first["greeting"], second["greeting"]) == ("", "hello")
    monkeypatch.syspath_prepend("/unused")
    monkeypatch.setattr(sys, "path", [*sys.path, "/added"])
    assert values(notebook)["path"] == "/added"


def test_a_closed_notebook_leaves_no_process(notebook):
    parent = values(notebook)["parent"]
    os.kill(parent, 0)
    notebook.close()
    with pytest.raises(ProcessLookupError):
        os.kill(parent, 0)
