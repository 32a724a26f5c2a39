"""Another process that uses a metadata store; the tests start it, talk to it and kill it.

`python -m trainwright.testing.store_worker <action> <url>` prints "ready", reads a line from its
input and then acts.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Callable

from trainwright.metadata.connection import open_store
from trainwright.metadata.records import ContextKey, ExecutionState
from trainwright.metadata.store import ArtifactDeletedError, OvertakenError
from trainwright.testing.store_samples import (
    Outputs,
    complete,
    no_outputs,
    one_model,
    register,
)


def open_only(url: str) -> None:
    """Opens the store and reads from it."""
    with open_store(url) as store:
        store.get_executions()


def write(url: str) -> None:
    """Writes 25 executions, prints their ids and ends without closing anything."""
    store = open_store(url)
    ids = [complete(store) for _ in range(25)]
    print(json.dumps(ids), flush=True)
    os._exit(0)


def write_forever(url: str) -> None:
    """Writes executions until it is killed; says when the first is written."""
    store = open_store(url)
    complete(store)
    print("writing", flush=True)
    while True:
        complete(store)


def stop_inside(url: str) -> None:
    """Stops in the middle of a write transaction, says so and waits to be killed."""

    def wait(execution_id: int) -> Outputs:
        print("inside", flush=True)
        time.sleep(600)
        return one_model(execution_id)

    register(open_store(url), pending_outputs=wait)


def dawdle_inside(url: str) -> None:
    """Holds a write transaction open for a second."""

    def wait(execution_id: int) -> Outputs:
        print("inside", flush=True)
        time.sleep(1)
        return one_model(execution_id)

    with open_store(url) as store:
        register(store, pending_outputs=wait)


def register_first(url: str) -> None:
    """Registers in ten contexts unless somebody else has; prints the contexts it was first in."""
    with open_store(url) as store:
        for number in range(10):
            context = ContextKey("execution_cache", str(number))
            with contextlib.suppress(OvertakenError):
                register(store, contexts=[context], last_seen=(context, 0))
                print(number)


def use_artifacts(url: str) -> None:
    """Registers an execution for every artifact; prints those that could be used."""
    with open_store(url) as store:
        for artifact in store.get_artifacts():
            with contextlib.suppress(ArtifactDeletedError):
                register(store, inputs={"model": [artifact.id or 0]}, pending_outputs=no_outputs)
                print(artifact.id)


def mark_artifacts(url: str) -> None:
    """Marks every artifact that no RUNNING execution uses; prints those it has marked."""
    with open_store(url) as store:
        last = store.get_executions(states=[ExecutionState.COMPLETE], limit=1)[0].id
        for artifact in store.get_artifacts():
            for marked in store.mark_for_deletion([artifact.id or 0], last_execution_id=last):
                print(marked)


_ACTIONS: dict[str, Callable[[str], None]] = {
    action.__name__: action
    for action in (
        open_only,
        write,
        write_forever,
        stop_inside,
        dawdle_inside,
        register_first,
        use_artifacts,
        mark_artifacts,
    )
}


def main() -> None:
    action, url = sys.argv[1:]
    # What is loaded lazily is loaded now, so that the workers of a test begin together.
    import trainwright.metadata.sql_store  # noqa: F401

    print("ready", flush=True)
    sys.stdin.readline()
    _ACTIONS[action](url)


if __name__ == "__main__":
    main()
