"""Cond: nodes that run only if what others have made says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from trainwright.dsl import contexts
from trainwright.dsl.contexts import DslContext, DslContextManager, DslContextRegistry
from trainwright.types.placeholders.placeholder import Placeholder, Predicate


@dataclass(kw_only=True, eq=False)
class CondContext(DslContext):
    """A `with Cond(...)` block."""

    predicate: Predicate

    def validate(self, containing_nodes: Sequence[Any]) -> None:
        for outer in self.ancestors:
            # Compared by identity: == would make another predicate.
            if isinstance(outer, CondContext) and outer.predicate is self.predicate:
                raise ValueError(
                    f"Nested conditionals with duplicate predicates: {self.predicate}. Please "
                    "merge the redundant conditionals."
                )


def active_conditions() -> tuple[Predicate, ...]:
    """What a node that is made here and now depends on, the outermost first."""
    return tuple(
        context.predicate
        for context in contexts.get().active_contexts
        if isinstance(context, CondContext)
    )


def get_predicates(node: Any, reg: DslContextRegistry) -> tuple[Predicate, ...]:
    """The conditions of a node in its pipeline's registry, the outermost first."""
    return tuple(
        context.predicate for context in reg.get_contexts(node) if isinstance(context, CondContext)
    )


class Cond(DslContextManager[None]):
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
        super().__init__()
        self._predicate = _check_predicate(predicate)

    def create_context(self) -> CondContext:
        return CondContext(predicate=self._predicate)

    def enter(self, context: DslContext) -> None:
        return None

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
