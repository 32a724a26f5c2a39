"""An audit of a store and of the files below a pipeline root: whatever is not as it should be."""

from __future__ import annotations

import os
import sqlite3
from collections import Counter
from pathlib import Path

from trainwright import open_store
from trainwright.metadata.internal_properties import NODE_ID, RESULT
from trainwright.metadata.records import ArtifactState, EventType, ExecutionState
from trainwright.orchestration.event_log import find_event_log
from trainwright.orchestration.publishing import layout
from trainwright.orchestration.publishing.published_outputs import find_record_damage
from trainwright.storage import objects, uris


def audit(root: Path, store: str = "") -> list[str]:
    """Complaints in words; none if nothing is half made, orphaned or left running.

    Args:
        root: The pipeline root.
        store: The URL of its store, if that is not the file in the root.
    """
    root = root.resolve()
    complaints, artifacts, event_logs = _audit_store(store or root / "metadata.db")
    complaints += [
        f"{mark.parent} is marked, but by no run of the store"
        for mark in root.glob(".system/runs/*/owner-*")
        if str(mark.with_name("events.jsonl")) not in event_logs
    ]
    return complaints + _audit_files(root, artifacts)


def audit_objects(store: Path | str, root: str) -> list[str]:
    """The same of a store, a file or a URL, whose artifacts are in an object store."""
    complaints, artifacts, event_logs = _audit_store(store)
    names = [uris.relative(facts.uri, root) for facts in objects.list_tree(root)]
    complaints += [
        f"{name} is marked, but by no run of the store"
        for name in names
        if name.startswith(".system/runs/")
        and f"{root}/{os.path.dirname(name)}/events.jsonl" not in event_logs
    ]
    known = {
        layout.output_directory(artifact.uri)
        for artifact in artifacts
        if artifact.state in (ArtifactState.LIVE, ArtifactState.ABANDONED)
    }
    found = {
        "/".join(name.split("/")[:3])
        for name in names
        if not name.startswith(".") and name.split("/")[1] != ".system"
    }
    return complaints + [
        f"{name} belongs to no artifact" for name in found if f"{root}/{name}" not in known
    ]


def find_repeated(store: Path | str) -> list[str]:
    """Complaints about nodes of one unchanged pipeline whose work was published more than once."""
    with open_store(store) as opened:
        published = opened.get_executions(states=[ExecutionState.COMPLETE])
    counts = Counter(one.custom_properties[NODE_ID] for one in published)
    return [f"{node} is COMPLETE {count} times" for node, count in counts.items() if count > 1]


def _audit_store(address: Path | str):
    """Complaints about a store; its artifacts, and where the event logs of its runs are."""
    complaints = []
    if isinstance(address, Path):
        with sqlite3.connect(address) as connection:
            verdict = connection.execute("PRAGMA integrity_check").fetchone()[0]
            complaints = [] if verdict == "ok" else [f"the database is damaged: {verdict}"]
    with open_store(address) as store:
        executions = store.get_executions()
        artifacts = {artifact.id: artifact for artifact in store.get_artifacts()}
        events = store.get_events()
        results = store.get_attachments(RESULT, [one.id for one in executions])
        manifests = {execution_id: one["manifests"] for execution_id, one in results.items()}
        event_logs = {find_event_log(run) for run in store.get_runs(with_deleted=True)}
    complaints += [
        f"execution {one.id} is {one.state.value}" for one in executions if not one.state.is_final
    ]
    complaints += [
        f"artifact {one.id} is PENDING"
        for one in artifacts.values()
        if one.state is ArtifactState.PENDING
    ]
    made_by = {
        event.artifact_id: event
        for event in events
        if event.type is EventType.OUTPUT and event.execution_id in manifests
    }
    for artifact in artifacts.values():
        if artifact.state is not ArtifactState.LIVE:
            continue
        event = made_by.get(artifact.id)
        if event is None:
            complaints.append(f"artifact {artifact.id} is LIVE but nobody made it")
            continue
        manifest = manifests[event.execution_id][event.key][event.index]
        damage = find_record_damage(artifact, manifest)
        if damage:
            complaints.append(f"artifact {artifact.id} is LIVE but {damage}")
    complete = {one.id for one in executions if one.state is ExecutionState.COMPLETE}
    complaints += [
        f"execution {one} is COMPLETE without a manifest" for one in complete - manifests.keys()
    ]
    return complaints, list(artifacts.values()), event_logs


def _audit_files(root: Path, artifacts) -> list[str]:
    known = {
        layout.output_directory(artifact.uri)
        for artifact in artifacts
        if artifact.state in (ArtifactState.LIVE, ArtifactState.ABANDONED)
    }
    outputs = [path for path in root.glob("[!.]*/[!.]*/*") if path.is_dir()]
    complaints = [f"{path} belongs to no artifact" for path in outputs if str(path) not in known]
    system = root.glob("*/.system/executor_execution/*")
    complaints += [f"{path} was left behind" for each in system for path in each.glob(".temp")]
    system = root.glob("*/.system/executor_execution/*")
    complaints += [f"{path} was left behind" for each in system for path in each.glob("*.part")]
    return complaints
