"""Finding the log of a node, and following it while it grows."""

from __future__ import annotations

import dataclasses
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO

from trainwright.cli.errors import WrongQuestionError
from trainwright.cli.execution_facts import ExecutionFacts, read_execution_facts
from trainwright.cli.output import echo
from trainwright.cli.run_view import RunView, find_node, find_run_view

if TYPE_CHECKING:
    from trainwright.metadata.records import ExecutionRecord
    from trainwright.metadata.store import MetadataStore

# How often the store is asked for news, and how often the file is looked at.
_STORE_SECONDS = 1.0
_FILE_SECONDS = 0.2
_PIECE_BYTES = 1 << 16

# Nodes that have no process, by the names under which the store knows them.
_WITHOUT_PROCESS = {
    "tfx.dsl.components.common.importer.Importer": "Importer",
    "tfx.dsl.components.common.resolver.Resolver": "Resolver",
}


@dataclass(frozen=True, kw_only=True)
class LogSource:
    """A log, and the execution that writes it.

    Args:
        node_id: The node.
        run_id: The run that the execution belongs to.
        execution_id: The execution.
        state: Its state when it was looked up, in small letters.
        path: Where its log is, or will be.
        note: What a reader has to know first, for example that the node was reused.
        error: Why the execution failed.
    """

    node_id: str
    run_id: str
    execution_id: int
    state: str
    path: str
    note: str = ""
    error: str = ""

    @property
    def is_refused(self) -> bool:
        """Whether the node failed before anything of it was started."""
        return self.state == "failed" and not os.path.isdir(os.path.dirname(self.path))

    def to_json(self) -> dict[str, Any]:
        return {
            "node_id": self.node_id,
            "run_id": self.run_id,
            "execution_id": self.execution_id,
            "state": self.state,
            "log": self.path,
        }


def find_log(
    store: MetadataStore, node: str | None, run: str, execution_id: int | None
) -> LogSource:
    """The log of an execution, or of a node in a run; an error says why there is none."""
    if execution_id is not None:
        return _of_execution(store, _read_execution(store, execution_id, node))
    assert node is not None
    view = find_run_view(store, run)
    chosen = find_node(view, node)
    if chosen.execution_id is None:
        raise WrongQuestionError(_why_not_run(view, node))
    return _of_execution(store, store.get_execution(chosen.execution_id))


def wait_for_log(
    store: MetadataStore, node: str | None, run: str, execution_id: int | None
) -> LogSource:
    """The same, but a node that the run has not reached yet is waited for."""
    if execution_id is not None:
        return find_log(store, node, run, execution_id)
    assert node is not None
    view = find_run_view(store, run)
    if find_node(view, node).state == "waiting":
        echo(f"Run {view.run.run_id} has not reached {node} yet; waiting for it.", err=True)
    while find_node(view, node).state == "waiting":
        time.sleep(_STORE_SECONDS)
        view = find_run_view(store, view.run.run_id)
    return find_log(store, node, view.run.run_id, None)


def read_log(path: str) -> Iterator[bytes]:
    """The log in pieces: it may be larger than memory. What is not a log is refused at once."""
    return _pieces(_open_log(path))


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    with file:
        while piece := file.read(_PIECE_BYTES):
            yield piece


def _open_log(path: str) -> BinaryIO:
    """A node's code can put a named pipe in place of its log, which would hold its reader."""
    from trainwright.orchestration.publishing.plain_files import NotAPlainFileError, open_plain

    try:
        return open(open_plain(path, os.O_RDONLY), "rb")
    except NotAPlainFileError as error:
        raise WrongQuestionError(f"The log {path} cannot be read: {error.strerror}.") from None


def follow_log(store: MetadataStore, source: LogSource) -> Iterator[bytes]:
    """The log as it grows, until the execution is over and all of it was read."""
    is_over = _is_over(store, source)
    while not os.path.exists(source.path):
        if is_over:
            return
        time.sleep(_FILE_SECONDS)
        is_over = _is_over(store, source)
    with _open_log(source.path) as file:
        asked_at = time.monotonic()
        while True:
            piece = file.read(_PIECE_BYTES)
            if piece:
                yield piece
                continue
            if is_over:
                return
            elif time.monotonic() - asked_at >= _STORE_SECONDS:
                asked_at = time.monotonic()
                is_over = _is_over(store, source)
            # A node counts as done shortly before the last of its output is in the file.
            time.sleep(_FILE_SECONDS)


def _is_over(store: MetadataStore, source: LogSource) -> bool:
    from trainwright.metadata.leases import is_alive

    execution = store.get_execution(source.execution_id)
    if execution.state.is_final:
        return True
    if is_alive(execution.lease, store.now()):
        return False
    echo(f"The process that ran {source.node_id} has died.", err=True)
    return True


def _read_execution(store: MetadataStore, execution_id: int, node: str | None) -> ExecutionRecord:
    from trainwright.metadata.internal_properties import NODE_ID

    try:
        execution = store.get_execution(execution_id)
    except KeyError:
        raise WrongQuestionError(
            f"There is no execution {execution_id} in the store. `trainwright show` lists the "
            "executions of a run."
        ) from None
    its_node = execution.custom_properties.get(NODE_ID)
    if node is not None and node != its_node:
        raise WrongQuestionError(
            f"Execution {execution_id} is one of {its_node}, not of {node}. Leave the name out."
        )
    return execution


def _of_execution(store: MetadataStore, execution: ExecutionRecord) -> LogSource:
    from trainwright.metadata.internal_properties import ERROR
    from trainwright.metadata.records import ExecutionState
    from trainwright.orchestration.publishing import layout

    facts = read_execution_facts(store, execution)
    kind = _WITHOUT_PROCESS.get(execution.type.name)
    if kind:
        raise WrongQuestionError(
            f"{facts.node_id} is of type {kind}: it has no process, and so no log. "
            f"`trainwright show {facts.run_id}` tells what it gave."
        )
    if execution.state is ExecutionState.CACHED:
        maker = _maker(store, execution)
        if maker is None:
            raise WrongQuestionError(
                f"{facts.node_id} was reused in run {facts.run_id} and has no outputs, so there is "
                "no execution whose log could be shown."
            )
        source = _of_execution(store, maker)
        note = (
            f"{facts.node_id} was reused in run {facts.run_id}; this is the log of execution "
            f"{source.execution_id}, which made its outputs in run {source.run_id}."
        )
        return dataclasses.replace(source, note=note)
    return LogSource(
        node_id=facts.node_id,
        run_id=facts.run_id,
        execution_id=execution.id,
        state=facts.state,
        path=layout.log_path(_directory(store, facts, execution.id)),
        error=str(execution.custom_properties.get(ERROR) or ""),
    )


def _directory(store: MetadataStore, facts: ExecutionFacts, execution_id: int) -> str:
    """Where the execution's log is; for one that has none yet, where it will be."""
    from trainwright.orchestration.publishing import claims, layout

    token = claims.read_tokens(store, [execution_id]).get(execution_id)
    found = claims.find_directory(facts.root, facts.node_id, execution_id, token)
    if found is not None:
        return found
    leaf = layout.choose_leaf(facts.root, facts.node_id, (), execution_id)
    return layout.execution_directory(facts.root, facts.node_id, leaf)


def _maker(store: MetadataStore, cached: ExecutionRecord) -> ExecutionRecord | None:
    """The execution whose result a CACHED one reuses."""
    from trainwright.metadata.internal_properties import REUSED_EXECUTION
    from trainwright.metadata.lineage import find_makers
    from trainwright.metadata.records import EventType

    noted = cached.custom_properties.get(REUSED_EXECUTION)
    if noted is not None:
        return store.get_execution(noted)
    events = store.get_events(execution_ids=[cached.id])
    made = [event.artifact_id for event in events if event.type is EventType.OUTPUT]
    makers = find_makers(store, made)
    return store.get_execution(min(makers.values())) if makers else None


def _why_not_run(view: RunView, node: str) -> str:
    skip_reason = find_node(view, node).skip_reason
    if skip_reason is not None:
        return f"{node} has no log: it was skipped in run {view.run.run_id}: {skip_reason}."
    if view.run.state == "running":
        return (
            f"Run {view.run.run_id} has not reached {node} yet, so it has no log. Wait for it with "
            "-f."
        )
    failed = [other.node_id for other in view.run.nodes if other.state == "failed"]
    because = f" What failed before it: {', '.join(failed)}." if failed else ""
    return f"{node} has no log: run {view.run.run_id} ({view.run.state}) has not run it.{because}"
