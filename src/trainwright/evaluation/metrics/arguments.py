"""Arguments of a metric: from the JSON of its config to the fields of its class."""

from __future__ import annotations

import dataclasses
import json
import re
import types
import typing
from collections.abc import Mapping
from typing import Any

from trainwright._suggest import did_you_mean
from trainwright.evaluation.metrics.requested import MetricClass, RequestedMetric

# Keras writes the type it computes in; here it is always float64.
_IGNORED_OF_ALL: Mapping[str, tuple[object, ...]] = {"dtype": (None, "float32", "float64")}


def parse_config(class_name: str, config: str) -> dict[str, Any]:
    """The arguments in a MetricConfig's `config`: JSON, whose outer braces may be left out.

    Raises:
        ValueError: If it is not the JSON of an object, or a number in it is NaN.
    """
    text = config.strip()
    if not text.startswith("{"):
        text = f"{{{text}}}"
    try:
        arguments = json.loads(text, parse_constant=_parse_constant)
    except json.JSONDecodeError as error:
        raise ValueError(
            f"The config of the metric {class_name} is not JSON: {config!r} ({error}). It is an "
            'object such as {"name": "auc_pr", "curve": "PR"}.'
        ) from error
    assert isinstance(arguments, dict)
    return arguments


def _parse_constant(text: str) -> float:
    if text == "NaN":
        raise ValueError("The config of a metric has an argument that is NaN: expected a number.")
    return float(text)


def snake_case(class_name: str) -> str:
    """The name that a metric has if its config does not say one.

    >>> snake_case("SparseCategoricalAccuracy"), snake_case("AUC"), snake_case("KLDivergence")
    ('sparse_categorical_accuracy', 'auc', 'kl_divergence')
    """
    words = re.sub(r"(.)([A-Z][a-z0-9]+)", r"\1_\2", class_name)
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", words).lower()


def request_metric(
    class_name: str, metric_class: MetricClass, arguments: Mapping[str, Any]
) -> RequestedMetric:
    """The metric with its arguments, checked.

    Raises:
        ValueError: If the metric has no such argument, lacks one or cannot have that value.
    """
    arguments = dict(arguments)
    for name, allowed in {**_IGNORED_OF_ALL, **metric_class.ignored}.items():
        if arguments.get(name) in allowed:
            arguments.pop(name, None)
    fields = {
        field.name: field
        for field in dataclasses.fields(metric_class.request)
        if field.name not in metric_class.fixed
    }
    for name in arguments:
        if name not in fields:
            raise ValueError(
                f"The metric {class_name} has no argument {name!r}{did_you_mean(name, fields)}"
            )
    arguments.setdefault("name", metric_class.default_name)
    for name, field in fields.items():
        if name not in arguments and field.default is dataclasses.MISSING:
            raise ValueError(f"The metric {class_name} needs the argument {name!r}.")
    hints = typing.get_type_hints(metric_class.request)
    converted = {
        name: _convert(class_name, name, value, hints[name]) for name, value in arguments.items()
    }
    try:
        return metric_class.request(**{**metric_class.fixed, **converted})
    except ValueError as error:
        raise ValueError(f"The metric {class_name} cannot be: {error}") from error


def _convert(class_name: str, name: str, value: Any, hint: Any) -> Any:
    choices = typing.get_args(hint) if _is_union(hint) else (hint,)
    for choice in choices:
        accepted, converted = _as_type(value, choice)
        if accepted:
            return converted
    expected = " or ".join(dict.fromkeys(_describe(choice) for choice in choices))
    raise ValueError(
        f"The argument {name!r} of the metric {class_name} is {value!r}, and should be {expected}."
    )


def _is_union(hint: Any) -> bool:
    return typing.get_origin(hint) in (types.UnionType, typing.Union)


def _as_type(value: Any, hint: Any) -> tuple[bool, Any]:
    """Whether a JSON value is of this type, and as what."""
    if hint is type(None):
        return value is None, None
    if hint is float:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return is_number, float(value) if is_number else None
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool), value
    if typing.get_origin(hint) is tuple:
        if not isinstance(value, list | tuple) or not value:
            return False, None
        items = [_as_type(item, typing.get_args(hint)[0]) for item in value]
        return all(accepted for accepted, _ in items), tuple(item for _, item in items)
    if typing.get_origin(hint) is typing.Literal:
        folded = {choice.casefold(): choice for choice in typing.get_args(hint)}
        chosen = folded.get(value.casefold()) if isinstance(value, str) else None
        return chosen is not None, chosen
    return isinstance(value, hint), value


def _describe(hint: Any) -> str:
    words = {type(None): "null", float: "a number", int: "a whole number", str: "a string"}
    if hint in words:
        return words[hint]
    if hint is bool:
        return "true or false"
    if typing.get_origin(hint) is tuple:
        return "a list of numbers"
    return " or ".join(map(repr, typing.get_args(hint)))
