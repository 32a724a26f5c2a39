"""Loopable: what `ForEach` takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, NoReturn, TypeVar

LoopVariable = TypeVar("LoopVariable")


class Loopable(Generic[LoopVariable]):
    """Makes the variable of a loop, once it knows the loop.

    Args:
        loop_var_factory: Makes the variable from the loop's context.
    """

    def __init__(self, loop_var_factory: Callable[[Any], LoopVariable]) -> None:
        if not callable(loop_var_factory):
            raise ValueError(f"{loop_var_factory} is not callable.")
        self._make_variable = loop_var_factory

    def get_loop_var(self, context: Any) -> LoopVariable:
        return self._make_variable(context)

    def __getitem__(self, *unused_args: object) -> NoReturn:
        raise RuntimeError(
            "Cannot use loopable value directly. Please use ForEach to wrap it: "
            "`with ForEach(value) as each: ...`."
        )
