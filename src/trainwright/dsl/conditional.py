"""Cond: nodes that run only if what others have made says so."""

from __future__ import annotations

import contextvars
from types import TracebackType
from typing import Any

from trainwright.types.channel_placeholder import check_values_exist
from trainwright.types.placeholder import Placeholder, Predicate

# The predicates of the blocks that the program is in, the outermost first.
_active: contextvars.ContextVar[tuple[Predicate, ...]] = contextvars.ContextVar(
    "conditions", default=()
)


def active_conditions() -> tuple[Predicate, ...]:
    """What a node that is made here and now depends on."""
    return _active.get()


class Cond:
    """Makes the nodes of a block depend on a condition.

    They run if the predicate holds once the nodes that it asks about are done; otherwise they are
    skipped, and so is what needs their outputs. In nested blocks all conditions must hold.

    Args:
        predicate: A comparison of placeholders (`channel.future()[0]...`), or several of them
            combined with `logical_and`, `logical_or` and `logical_not`.

    Example:
        ```python
        blessing = evaluator.outputs["blessing"].future()[0]
        with Cond(blessing.custom_property("blessed") == 1):
            pusher = Pusher(model=trainer.outputs["model"], push_destination=...)
        ```
    """

    def __init__(self, predicate: Predicate) -> None:
        self._predicate = _check_predicate(predicate)
        check_values_exist(self._predicate)
        self._tokens: list[contextvars.Token[tuple[Predicate, ...]]] = []

    def __enter__(self) -> None:
        outer = _active.get()
        # Compared by identity: == would make another predicate.
        is_new = all(self._predicate is not known for known in outer)
        self._tokens.append(_active.set((*outer, self._predicate) if is_new else outer))

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        _active.reset(self._tokens.pop())

    def __repr__(self) -> str:
        return f"Cond({self._predicate})"


def _check_predicate(given: Any) -> Predicate:
    if isinstance(given, Predicate):
        return given
    if isinstance(given, Placeholder):
        if given.value_type is bool:
            return given == True  # noqa: E712  a predicate, not a bool
        raise TypeError(f"Cond takes a comparison: compare {given}, for example {given} == 1.")
    raise TypeError(
        "Cond takes a comparison of placeholders, for example "
        f"node.outputs['metric'].future()[0].value > 0.9; got {given!r}. A value that is known now "
        "needs a plain `if`."
    )
