"""The command line, called as a user calls it: with arguments, a directory and an exit code.

Commands that only read are called in the tests' own process, which takes a tenth of the time; each
is called as a process of its own by `test_main.py`.
"""

import contextlib
import io
import os
import signal
import subprocess
import sys
import textwrap

import pytest

from trainwright.cli.main import main

# They open a store and print, and leave no trace in modules.
READING = {"artifacts", "compare", "gc", "lineage", "logs", "runs", "show"}
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


class Scene:
    """A directory and a home of its own, in which the command is called."""

    command = COMMAND

    def __init__(self, directory, **environment):
        self.directory = directory
        self.environment = environment

    def write(self, lines, name="pipeline.py"):
        """Writes a pipeline's file: the two components, `make(name, root)`, and these lines."""
        path = self.directory / name
        path.write_text(textwrap.dedent(PIPELINE) + "\n\n" + textwrap.dedent(lines))
        return path

    def options(self, environment):
        return {
            "cwd": self.directory,
            "text": True,
            "env": {**os.environ, **self.environment, **environment},
        }

    def call(self, *arguments, **environment):
        """Calls the command; returns the finished process, or what it would have been."""
        if arguments and arguments[0] in READING:
            return self._call_here([*map(str, arguments)], environment)
        return self.call_process(*arguments, **environment)

    def _call_here(self, arguments, environment):
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
        status = 0
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(self.directory)
            patch.setattr(sys, "argv", ["trainwright", *arguments])
            for name, value in {**self.environment, **environment}.items():
                patch.setenv(name, value)
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                try:
                    main()
                except SystemExit as end:
                    status = end.code or 0
        for stream in (out, err):
            stream.seek(0)  # which flushes it, too
        return subprocess.CompletedProcess(arguments, status, out.read(), err.read())

    def run_here(self, *arguments):
        """Calls `run` in the tests' own process, where a test is about what comes after it."""
        before = set(sys.modules)
        try:
            finished = self._call_here(["run", *map(str, arguments)], {})
        finally:
            for name in set(sys.modules) - before:
                file = getattr(sys.modules[name], "__file__", None) or ""
                if file.startswith(str(self.directory)):
                    del sys.modules[name]
        assert finished.returncode == 0, finished.stderr
        return finished

    def call_process(self, *arguments, **environment):
        """Calls the command in a process of its own."""
        return subprocess.run(
            [*COMMAND, *map(str, arguments)],
            capture_output=True,
            timeout=120,
            **self.options(environment),
        )

    def call_on_terminal(self, *arguments):
        """Calls the command with its standard output on a terminal; returns the process."""
        main, terminal = os.openpty()
        try:
            return subprocess.run(
                [*COMMAND, *map(str, arguments)],
                stdout=terminal,
                stderr=subprocess.PIPE,
                timeout=120,
                **self.options({}),
            )
        finally:
            os.close(main)
            os.close(terminal)

    def start(self, *arguments, **environment):
        """Starts the command; returns the running process."""
        return subprocess.Popen(
            [*COMMAND, *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=_hear_ctrl_c,
            **self.options(environment),
        )


def _hear_ctrl_c():
    """A shell starts what runs in the background, perhaps all of the tests, deaf to it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.fixture
def scene(tmp_path):
    return Scene(tmp_path)


@pytest.fixture(scope="module")
def shared_scene(tmp_path_factory):
    """One for all tests of a module, which only look at what its first user has made in it."""
    directory = tmp_path_factory.mktemp("shared")
    return Scene(directory, XDG_STATE_HOME=str(tmp_path_factory.mktemp("shared_state")))


@pytest.fixture
def trainwright(scene):
    """Calls the command in a directory of its own; returns the finished process."""
    return scene.call


@pytest.fixture
def write_pipeline(scene):
    """Writes pipeline.py: two components, `make(name, root)`, and the lines of the test."""
    return scene.write


@pytest.fixture(scope="session")
def new_scene():
    """Makes a scene of a directory, with the given environment."""
    return Scene
