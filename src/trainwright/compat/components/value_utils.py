"""`tfx.components.util.value_utils` and `model_utils`: values out of an executor's dicts."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from trainwright.types.artifact import Artifact


def GetValues(inputs: Mapping[str, Any], label: str) -> Sequence[Any]:
    """The list under a label; none if the label is not there, one if it is not a list.

    >>> GetValues({"a": [1, 2], "b": 3}, "b")
    [3]
    """
    if label not in inputs:
        return []
    values = inputs[label]
    return values if isinstance(values, list) else [values]


def GetSoleValue(inputs: Mapping[str, Any], label: str, strict: bool = True) -> Any:
    """The only value under a label.

    Args:
        inputs: Lists of values by label, such as the `input_dict` of an executor.
        label: The label.
        strict: Whether there must be one; otherwise None stands for none.

    Raises:
        ValueError: if there are several, or none while there must be one.
    """
    values = GetValues(inputs, label)
    if len(values) > 1:
        raise ValueError(
            f"There should not be more than one value for label {label}, got {len(values)}"
        )
    if not values and strict:
        raise ValueError(f"There should be one and only one value for label {label}")
    return values[0] if values else None


def FunctionHasArg(fn: Callable[..., Any], arg_name: str) -> bool:
    """Whether a function has a parameter of this name.

    >>> FunctionHasArg(lambda x: x, "x")
    True
    """
    return arg_name in inspect.signature(fn).parameters


def is_model_blessed(model_blessing: Artifact) -> bool:
    """Whether a ModelBlessing artifact blesses its model."""
    return model_blessing.get_int_custom_property("blessed") == 1


def is_infra_validated(infra_blessing: Artifact) -> bool:
    """Whether an InfraBlessing artifact blesses its model."""
    return infra_blessing.get_int_custom_property("blessed") == 1
