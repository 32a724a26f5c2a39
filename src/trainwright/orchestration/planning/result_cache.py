"""The result cache: finds a finished execution that can stand for a node, or says why none can."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from trainwright.metadata import contexts
from trainwright.metadata.artifact_records import from_record
from trainwright.metadata.cache_key import describe_changes
from trainwright.metadata.internal_properties import (
    CACHE_KEY_PARTS,
    ERROR,
    REUSED_EXECUTION,
)
from trainwright.metadata.records import ExecutionRecord, ExecutionState
from trainwright.metadata.store import MetadataStore
from trainwright.orchestration.planning.file_digests import FileDigests
from trainwright.orchestration.planning.lookup_stop import interruptible
from trainwright.orchestration.planning.node_resolution import ResolvedNode
from trainwright.orchestration.publishing.published_outputs import (
    Records,
    find_damaged_output,
    outputs_of,
    result_of,
)

NEVER_RUN = "it has not run before"

# How far back an execution is looked for that the node can be compared with.
_EXECUTIONS_TO_COMPARE = 10


@dataclass(frozen=True, kw_only=True)
class CacheAnswer:
    """What the cache knows of a node.

    Args:
        execution: The finished execution whose outputs can be reused; None if there is none.
        outputs: Those outputs.
        reason: Why it can be reused, or why the node must run.
        running: Executions that are doing this very work.
        last_seen: The newest execution that was doing or had done this work when the cache was
            asked; 0 if none was.
    """

    execution: ExecutionRecord | None = None
    outputs: Records = field(default_factory=dict)
    reason: str = ""
    running: list[ExecutionRecord] = field(default_factory=list)
    last_seen: int = 0


class ResultCache:
    """Asks the store and looks at the disk; nothing is written."""

    def __init__(self, store: MetadataStore, pipeline_name: str, digests: FileDigests) -> None:
        self._store = store
        self._pipeline_name = pipeline_name
        self._digests = digests

    def look_up(self, resolved: ResolvedNode) -> CacheAnswer:
        context = contexts.cache_context(resolved.cache_key)
        found = self._store.get_executions(
            context=context, states=[ExecutionState.COMPLETE, ExecutionState.RUNNING]
        )
        last_seen = found[0].id if found else 0
        complaints = []
        for candidate in found:
            if candidate.state is not ExecutionState.COMPLETE:
                continue
            outputs, complaint = self._examine(candidate, resolved)
            if complaint is None:
                return CacheAnswer(
                    execution=candidate,
                    outputs=outputs,
                    reason=f"unchanged since execution {candidate.id}",
                    last_seen=last_seen,
                )
            complaints.append(complaint)
        return CacheAnswer(
            reason=complaints[0] if complaints else self.explain_change(resolved),
            running=[one for one in found if one.state is ExecutionState.RUNNING],
            last_seen=last_seen,
        )

    def _examine(
        self, candidate: ExecutionRecord, resolved: ResolvedNode
    ) -> tuple[Records, str | None]:
        """The outputs of a finished execution, and what speaks against using them."""
        outputs = outputs_of(self._store, candidate.id)
        result = result_of(self._store, candidate.id)
        complaint = (
            find_damaged_output(candidate.id, outputs, result)
            or self._changed_file(result)
            or _undeclared_output(candidate.id, outputs, resolved)
            or self._refusal(resolved, outputs)
        )
        return outputs, complaint

    def _changed_file(self, result: Mapping[str, Any]) -> str | None:
        """A first-party file that the executor loaded and that is no longer what it was."""
        for path, digest in result.get("first_party_files", {}).items():
            if self._digest_or_none(path) != digest:
                return f"file {path}, which its code loads, changed"
        return None

    def _digest_or_none(self, path: str) -> str | None:
        """None also if a device has taken the file's place, or no file can have that name."""
        try:
            return self._digests.digest(path)
        except ValueError:
            return None

    def _refusal(self, resolved: ResolvedNode, outputs: Records) -> str | None:
        node = resolved.node
        typed = {
            key: [from_record(record, node.outputs[key].type) for record in records]
            for key, records in outputs.items()
        }
        with interruptible():
            return node.DRIVER_CLASS().why_not_reuse(typed)

    def explain_change(self, resolved: ResolvedNode) -> str:
        """What is different from the last time that the node ran or was reused."""
        context = contexts.node_context(self._pipeline_name, resolved.node.id)
        executions = self._store.get_executions(context=context, limit=_EXECUTIONS_TO_COMPARE)
        # A reused execution stands for the one that did the work.
        meant = {one.id: one.custom_properties.get(REUSED_EXECUTION, one.id) for one in executions}
        parts = self._store.get_attachments(CACHE_KEY_PARTS, set(meant.values()))
        for execution in executions:
            before = parts.get(meant[execution.id])
            if before is not None and execution.state is not ExecutionState.RUNNING:
                changes = describe_changes(before, resolved.parts.to_json())
                return _in_words(changes) if changes else _last_outcome(execution)
        return NEVER_RUN


def _undeclared_output(execution_id: int, outputs: Records, resolved: ResolvedNode) -> str | None:
    """An output that the node does not have: none that it has made, as its key is part of what it
    is found by."""
    for key in sorted(outputs.keys() - resolved.node.outputs.keys()):
        return (
            f"the record of execution {execution_id} is damaged: it has the output {key!r}, which "
            "the node does not declare"
        )
    return None


def _in_words(changes: Iterable[str]) -> str:
    shown = list(changes)
    more = f" and {len(shown) - 3} more" if len(shown) > 3 else ""
    return "; ".join(shown[:3]) + more


def _last_outcome(execution: ExecutionRecord) -> str:
    """Why nothing can be reused although nothing changed."""
    if execution.state is ExecutionState.CANCELED:
        return f"execution {execution.id} was stopped"
    if execution.state is ExecutionState.FAILED:
        lines = str(execution.custom_properties.get(ERROR, "")).strip().splitlines()
        because = f" ({lines[0]})" if lines else ""
        return f"execution {execution.id} failed{because}"
    return f"execution {execution.id} ran with another version of the cache key"
