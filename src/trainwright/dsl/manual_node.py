"""ManualNode: a place in a pipeline where a person has to do something."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trainwright.dsl.base_node import BaseNode, NodeOutputs
from trainwright.types.channel import BaseChannel

# The key of the description among the properties.
DESCRIPTION_KEY = "description"


class ManualNode(BaseNode):
    """A step that a person takes. No runner here waits for one: a pipeline that has it is refused.

    Args:
        description: What is to be done.
    """

    def __init__(self, description: str) -> None:
        super().__init__()
        self._description = description
        self._outputs = NodeOutputs(self)

    @property
    def inputs(self) -> Mapping[str, BaseChannel]:
        return {}

    @property
    def outputs(self) -> NodeOutputs:
        return self._outputs

    @property
    def exec_properties(self) -> dict[str, Any]:
        return {DESCRIPTION_KEY: self._description}
