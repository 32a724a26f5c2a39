"""Facts about an execution: its node and its run."""

from __future__ import annotations

from dataclasses import dataclass

from trainwright.metadata import contexts
from trainwright.metadata.internal_properties import NODE_ID, RUN_ID
from trainwright.metadata.records import ExecutionRecord
from trainwright.metadata.store import MetadataStore


@dataclass(frozen=True, kw_only=True)
class ExecutionFacts:
    """An execution in short, as people name it."""

    execution_id: int
    node_id: str
    run_id: str
    pipeline: str
    state: str
    type_name: str
    started_at: float
    seconds: float
    root: str

    @property
    def name(self) -> str:
        """For example `Trainer (execution 3)`."""
        return f"{self.node_id} (execution {self.execution_id})"


def read_execution_facts(store: MetadataStore, execution: ExecutionRecord) -> ExecutionFacts:
    """Reads the run that an execution belongs to; what is not known stays empty."""
    run_id = execution.custom_properties.get(RUN_ID)
    if not run_id:  # as of one that another program wrote
        found = store.get_contexts(
            type_name=contexts.PIPELINE_RUN, execution_id=execution.id, limit=1
        )
        run_id = found[0].name if found else None
    run = store.get_run(run_id) if run_id else None
    return ExecutionFacts(
        execution_id=execution.id,
        node_id=str(execution.custom_properties.get(NODE_ID) or execution.type.name),
        run_id=run.run_id if run else "",
        pipeline=run.pipeline if run else "",
        state=execution.state.value.lower(),
        type_name=execution.type.name,
        started_at=execution.created_at,
        seconds=execution.updated_at - execution.created_at,
        root=run.root if run else "",
    )
