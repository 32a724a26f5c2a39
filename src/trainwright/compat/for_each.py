"""ForEach: a node for each of several inputs, as a pipeline says it.

It can be declared and compiled. TFX's local runner does not repeat nodes, and neither does ours: it
refuses a node that reads a loop variable before the run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from trainwright.compat.input_resolution.ops.lists import Unnest
from trainwright.dsl.contexts import DslContext, DslContextManager
from trainwright.dsl.input_resolution.loops import Loopable
from trainwright.dsl.input_resolution.resolver_function import resolver_function
from trainwright.types.channel import BaseChannel


@dataclass(kw_only=True, eq=False)
class ForEachContext(DslContext):
    """A `with ForEach(...)` block; `loop_variable` is what the block is entered with."""

    loop_variable: Any = None

    def validate(self, containing_nodes: Sequence[Any]) -> None:
        if any(isinstance(outer, ForEachContext) for outer in self.ancestors):
            raise NotImplementedError("Nested ForEach block is not supported yet.")
        if len(containing_nodes) > 1:
            raise NotImplementedError(
                "Cannot define more than one component within ForEach yet. Got "
                f"{[node.id for node in containing_nodes]}"
            )


@resolver_function(unwrap_dict_key="out")
def _each_artifact(channel: Any) -> Any:
    return Unnest({"out": channel}, key="out")


@_each_artifact.output_type_inferrer
def _type_of_each(channel: Any) -> Any:
    return {"out": channel.type}


class ForEach(DslContextManager[Any]):
    """Makes the node of a block run once for each artifact of a channel, or for each input.

    Args:
        loopable: A channel, or what a resolver function gives for several inputs.

    Example:
        ```python
        with ForEach(example_gen.outputs["examples"]) as examples:
            statistics_gen = StatisticsGen(examples=examples)
        ```
    """

    def __init__(self, loopable: BaseChannel | Loopable[Any]) -> None:
        super().__init__()
        if isinstance(loopable, BaseChannel):
            self._loopable: Loopable[Any] = _each_artifact(loopable)
        elif isinstance(loopable, Loopable):
            self._loopable = loopable
        else:
            raise ValueError(f"{loopable} cannot be used as a ForEach argument.")

    def create_context(self) -> ForEachContext:
        return ForEachContext()

    def enter(self, context: DslContext) -> Any:
        assert isinstance(context, ForEachContext)
        context.loop_variable = self._loopable.get_loop_var(context)
        return context.loop_variable
