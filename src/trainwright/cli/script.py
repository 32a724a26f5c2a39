"""Executing a pipeline's file as Python would, each line of it once."""

from __future__ import annotations

import ast
import contextlib
import os
import sys
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NoReturn

import click

from trainwright.cli import exit_codes
from trainwright.cli.script_arguments import how_to_pass_arguments
from trainwright.dsl.type_names import SCRIPT_MODULE
from trainwright.orchestration import script_runs
from trainwright.orchestration.execution.tracebacks import describe_exception
from trainwright.orchestration.run_result import RunResult
from trainwright.orchestration.script_runs import RequestedRun, RunHandler


class CannotRunError(click.ClickException):
    """The file or its pipeline cannot run as it is; nothing was started."""

    exit_code = exit_codes.USAGE_ERROR


class ScriptFailedError(click.ClickException):
    """The file failed after a run that it has asked for."""

    exit_code = exit_codes.FAILED


class StoppedScriptFailedError(ScriptFailedError):
    """The file failed after a run of its own was stopped."""

    exit_code = exit_codes.STOPPED


class ScriptEnd(BaseException):
    """Ends a script at its first `run()`, because nothing may run and no result can be made up.

    A BaseException, which the script's own `except Exception` does not catch.
    """

    def __init__(self, requested: RequestedRun) -> None:
        super().__init__("The pipeline is only looked at.")
        self.requested = requested


def end_script(requested: RequestedRun) -> NoReturn:
    """Handles a `run()` in a script whose pipeline is only looked for."""
    raise ScriptEnd(requested)


class Script:
    """A pipeline's file, each line of which is executed once.

    A second execution would define flags a second time, read data again and double whatever else
    the file does while it is loaded.

    Args:
        file: The file, as the user has named it.
        arguments: What the file finds in `sys.argv` after its own path.
        on_run: Performs the runs that the file asks for, or ends it there.

    Attributes:
        module: What the file has defined.
        has_run: Whether the file has asked for a run.
        problem: What became of its runs if not all was well: the first exception that a `run()` has
            raised, or that of a run that was stopped. The file may have caught it.
    """

    def __init__(self, file: str, arguments: Sequence[str], on_run: RunHandler) -> None:
        self._file = file
        self._path = os.path.abspath(file)
        self._on_run = on_run
        self._has_exited = False
        self.has_run = False
        self.problem: BaseException | None = None
        self.module = types.ModuleType(SCRIPT_MODULE)
        self.module.__file__ = self._path
        sys.modules[SCRIPT_MODULE] = self.module
        sys.path.insert(0, os.path.dirname(self._path))
        sys.argv = [self._path, *arguments]

    def execute(self) -> None:
        """Executes the file as a module."""
        with self._executing():
            exec(self._compile(self._parse()), vars(self.module))  # noqa: S102  the user's file

    def execute_main_blocks(self) -> None:
        """Executes what the module has left out: the blocks for a file that is run as a script."""
        if self._has_exited:
            return
        names, tree = vars(self.module), self._parse()
        sys.modules["__main__"] = self.module  # where absl and others look for `main`
        with self._executing():
            for block in tree.body:
                if isinstance(block, ast.If) and self._is_for_main(block.test):
                    names["__name__"] = "__main__"
                    body = [*_future_imports(tree), *block.body]
                    exec(self._compile(ast.Module(body, [])), names)  # noqa: S102

    def call(self, function: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
        """Calls a function that the file has defined; None if that ended the file."""
        with self._executing():
            return function(**arguments)
        return None

    def _parse(self) -> ast.Module:
        with open(self._path, "rb") as file:
            return ast.parse(file.read(), self._path)

    def _compile(self, tree: ast.Module) -> types.CodeType:
        # The future statements of this module are not those of the user's.
        return compile(tree, self._path, "exec", dont_inherit=True)

    def _is_for_main(self, test: ast.expr) -> bool:
        """Whether a condition holds for a script but did not hold for the module."""
        if not any(isinstance(n, ast.Name) and n.id == "__name__" for n in ast.walk(test)):
            return False
        condition = compile(ast.Expression(test), self._path, "eval")

        def holds_for(name: str) -> bool:
            names = {**vars(self.module), "__name__": name}
            return bool(eval(condition, names))  # noqa: S307  the user's file

        return holds_for("__main__") and not holds_for(SCRIPT_MODULE)

    @contextlib.contextmanager
    def _executing(self) -> Iterator[None]:
        try:
            with script_runs.handled_by(self._handle_run):
                yield
        except BaseException as error:
            self._has_exited = True
            if error is self.problem:
                return  # who executes the file looks at it next
            if isinstance(error, (KeyboardInterrupt, click.ClickException)):
                raise
            if isinstance(self.problem, ScriptEnd):
                return  # the script has caught it and gone on without a result
            if isinstance(error, SystemExit):
                self._judge_exit(error)
            elif isinstance(error, Exception):
                raise self._told_with_the_users_lines(error) from error
            else:
                raise

    def _handle_run(self, requested: RequestedRun) -> RunResult:
        self.has_run = True
        try:
            return self._on_run(requested)
        except BaseException as error:
            if self.problem is None or isinstance(error, KeyboardInterrupt):
                self.problem = error
            raise

    def _judge_exit(self, error: SystemExit) -> None:
        if error.code in (None, 0) or self.problem is not None:
            return
        kind = "exit code" if isinstance(error.code, int) else "the message"
        ended = f"ended with {kind} {error.code}"
        if self.has_run:
            raise ScriptFailedError(f"{self._file} {ended}, after its run.") from error
        message = f"{self._file} {ended}. {how_to_pass_arguments(self._file)}"
        raise click.UsageError(message) from error

    def _told_with_the_users_lines(self, error: Exception) -> click.ClickException:
        traceback = describe_exception(error)["traceback"]
        if self.has_run:
            is_stopped = isinstance(self.problem, KeyboardInterrupt)
            kind = StoppedScriptFailedError if is_stopped else ScriptFailedError
            return kind(f"{self._file} failed after its run.\n\n{traceback}")
        message = f"{self._file} cannot be loaded.\n\n{traceback}"
        if type(error).__name__ == "UnparsedFlagAccessError":  # absl's, which need not be installed
            message = f"{message.rstrip()}\n\n{how_to_pass_arguments(self._file)}"
        return CannotRunError(message)


def _future_imports(tree: ast.Module) -> list[ast.stmt]:
    return [
        statement
        for statement in tree.body
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
    ]
