"""RuntimeParameter: a value that is given when a pipeline is run, not when it is declared."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from trainwright.types import json_utils

_CLASS_NAME = "RuntimeParameter"
_BEGINNING = f'{{"__class__": "{_CLASS_NAME}"'
_PTYPES = {"int": int, "float": float, "str": str}


class RuntimeParameter(json_utils.Jsonable):
    """Stands for an execution parameter, or a part of one, whose value comes with the run.

    `LocalDagRunner().run(pipeline, runtime_parameters={"steps": 10})` and
    `trainwright run pipeline.py --set steps=10` give the value; otherwise the default counts. In a
    dict it stands for one value: `train_args={"num_steps": RuntimeParameter("steps", int)}`.

    Args:
        name: What the value is given under.
        ptype: int, float or str; None takes any of them. For a proto use str and give its JSON.
        default: The value if none is given. Without a default, one must be given.
        description: For the reader.

    >>> RuntimeParameter("steps", ptype=int, default=100).resolve({"steps": 10})
    10
    """

    def __init__(
        self,
        name: str,
        ptype: type | None = None,
        default: int | float | str | None = None,
        description: str | None = None,
    ) -> None:
        if ptype not in (None, int, float, str):
            raise RuntimeError(
                f"Only str and scalar runtime parameters are supported; {name!r} has ptype "
                f"{ptype!r}. For a proto use ptype=str and pass its JSON."
            )
        if default is not None and ptype is not None and not isinstance(default, ptype):
            raise TypeError(
                "Default value must be consistent with specified ptype: the default of runtime "
                f"parameter {name!r} must be a {ptype.__name__}, got {default!r}."
            )
        self.name = name
        self.default = default
        self.ptype = ptype
        self.description = description

    def resolve(self, values: Mapping[str, Any]) -> Any:
        """The parameter's value in a run that was given these values."""
        if self.name not in values:
            if self.default is None:
                raise ValueError(
                    f"Runtime parameter {self.name!r} has no default and was given no value. Give "
                    f"one with --set {self.name}=VALUE or "
                    f"run(pipeline, runtime_parameters={{{self.name!r}: ...}})."
                )
            return self.default
        value = values[self.name]
        if self.ptype is None or isinstance(value, self.ptype):
            return value
        try:
            converted = self.ptype(value)
        except (TypeError, ValueError):
            converted = None
        # Text becomes a number; a number may change its kind, but not its value (2.5 to 2).
        is_same = isinstance(value, str) or self.ptype is str or converted == value
        if converted is None or not is_same:
            raise ValueError(
                f"Runtime parameter {self.name!r} expects {self.ptype.__name__}, got {value!r}."
            )
        return converted

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RuntimeParameter) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(self.name)

    def __str__(self) -> str:
        """The JSON form, by which a parameter can stand in a string."""
        return json_utils.dumps(self)

    def __repr__(self) -> str:
        kind = self.ptype.__name__ if self.ptype else None
        return f"RuntimeParameter({self.name!r}, ptype={kind}, default={self.default!r})"


def find_runtime_parameters(value: Any) -> Iterator[RuntimeParameter]:
    """The runtime parameters in a property: the value itself, or within a dict, list or JSON."""
    if isinstance(value, RuntimeParameter):
        yield value
    elif isinstance(value, str):
        parsed = _parse(value)
        parts = _split(value) if parsed is None else [parsed]
        for part in parts:
            if not isinstance(part, str):
                yield from find_runtime_parameters(part)
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from find_runtime_parameters(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from find_runtime_parameters(part)


def has_runtime_parameters(value: Any) -> bool:
    """Whether a property, or a part of it, is known only when the pipeline is run."""
    return next(find_runtime_parameters(value), None) is not None


def resolve_within(value: Any, values: Mapping[str, Any]) -> Any:
    """A property with the values of its runtime parameters; the same object if it has none."""
    if isinstance(value, RuntimeParameter):
        return value.resolve(values)
    if isinstance(value, str):
        parsed = _parse(value)
        if parsed is not None:
            return _dump(resolve_within(parsed, values))
        parts = _split(value)
        if len(parts) == 1:
            return value
        return "".join(str(resolve_within(part, values)) for part in parts)
    if not has_runtime_parameters(value):
        return value
    if isinstance(value, Mapping):
        return {key: resolve_within(part, values) for key, part in value.items()}
    return [resolve_within(part, values) for part in value]


def with_samples(value: Any) -> Any:
    """A property with a value of the right type for each runtime parameter, to check its form."""
    if isinstance(value, RuntimeParameter):
        return value.default if value.default is not None else (value.ptype or str)()
    if isinstance(value, Mapping):
        return {key: with_samples(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [with_samples(part) for part in value]
    return value


def _parse(text: str) -> Any:
    """What a JSON string holds, with its runtime parameters as objects; None if it has none."""
    if f'"{_CLASS_NAME}' not in text:  # quotes within JSON that is within JSON are escaped
        return None
    try:
        parsed = json.loads(text, object_hook=_rebuild)
    except ValueError:
        return None
    return parsed if has_runtime_parameters(parsed) else None


def _split(text: str) -> list[str | RuntimeParameter]:
    """A string such as `f"{parameter}/data"` in its parts; one part if no parameter is in it."""
    parts: list[str | RuntimeParameter] = []
    decoder = json.JSONDecoder(object_hook=_rebuild)
    done = start = 0
    while (start := text.find(_BEGINNING, start)) >= 0:
        try:
            parameter, end = decoder.raw_decode(text, start)
        except ValueError:
            parameter, end = None, start + 1
        if isinstance(parameter, RuntimeParameter):
            parts += [text[done:start], parameter]
            done = end
        start = end
    return [*parts, text[done:]]


def _rebuild(data: dict[str, Any]) -> Any:
    """A runtime parameter from its JSON form; all else stays as it is."""
    is_parameter = data.get("__class__") == _CLASS_NAME and "name" in data
    if not is_parameter or data.get("__tfx_object_type__", "jsonable") != "jsonable":
        return data
    ptype = data.get("ptype")
    kind = _PTYPES[ptype["__class__"]] if ptype else None
    return RuntimeParameter(data["name"], kind, data.get("default"), data.get("description"))


def _dump(value: Any) -> str:
    # Within the value, dicts that stand for other objects are still in their JSON form.
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)
