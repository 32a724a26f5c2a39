"""Finding the pipeline in a Python file."""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import inspect
import json
import os
import sys
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import click

from trainwright._paths import check_file
from trainwright._printable import PrintableStream
from trainwright._suggest import did_you_mean
from trainwright.dsl.pipeline import Pipeline
from trainwright.dsl.type_names import SCRIPT_MODULE
from trainwright.orchestration import inert_runs
from trainwright.orchestration.inert_runs import InertRun
from trainwright.orchestration.tracebacks import describe_exception


class CannotRunError(click.ClickException):
    """The file or its pipeline cannot run as it is; nothing was started."""

    exit_code = 2


@dataclass(frozen=True, kw_only=True)
class FoundPipeline:
    """A pipeline, how it was found, and the settings that are its runtime parameters.

    `keep_listed_order` is what the runner of the file says, or, if it has none, whether the file
    speaks in TFX's names: nothing of ours imports them.
    """

    pipeline: Pipeline
    description: str
    runtime_parameters: Mapping[str, Any]
    keep_listed_order: bool


def find_pipeline(file: str, settings: Mapping[str, str]) -> FoundPipeline:
    """Loads the file and takes, in this order: `pipeline`, `create_pipeline()`, the only Pipeline
    in it, the one that it runs when loaded, the one that it runs as a script.

    What the file prints is no result of a command: it goes to standard error.
    """
    with contextlib.redirect_stdout(PrintableStream(sys.stderr)):
        return _find(file, settings)


def _find(file: str, settings: Mapping[str, str]) -> FoundPipeline:
    try:
        check_file(file, "The pipeline's file")
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    path = os.path.abspath(file)
    sys.path.insert(0, os.path.dirname(path))
    sys.argv = [path]
    script = _Script(path)
    module, recorded = script.module, script.execute()
    pipelines = {name: value for name, value in vars(module).items() if isinstance(value, Pipeline)}
    if "pipeline" in pipelines:
        return _found(pipelines["pipeline"], f"`pipeline` in {file}", settings)
    create = getattr(module, "create_pipeline", None)
    if callable(create) and not _missing_arguments(create, settings):
        return _call(create, file, settings)
    if len(pipelines) == 1:
        name = next(iter(pipelines))
        return _found(pipelines[name], f"`{name}` in {file}", settings)
    if not recorded:
        recorded = script.execute_main_blocks()
    if len(recorded) == 1:
        (run,) = recorded
        found = _found(run.pipeline, f"the pipeline that {file} runs", settings)
        return dataclasses.replace(found, keep_listed_order=run.keep_listed_order)
    missing = _missing_arguments(create, settings) if callable(create) else []
    raise click.UsageError(_nothing_found(file, missing, pipelines, recorded))


class _Script:
    """A pipeline's file, each line of which is executed once; `run()` only notes its pipeline.

    A second execution would define flags a second time, read data again and double whatever else
    the file does while it is loaded.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self.module = types.ModuleType(SCRIPT_MODULE)
        self.module.__file__ = path
        sys.modules[SCRIPT_MODULE] = self.module
        self._has_exited = False

    def execute(self) -> list[InertRun]:
        """Executes the file as a module; returns the pipelines that it runs."""
        with self._executing() as recorded:
            exec(self._compile(self._parse()), vars(self.module))  # noqa: S102  the user's file
        return recorded

    def execute_main_blocks(self) -> list[InertRun]:
        """Executes what the module has left out: the blocks for a file that is run as a script."""
        if self._has_exited:
            return []
        names, tree = vars(self.module), self._parse()
        sys.modules["__main__"] = self.module  # where absl and others look for `main`
        with self._executing() as recorded:
            for block in tree.body:
                if isinstance(block, ast.If) and self._is_for_main(block.test):
                    names["__name__"] = "__main__"
                    body = [*_future_imports(tree), *block.body]
                    exec(self._compile(ast.Module(body, [])), names)  # noqa: S102
        return recorded

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
    def _executing(self) -> Iterator[list[InertRun]]:
        with inert_runs.recording() as recorded, _told_with_the_users_lines(self._path):
            try:
                yield recorded
            except SystemExit as error:
                self._has_exited = True
                if error.code not in (None, 0):
                    raise click.UsageError(
                        f"{self._path} ended with exit code {error.code}."
                    ) from error


def _future_imports(tree: ast.Module) -> list[ast.stmt]:
    return [
        statement
        for statement in tree.body
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
    ]


@contextlib.contextmanager
def _told_with_the_users_lines(file: str) -> Iterator[None]:
    try:
        yield
    except click.ClickException:
        raise
    except Exception as error:
        traceback = describe_exception(error)["traceback"]
        raise CannotRunError(f"{file} cannot be loaded.\n\n{traceback}") from error


def _missing_arguments(create: Callable[..., Any], settings: Mapping[str, str]) -> list[str]:
    """The arguments that have no default and are not set."""
    return [
        name
        for name, parameter in inspect.signature(create).parameters.items()
        if parameter.default is parameter.empty
        and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        and name not in settings
    ]


def _call(create: Callable[..., Any], file: str, settings: Mapping[str, str]) -> FoundPipeline:
    parameters = inspect.signature(create).parameters
    takes_any = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    arguments, rest = {}, {}
    for name, value in settings.items():
        if name in parameters:
            arguments[name] = _convert(name, value, _expected_type(create, parameters[name]))
        elif takes_any:
            arguments[name] = value
        else:
            rest[name] = value
    with _told_with_the_users_lines(file):
        pipeline = create(**arguments)
    if not isinstance(pipeline, Pipeline):
        raise click.UsageError(f"create_pipeline() in {file} returned {pipeline!r}, no Pipeline.")
    return _found(pipeline, f"create_pipeline() in {file}", rest, tuple(parameters))


_BOOLEANS = {
    **dict.fromkeys(("true", "yes", "on", "1"), True),
    **dict.fromkeys(("false", "no", "off", "0"), False),
}
_FORMS = {
    bool: " (true or false)",
    list: """ in JSON, for example '["a", "b"]'""",
    dict: """ in JSON, for example '{"a": 1}'""",
}


def _expected_type(create: Callable[..., Any], parameter: inspect.Parameter) -> type:
    """The type of an argument by its annotation, which may be optional, or by its default."""
    try:
        annotation = typing.get_type_hints(create).get(parameter.name)
    except Exception:  # an annotation that only a type checker can read
        annotation = None
    is_union = typing.get_origin(annotation) in (typing.Union, types.UnionType)
    options = typing.get_args(annotation) if is_union else (annotation,)
    for option in (*options, type(parameter.default)):
        kind = typing.get_origin(option) or option
        if kind in (int, float, bool, str, list, dict):
            return typing.cast(type, kind)
    return str


def _convert(name: str, value: str, expected: type) -> Any:
    try:
        if expected is bool:
            return _BOOLEANS[value.lower()]
        if expected in (list, dict):
            decoded = json.loads(value)
            if not isinstance(decoded, expected):
                raise ValueError
            return decoded
        return expected(value)
    except (ValueError, KeyError):
        form = _FORMS.get(expected, "")
        raise click.BadParameter(
            f"{name} expects {expected.__name__}{form}, got {value!r}.", param_hint="--set"
        ) from None


def _found(
    pipeline: Pipeline,
    description: str,
    settings: Mapping[str, Any],
    arguments: tuple[str, ...] = (),
) -> FoundPipeline:
    known = pipeline.runtime_parameters()
    for name in settings:
        if name not in known:
            raise click.BadParameter(
                f"There is no argument or runtime parameter {name!r}"
                f"{did_you_mean(name, [*known, *arguments])}",
                param_hint="--set",
            )
    return FoundPipeline(
        pipeline=pipeline,
        description=description,
        runtime_parameters=dict(settings),
        keep_listed_order="tfx" in sys.modules,
    )


def _nothing_found(
    file: str,
    missing_arguments: list[str],
    pipelines: Mapping[str, Pipeline],
    recorded: list[InertRun],
) -> str:
    if len(pipelines) > 1:
        return (
            f"{file} has several pipelines: {', '.join(pipelines)}. Name the one to run `pipeline`."
        )
    if len(recorded) > 1:
        return f"{file} runs {len(recorded)} pipelines; name the one to run `pipeline`."
    if missing_arguments:
        return (
            f"create_pipeline() in {file} needs the arguments {', '.join(missing_arguments)}: give "
            "each with --set NAME=VALUE."
        )
    return (
        f"{file} has no pipeline. Expected a variable `pipeline`, a function `create_pipeline()` "
        "that returns a Pipeline, or a call of LocalDagRunner().run(...)."
    )
