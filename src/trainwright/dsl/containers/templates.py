"""Templates in a container's command: `{{ input_dict["examples"][0].uri }}`.

TFX lets Jinja render the command of an `ExecutorContainerSpec`. What such commands ask for are
artifacts and properties; that much is understood here, as placeholders, and Jinja is not needed.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from trainwright.types.placeholders import artifact_placeholder, runtime_placeholders
from trainwright.types.placeholders.placeholder import Placeholder
from trainwright.types.placeholders.placeholder_operators import Concatenation

_TEMPLATE = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
_SOURCES = {
    "input_dict": artifact_placeholder.input,
    "output_dict": artifact_placeholder.output,
    "exec_properties": runtime_placeholders.exec_property,
}


def parse_template(text: str) -> str | Placeholder:
    """A string with templates as a placeholder; one without them stays as it is.

    >>> parse_template("--steps={{ exec_properties.steps }}")
    <'--steps=' + exec_property('steps')>

    Raises:
        ValueError: if a template is more than an artifact's uri or value, or a property.
    """
    pieces = _TEMPLATE.split(text)
    if "{%" in text or "{#" in text:
        raise ValueError(_not_understood(text))
    if len(pieces) == 1:
        return text
    parts: list[Any] = [
        _parse_expression(piece, text) if number % 2 else piece
        for number, piece in enumerate(pieces)
    ]
    parts = [part for part in parts if not isinstance(part, str) or part]
    return parts[0] if len(parts) == 1 else Concatenation(parts)


def _parse_expression(source: str, text: str) -> Placeholder:
    try:
        found = _evaluate(ast.parse(source.strip(), mode="eval").body)
    except (SyntaxError, TypeError, ValueError) as error:
        raise ValueError(_not_understood(text)) from error
    if not isinstance(found, Placeholder):
        raise ValueError(_not_understood(text))
    return found


def _evaluate(node: ast.expr) -> Any:
    if isinstance(node, ast.Name) and node.id in _SOURCES:
        return _SOURCES[node.id]
    if isinstance(node, ast.Constant) and isinstance(node.value, (str, int)):
        return node.value
    if isinstance(node, ast.Subscript):
        return _part(_evaluate(node.value), _evaluate(node.slice))
    if isinstance(node, ast.Attribute):
        owner = _evaluate(node.value)
        if isinstance(owner, artifact_placeholder.ArtifactPlaceholder):
            if node.attr in ("uri", "value"):
                return getattr(owner, node.attr)
            raise ValueError(node.attr)
        return _part(owner, node.attr)
    raise ValueError(ast.dump(node))


def _part(owner: Any, key: str | int) -> Any:
    return owner[key] if isinstance(owner, Placeholder) else owner(key)


def _not_understood(text: str) -> str:
    return (
        f"The template {text!r} in a container's command is not understood. Expected "
        '{{ input_dict["NAME"][0].uri }}, {{ input_dict["NAME"][0].value }}, '
        '{{ output_dict["NAME"][0].uri }} or {{ exec_properties["NAME"] }}. Other programs can be '
        "written with the placeholders of tfx.v1.dsl.placeholders."
    )
