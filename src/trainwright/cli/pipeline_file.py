"""Finding the pipeline in a Python file."""

from __future__ import annotations

import contextlib
import inspect
import json
import sys
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import click

from trainwright._paths import check_file
from trainwright._printable import PrintableStream
from trainwright._suggest import did_you_mean
from trainwright.cli.script import Script, ScriptEnd, end_script
from trainwright.dsl.pipeline import Pipeline
from trainwright.orchestration import script_runs
from trainwright.orchestration.run_result import RunResult
from trainwright.orchestration.script_runs import RequestedRun, RunHandler


@dataclass(frozen=True, kw_only=True)
class FoundPipeline:
    """A pipeline, how it was found, and the settings that are its runtime parameters.

    `keep_listed_order` is what the runner of the file says, or, if it has none, whether the file
    speaks in TFX's names: nothing of ours imports them. `requested` is the run that the file asks
    for, if it was found by that.
    """

    pipeline: Pipeline
    description: str
    runtime_parameters: Mapping[str, Any]
    keep_listed_order: bool
    requested: RequestedRun | None = None


Perform = Callable[[FoundPipeline], RunResult]


def find_pipeline(
    file: str, settings: Mapping[str, str], arguments: Sequence[str] = ()
) -> FoundPipeline:
    """The pipeline that `trainwright run` would run; a file that runs it ends there.

    Of a file that runs several it is the first.
    """
    try:
        found = _load(file, settings, arguments, end_script)
    except ScriptEnd as end:
        return _requested(file, end.requested, settings)
    assert found is not None  # a script that asks for a run ends
    return found


def find_or_run(
    file: str, settings: Mapping[str, str], arguments: Sequence[str], perform: Perform
) -> FoundPipeline | None:
    """The pipeline in a file, or None if the file has run its pipelines itself.

    Its runs are performed where it calls `run()`, which returns or raises what `perform` does. What
    became of them is raised here once more, after the last line of the file: it may have caught it.
    """
    stdout = sys.stdout

    def perform_in_place(requested: RequestedRun) -> RunResult:
        found = _requested(file, requested, settings)
        with contextlib.redirect_stdout(stdout), script_runs.handled_by(None):
            return perform(found)

    return _load(file, settings, arguments, perform_in_place)


def _load(
    file: str, settings: Mapping[str, str], arguments: Sequence[str], on_run: RunHandler
) -> FoundPipeline | None:
    """Executes the file and takes, in this order: what it runs when loaded, `pipeline`,
    `create_pipeline()`, the only Pipeline in it, what it runs as a script.

    Arguments of the file are for a script: with them, what it runs as one goes before what it
    defines. What the file prints is not the result of a command: it goes to standard error.
    """
    try:
        check_file(file, "The pipeline's file")
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    script = Script(file, arguments, on_run)
    with contextlib.redirect_stdout(PrintableStream(sys.stderr)):
        script.execute()
        if arguments and not script.has_run:
            script.execute_main_blocks()
        found = None if script.has_run else _defined(file, script, settings)
        if found is None and not script.has_run and not arguments:
            script.execute_main_blocks()
    if script.problem is not None:
        raise script.problem
    if found is None and not script.has_run:
        raise click.UsageError(_nothing_found(file, script.module, settings))
    return found


def _defined(file: str, script: Script, settings: Mapping[str, str]) -> FoundPipeline | None:
    pipelines = _pipelines_in(script.module)
    if "pipeline" in pipelines:
        return _found(pipelines["pipeline"], f"`pipeline` in {file}", settings)
    create = getattr(script.module, "create_pipeline", None)
    if callable(create) and not _missing_arguments(create, settings):
        return _call(create, file, script, settings)
    if len(pipelines) == 1:
        ((name, pipeline),) = pipelines.items()
        return _found(pipeline, f"`{name}` in {file}", settings)
    return None


def _pipelines_in(module: types.ModuleType) -> dict[str, Pipeline]:
    return {name: value for name, value in vars(module).items() if isinstance(value, Pipeline)}


def _requested(file: str, requested: RequestedRun, settings: Mapping[str, str]) -> FoundPipeline:
    """The pipeline of a run that the file asks for, with the settings in place of its own."""
    unknown = sorted(set(settings) - set(requested.pipeline.runtime_parameters()))
    if unknown:
        raise click.BadParameter(
            f"{file} runs its pipeline itself, which has no runtime parameter {unknown[0]!r}"
            f"{did_you_mean(unknown[0], list(requested.pipeline.runtime_parameters()))} --set "
            "gives runtime parameters there, arguments after `--` are for the file itself.",
            param_hint="--set",
        )
    return FoundPipeline(
        pipeline=requested.pipeline,
        description=f"the pipeline that {file} runs",
        runtime_parameters={**requested.runtime_parameters, **settings},
        keep_listed_order=requested.keep_listed_order,
        requested=requested,
    )


def _missing_arguments(create: Callable[..., Any], settings: Mapping[str, str]) -> list[str]:
    """The arguments that have no default and are not set."""
    return [
        name
        for name, parameter in inspect.signature(create).parameters.items()
        if parameter.default is parameter.empty
        and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        and name not in settings
    ]


def _call(
    create: Callable[..., Any], file: str, script: Script, settings: Mapping[str, str]
) -> FoundPipeline | None:
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
    pipeline = script.call(create, arguments)
    if script.has_run:
        return None
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


def _nothing_found(file: str, module: types.ModuleType, settings: Mapping[str, str]) -> str:
    pipelines = _pipelines_in(module)
    if len(pipelines) > 1:
        return (
            f"{file} has several pipelines: {', '.join(pipelines)}. Name the one to run `pipeline`."
        )
    create = getattr(module, "create_pipeline", None)
    missing = _missing_arguments(create, settings) if callable(create) else []
    if missing:
        return (
            f"create_pipeline() in {file} needs the arguments {', '.join(missing)}: give each with "
            "--set NAME=VALUE."
        )
    return (
        f"{file} has no pipeline. Expected a variable `pipeline`, a function `create_pipeline()` "
        "that returns a Pipeline, or a call of LocalDagRunner().run(...)."
    )
