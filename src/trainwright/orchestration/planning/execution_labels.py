"""Labels of an execution in the store: its type, its contexts, its node, run and reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_node import BaseNode
from trainwright.metadata import contexts
from trainwright.metadata.internal_properties import NODE_ID, REASON, RUN_ID
from trainwright.metadata.records import ContextKey, TypeRecord


@dataclass(frozen=True)
class ExecutionLabels:
    """The labels of the executions of one run."""

    pipeline_name: str
    run_id: str

    def contexts(self, node: BaseNode, cache_key: str | None = None) -> list[ContextKey]:
        keys = [
            contexts.pipeline_context(self.pipeline_name),
            contexts.run_context(self.run_id),
            contexts.node_context(self.pipeline_name, node.id),
        ]
        return keys if cache_key is None else [*keys, contexts.cache_context(cache_key)]

    def properties(self, node: BaseNode, reason: str = "") -> dict[str, Any]:
        properties = {NODE_ID: node.id, RUN_ID: self.run_id}
        return {**properties, REASON: reason} if reason else properties


def execution_type(node: BaseNode) -> TypeRecord:
    annotation = type(node.spec).TYPE_ANNOTATION if isinstance(node, BaseComponent) else None
    return TypeRecord(name=node.type_name, base_type=annotation.__name__ if annotation else None)
