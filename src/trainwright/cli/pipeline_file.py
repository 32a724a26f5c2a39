"""Finding the pipeline in a Python file."""

from __future__ import annotations

import inspect
import os
import sys
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import click

from trainwright._suggest import did_you_mean
from trainwright.dsl.pipeline import Pipeline
from trainwright.dsl.type_names import SCRIPT_MODULE
from trainwright.orchestration import inert_runs


@dataclass(frozen=True, kw_only=True)
class FoundPipeline:
    """A pipeline, how it was found, and the settings that are its runtime parameters."""

    pipeline: Pipeline
    description: str
    runtime_parameters: Mapping[str, Any]


def find_pipeline(file: str, settings: Mapping[str, str]) -> FoundPipeline:
    """Loads the file and takes, in this order: `pipeline`, `create_pipeline()`, the only Pipeline
    in it, the one that it runs when loaded, the one that it runs as a script."""
    path = os.path.abspath(file)
    sys.path.insert(0, os.path.dirname(path))
    sys.argv = [path]
    module, recorded = _execute(path, SCRIPT_MODULE)
    pipelines = {
        name: value for name, value in vars(module).items() if isinstance(value, Pipeline)
    }
    if "pipeline" in pipelines:
        return _found(pipelines["pipeline"], f"`pipeline` in {file}", settings)
    create = getattr(module, "create_pipeline", None)
    if callable(create) and _can_call(create, settings):
        return _call(create, file, settings)
    if len(pipelines) == 1:
        name = next(iter(pipelines))
        return _found(pipelines[name], f"`{name}` in {file}", settings)
    if not recorded:
        recorded = _execute(path, "__main__")[1]
    if len(recorded) == 1:
        return _found(recorded[0], f"the pipeline that {file} runs", settings)
    raise click.UsageError(_nothing_found(file, create, pipelines, recorded))


def _execute(path: str, name: str) -> tuple[types.ModuleType, list[Pipeline]]:
    """Executes the file as a module of that name; its `run()` calls only note their pipeline."""
    module = types.ModuleType(name)
    module.__file__ = path
    sys.modules[name] = module
    with open(path, "rb") as file:
        source = file.read()
    with inert_runs.recording() as recorded:
        try:
            exec(compile(source, path, "exec"), module.__dict__)  # noqa: S102  the user's file
        except SystemExit as error:
            if error.code not in (None, 0):
                raise click.UsageError(f"{path} ended with exit code {error.code}.") from error
    return module, recorded


def _can_call(create: Callable[..., Any], settings: Mapping[str, str]) -> bool:
    """Whether every argument without a default is set."""
    return all(
        parameter.default is not parameter.empty
        or parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        or name in settings
        for name, parameter in inspect.signature(create).parameters.items()
    )


def _call(create: Callable[..., Any], file: str, settings: Mapping[str, str]) -> FoundPipeline:
    parameters = inspect.signature(create).parameters
    takes_any = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    arguments, rest = {}, {}
    for name, value in settings.items():
        if name in parameters:
            arguments[name] = _convert(name, value, parameters[name])
        elif takes_any:
            arguments[name] = value
        else:
            rest[name] = value
    pipeline = create(**arguments)
    if not isinstance(pipeline, Pipeline):
        raise click.UsageError(f"create_pipeline() in {file} returned {pipeline!r}, no Pipeline.")
    return _found(pipeline, f"create_pipeline() in {file}", rest, tuple(parameters))


def _convert(name: str, value: str, parameter: inspect.Parameter) -> Any:
    """Brings a setting to the type of the argument's annotation or default."""
    annotation: Any = parameter.annotation
    if isinstance(annotation, str):
        annotation = {"int": int, "float": float, "bool": bool, "str": str}.get(annotation)
    if annotation not in (int, float, bool, str):
        annotation = type(parameter.default) if parameter.default is not None else str
    try:
        if annotation is bool:
            return {"true": True, "1": True, "false": False, "0": False}[value.lower()]
        return annotation(value) if annotation in (int, float) else value
    except (ValueError, KeyError):
        raise click.BadParameter(
            f"{name} expects {annotation.__name__}, got {value!r}.", param_hint="--set"
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
        pipeline=pipeline, description=description, runtime_parameters=dict(settings)
    )


def _nothing_found(
    file: str, create: Any, pipelines: Mapping[str, Pipeline], recorded: list[Pipeline]
) -> str:
    if len(pipelines) > 1:
        return (
            f"{file} has several pipelines: {', '.join(pipelines)}. Name the one to run `pipeline`."
        )
    if len(recorded) > 1:
        return f"{file} runs {len(recorded)} pipelines; name the one to run `pipeline`."
    if create is not None:
        missing = [
            name
            for name, parameter in inspect.signature(create).parameters.items()
            if parameter.default is parameter.empty
        ]
        return (
            f"create_pipeline() in {file} needs the arguments {', '.join(missing)}: give each with "
            "--set NAME=VALUE."
        )
    return (
        f"{file} has no pipeline. Expected a variable `pipeline`, a function `create_pipeline()` "
        "that returns a Pipeline, or a call of LocalDagRunner().run(...)."
    )
