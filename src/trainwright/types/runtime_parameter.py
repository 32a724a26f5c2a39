"""RuntimeParameter: a value that is given when a pipeline is run, not when it is declared."""

from __future__ import annotations

from typing import Any


class RuntimeParameter:
    """Stands for an execution parameter whose value comes with the run.

    `LocalDagRunner().run(pipeline, runtime_parameters={"steps": 10})` and
    `trainwright run pipeline.py --set steps=10` give the value; otherwise the default counts.

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
                f"The default of runtime parameter {name!r} must be a {ptype.__name__}, "
                f"got {default!r}."
            )
        self.name = name
        self.ptype = ptype
        self.default = default
        self.description = description

    def resolve(self, values: dict[str, Any]) -> Any:
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
        # Text becomes a number; a number may change its kind, but not its value (2.5 is no int).
        is_same = isinstance(value, str) or self.ptype is str or converted == value
        if converted is None or not is_same:
            raise ValueError(
                f"Runtime parameter {self.name!r} expects {self.ptype.__name__}, got {value!r}."
            )
        return converted

    def __repr__(self) -> str:
        kind = self.ptype.__name__ if self.ptype else None
        return f"RuntimeParameter({self.name!r}, ptype={kind}, default={self.default!r})"
