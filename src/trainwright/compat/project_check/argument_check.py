"""Argument check: mistakes in a call of a TFX class, found without making an object."""

from __future__ import annotations

import difflib
import enum
import inspect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from google.protobuf.message import Message

from trainwright.components.older_arguments import older_arguments
from trainwright.dsl.base_component import BaseComponent

_OWN_EXECUTOR = "custom_executor_spec"


@dataclass(frozen=True, kw_only=True)
class ArgumentProblem:
    """What a call gives that it should not; `argument` is empty if it is the class itself."""

    class Kind(enum.Enum):
        UNKNOWN = "unknown"
        DEPRECATED = "deprecated"
        REFUSED = "refused"

    kind: Kind
    argument: str = ""
    advice: str = ""


def check_call(called: Any, given: Sequence[str]) -> Iterator[ArgumentProblem]:
    """The problems of a call with these keyword arguments; none for what is not a class.

    Example: `list(check_call(Trainer, ["exemples"]))`
    """
    if not isinstance(called, type):
        return
    refusal = _refusal(called, given)
    if refusal:
        yield ArgumentProblem(kind=ArgumentProblem.Kind.REFUSED, advice=refusal)
    known = _parameters(called)
    older = older_arguments(called)
    for name in given if known is not None else ():
        if name in older and name not in (known or ()):
            advice = f"Write {older[name]}." if older[name] else _without_it(name)
            yield ArgumentProblem(
                kind=ArgumentProblem.Kind.DEPRECATED, argument=name, advice=advice
            )
        elif name not in (known or ()):
            advice = f"It has no argument {name!r}{_guess(name, known or [])}"
            yield ArgumentProblem(kind=ArgumentProblem.Kind.UNKNOWN, argument=name, advice=advice)


def cannot_run(executor: object) -> str:
    """Why an executor class does no work here, or not all of it; empty for others."""
    if not isinstance(executor, type):
        return ""
    reason = getattr(executor, "CANNOT_RUN", "") or getattr(executor, "CANNOT_FINISH", "")
    return f"{reason[:1].upper()}{reason[1:]}" if isinstance(reason, str) else ""


def _refusal(called: type, given: Sequence[str]) -> str:
    """Why what is made cannot run here; empty if it can."""
    system = getattr(called, "RUNS_ON", "")
    if system:
        return (
            f"It makes pipelines for {system}. Use LocalDagRunner, or start `trainwright run FILE` "
            "from a task there."
        )
    if not issubclass(called, BaseComponent) or _OWN_EXECUTOR in given:
        return ""
    spec = getattr(called, "EXECUTOR_SPEC", None)
    try:
        executor = getattr(spec, "executor_class", None)
    except ImportError:
        return ""
    return cannot_run(executor)


def _parameters(called: type) -> list[str] | None:
    """The keyword arguments of a class; None if it may take any."""
    if issubclass(called, Message):
        return [field.name for field in called.DESCRIPTOR.fields]
    try:
        parameters = inspect.signature(called).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters):
        return None
    return [one.name for one in parameters if one.kind is not inspect.Parameter.POSITIONAL_ONLY]


def _guess(name: str, known: list[str]) -> str:
    nearest = difflib.get_close_matches(name, known, n=1)
    if nearest:
        return f"; did you mean {nearest[0]!r}?"
    return f". It has {', '.join(sorted(known)) or 'none'}."


def _without_it(name: str) -> str:
    replacements = {
        "instance_name": "Write .with_id(NAME) behind the component.",
        "enable_cache": "Write .with_cache(...) behind the component, or Pipeline(enable_cache=).",
    }
    return replacements.get(name, "Leave it out: the component makes its own outputs.")
