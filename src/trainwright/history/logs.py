"""Logs: that of a node, and the events of a whole run; as they are, or while they grow."""

from __future__ import annotations

import dataclasses
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from trainwright._paths import is_remote
from trainwright.history.errors import NotInHistoryError
from trainwright.history.execution_facts import ExecutionFacts, read_execution_facts
from trainwright.history.run_view import RunView, find_node, find_run_view
from trainwright.metadata.internal_properties import ERROR, NODE_ID, REUSED_EXECUTION
from trainwright.metadata.leases import is_alive, run_state
from trainwright.metadata.lineage import find_makers
from trainwright.metadata.records import EventType, ExecutionRecord, ExecutionState, RunRecord
from trainwright.metadata.run_lookup import find_run_record
from trainwright.metadata.store import MetadataStore
from trainwright.orchestration.event_log import find_event_log, read_events
from trainwright.orchestration.events import NodeStarted, RunEvent, RunFinished
from trainwright.orchestration.publishing import claims, layout, places
from trainwright.orchestration.publishing.plain_files import NotAPlainFileError, open_log

# Is told, in a sentence, what a reader has to know while waiting.
Tell = Callable[[str], None]

# How often the store is asked for news, and how often the file is looked at.
_STORE_SECONDS = 1.0
_FILE_SECONDS = 0.2
_OBJECT_SECONDS = 2.0
_PIECE_BYTES = 1 << 16

# Nodes that have no process, by the names under which the store knows them.
_WITHOUT_PROCESS = {
    "tfx.dsl.components.common.importer.Importer": "Importer",
    "tfx.dsl.components.common.resolver.Resolver": "Resolver",
}


# The log of a node


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
    def is_there(self) -> bool:
        """Whether there is a log, here or in an object store."""
        return _is_there(self.path) or places.exists(self.path)

    @property
    def is_refused(self) -> bool:
        """Whether the node failed before anything of it was started."""
        return self.state == "failed" and not places.exists(os.path.dirname(self.path))

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
        raise NotInHistoryError(_why_not_run(view, node))
    return _of_execution(store, store.get_execution(chosen.execution_id))


def wait_for_log(
    store: MetadataStore, node: str | None, run: str, execution_id: int | None, tell: Tell
) -> LogSource:
    """The same, but a node that the run has not reached yet is waited for, which is told."""
    if execution_id is not None:
        return find_log(store, node, run, execution_id)
    assert node is not None
    view = find_run_view(store, run)
    if find_node(view, node).state == "waiting":
        tell(f"Run {view.run.run_id} has not reached {node} yet; waiting for it.")
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
    try:
        return open_log(path)
    except NotAPlainFileError as error:
        raise NotInHistoryError(f"The log {path} cannot be read: {error.strerror}.") from None


def follow_log(store: MetadataStore, source: LogSource, tell: Tell) -> Iterator[bytes]:
    """The log as it grows, until the execution is over and all of it was read; if that is because
    its process died, it is told."""
    is_over = _is_over(store, source, tell)
    if is_remote(source.path) and not os.path.exists(layout.work_path(source.path)):
        yield from _follow_object(store, source, tell)
        return
    while not _is_there(source.path):
        if is_over:
            return
        time.sleep(_FILE_SECONDS)
        is_over = _is_over(store, source, tell)
    with _open_log(source.path) as file:
        asked_at = time.monotonic()
        while True:
            piece = file.read(_PIECE_BYTES)
            if piece:
                yield piece
                continue
            if is_over:
                return
            if time.monotonic() - asked_at >= _STORE_SECONDS:
                asked_at = time.monotonic()
                is_over = _is_over(store, source, tell)
            # A node counts as done shortly before the last of its output is in the file.
            time.sleep(_FILE_SECONDS)


def _follow_object(store: MetadataStore, source: LogSource, tell: Tell) -> Iterator[bytes]:
    """The log of a process on another machine, which uploads it again and again."""
    position = 0
    while True:
        is_over = _is_over(store, source, tell)
        while piece := _read_from(source.path, position):
            position += len(piece)
            yield piece
        if is_over:
            return
        time.sleep(_OBJECT_SECONDS)


def _is_there(path: str) -> bool:
    return os.path.exists(layout.work_path(path) if is_remote(path) else path)


def _is_over(store: MetadataStore, source: LogSource, tell: Tell) -> bool:
    execution = store.get_execution(source.execution_id)
    if execution.state.is_final:
        return True
    if is_alive(execution.lease, store.now()):
        return False
    tell(f"The process that ran {source.node_id} has died.")
    return True


def _read_execution(store: MetadataStore, execution_id: int, node: str | None) -> ExecutionRecord:
    try:
        execution = store.get_execution(execution_id)
    except KeyError:
        raise NotInHistoryError(
            f"There is no execution {execution_id} in the store. `trainwright show` lists the "
            "executions of a run."
        ) from None
    its_node = execution.custom_properties.get(NODE_ID)
    if node is not None and node != its_node:
        raise NotInHistoryError(
            f"Execution {execution_id} is one of {its_node}, not of {node}. Leave the name out."
        )
    return execution


def _of_execution(store: MetadataStore, execution: ExecutionRecord) -> LogSource:
    facts = read_execution_facts(store, execution)
    kind = _WITHOUT_PROCESS.get(execution.type.name)
    if kind:
        raise NotInHistoryError(
            f"{facts.node_id} is of type {kind}: it has no process, and so no log. "
            f"`trainwright show {facts.run_id}` tells what it gave."
        )
    if execution.state is ExecutionState.CACHED:
        maker = _maker(store, execution)
        if maker is None:
            raise NotInHistoryError(
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
    token = claims.read_tokens(store, [execution_id]).get(execution_id)
    found = claims.find_directory(facts.root, facts.node_id, execution_id, token)
    if found is not None:
        return found
    leaf = layout.choose_leaf(facts.root, facts.node_id, (), execution_id)
    return layout.execution_directory(facts.root, facts.node_id, leaf)


def _maker(store: MetadataStore, cached: ExecutionRecord) -> ExecutionRecord | None:
    """The execution whose result a CACHED one reuses."""
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


# The events of a run


def follow_run(store: MetadataStore, wanted: str) -> tuple[RunRecord, Iterator[RunEvent | None]]:
    """A run, which another process may have started, and its events: those that were, and those
    that come, until the run is over or its process has died.

    While there is nothing new the iterator gives None, some times a second, so that the caller can
    look after other things. It ends with a RunFinished event, unless the run died before it could
    tell that, or its event log was removed meanwhile. Progress is thinned.

    Args:
        store: The metadata store.
        wanted: The run's id, the beginning of it, or "latest".

    Raises:
        NotInHistoryError: if there is no such run, or no event log of it here.
    """
    try:
        run = find_run_record(store, wanted)
    except LookupError as error:
        raise NotInHistoryError(str(error.args[0])) from error
    path = find_event_log(run)
    if path is None and run_state(run, store.now()) == "running":
        # It is made right after the run was registered.
        time.sleep(_STORE_SECONDS)
        path = find_event_log(run)
    if path is None:
        raise NotInHistoryError(
            f"Run {run.run_id} has no event log below {run.root or 'a root'}: it was removed by "
            "`trainwright gc`, is on another machine, or the run is older than event logs. The log "
            "of a node: trainwright logs NODE RUN."
        )
    return run, _follow_events(store, run, path)


def state_of_run(store: MetadataStore, run: RunRecord) -> str:
    """What has become of a run meanwhile: the name of its state, or "died"."""
    found = store.get_run(run.run_id)
    return run_state(found or run, store.now())


def _follow_events(store: MetadataStore, run: RunRecord, path: str) -> Iterator[RunEvent | None]:
    pending = b""
    asked_at, is_over = 0.0, False
    position = 0
    while True:
        grown = _read_from(path, position)
        position += len(grown)
        *lines, pending = (pending + grown).split(b"\n")
        for event in read_events(b"\n".join(lines)):
            yield _within(run, event)
            if isinstance(event, RunFinished):
                # Commands may go on with a run that was finished, and anybody may have written so.
                is_over = state_of_run(store, run) != "running"
        if grown:
            continue
        if is_over:
            return
        if time.monotonic() - asked_at >= _STORE_SECONDS:
            asked_at = time.monotonic()
            # Looked at once more after this: the last event follows the last word in the store.
            is_over = state_of_run(store, run) != "running" and not _is_finishing(store, run)
        if not is_over:
            yield None
            time.sleep(_OBJECT_SECONDS if is_remote(path) else _FILE_SECONDS)


def _is_finishing(store: MetadataStore, run: RunRecord) -> bool:
    """Whether the process of a run that has ended is about to write the last event."""
    found = store.get_run(run.run_id)
    return (
        found is not None
        and is_alive(found.lease, store.now())
        and (found.ended_at is None or store.now() - found.ended_at < 2 * _STORE_SECONDS)
    )


def _read_from(path: str, position: int) -> bytes:
    try:
        with open_log(path) as file:
            if file.seek(0, os.SEEK_END) <= position:
                return b""
            file.seek(position)
            return file.read(_PIECE_BYTES)
    except OSError:  # it was removed, or replaced by a pipe: nothing more will come
        return b""


def _within(run: RunRecord, event: RunEvent) -> RunEvent:
    """The event; a log that does not lie below the run's root is not the node's, whoever wrote so.

    Whoever may write below the root may write into the event log, and readers open that path.
    """
    if not isinstance(event, NodeStarted):
        return event
    root = places.real_path(run.root)
    try:
        log = places.real_path(event.log)
        is_below = log.startswith(root.rstrip(os.sep) + os.sep) and ".." not in log.split(os.sep)
    except ValueError:  # a name that no file can have
        is_below = False
    return event if is_below else dataclasses.replace(event, log="")
