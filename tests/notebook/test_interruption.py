"""Interrupting the kernel stops a component; the notebook goes on."""

from __future__ import annotations

import pytest
from jupyter_client.manager import start_new_kernel

DEFINITIONS = """
import time
from trainwright import Notebook, Parameter, component

@component
def Sleep(seconds: Parameter[float]):
    print("asleep", flush=True)
    time.sleep(seconds)

notebook = Notebook("sleeping", "root")
"""


@pytest.fixture
def kernel(tmp_path):
    manager, client = start_new_kernel(cwd=str(tmp_path))
    yield manager, client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def test_a_stopped_component_leaves_a_notebook_that_works(kernel):
    manager, client = kernel
    assert _run(client, DEFINITIONS)["status"] == "ok"

    stopped = _run(client, "notebook.run(Sleep(seconds=600.0))", manager.interrupt_kernel)
    assert (stopped["status"], stopped["ename"]) == ("error", "RunCanceled")

    assert _run(client, "notebook.run(Sleep(seconds=0.0))")["status"] == "ok"


def _run(client, code, once_asleep=lambda: None):
    """Executes a cell; calls the function when the cell prints that it sleeps."""

    def hook(message):
        if "asleep" in str(message["content"].get("text", "")):
            once_asleep()

    return client.execute_interactive(code, output_hook=hook, timeout=120)["content"]
