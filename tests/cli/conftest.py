"""The command line, called as a user calls it: a process with arguments and an exit code."""

import os
import subprocess
import sys
import textwrap

import pytest

COMMAND = [sys.executable, "-c", "from trainwright.cli.main import main; main()"]

PIPELINE = """
    from trainwright import OutputDict, Parameter, Pipeline, component

    @component
    def count(start: Parameter[int] = 1) -> OutputDict(total=int):
        return {"total": start}

    @component
    def double(total: int) -> OutputDict(twice=int):
        return {"twice": total * 2}

    def make(name, root, start=1):
        counter = count(start=start)
        components = [counter, double(total=counter.outputs["total"])]
        return Pipeline(name, root, components=components, enable_cache=True)
"""


@pytest.fixture
def trainwright(tmp_path):
    """Calls the command in a directory of its own; returns the finished process."""

    def call(*arguments, **environment):
        return subprocess.run(
            [*COMMAND, *map(str, arguments)],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            env={**os.environ, **environment},
            timeout=120,
        )

    return call


@pytest.fixture
def write_pipeline(tmp_path):
    """Writes pipeline.py: two components, `make(name, root)`, and the lines of the test."""

    def write(lines, name="pipeline.py"):
        path = tmp_path / name
        path.write_text(textwrap.dedent(PIPELINE) + "\n\n" + textwrap.dedent(lines))
        return path

    return write
