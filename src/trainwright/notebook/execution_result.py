"""ExecutionResult: what running one component in a notebook came to."""

from __future__ import annotations

import textwrap

from trainwright.dsl.base_node import BaseNode
from trainwright.orchestration.run_result import RunResult


class ExecutionResult:
    """A component and the execution of it, whose artifacts are in its `outputs`.

    Args:
        component: What was run.
        execution_id: What the metadata store knows the execution by; None if the component was
            skipped by its condition.
        run_result: The run, with the pages of what was made.
    """

    def __init__(
        self,
        component: BaseNode,
        execution_id: int | None,
        run_result: RunResult | None = None,
    ) -> None:
        self.component = component
        self.execution_id = execution_id
        self.run_result = run_result

    def __repr__(self) -> str:
        outputs = [f"{key}: {channel!r}" for key, channel in self.component.outputs.items()]
        return (
            "ExecutionResult(\n"
            f"    component_id: {self.component.id}\n"
            f"    execution_id: {self.execution_id}\n"
            f"    outputs:\n{textwrap.indent(chr(10).join(outputs), ' ' * 8)})"
        )
