"""Run events: what a run tells whoever watches it, one small record per thing that happened."""

from __future__ import annotations

import enum
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


class RunEventKind(enum.Enum):
    """What happened. The data that comes with each is named beside it."""

    RUN_STARTED = "run_started"  # pipeline, run_id, root, store, nodes
    RUN_BESIDE = "run_beside"  # run_id of another run of the pipeline that goes on
    # execution_id, of_node, is_published, is_ended, problem
    EXECUTION_RECOVERED = "execution_recovered"
    STORE_LOST = "store_lost"  # error
    NODE_WARNING = "node_warning"  # message: something that the pipeline says has no effect
    NODE_WAITING = "node_waiting"  # execution_id, host: another run does the same work
    NODE_STARTED = "node_started"  # execution_id, reason, log
    NODE_PROGRESS = "node_progress"  # whatever the executor reports, for example step, loss
    NODE_CACHED = "node_cached"  # execution_id, reused_execution_id, reason
    NODE_COMPLETED = "node_completed"  # execution_id, seconds, outputs; reason: without executor
    NODE_RETRYING = "node_retrying"  # headline, wait_seconds, retry, max_retries
    NODE_FAILED = "node_failed"  # error, headline, traceback, log, kept
    NODE_SKIPPED = "node_skipped"  # reason: a condition; or because_of: nodes that failed
    NODE_CANCELED = "node_canceled"  # execution_id, kept
    INPUT_CHANGED = "input_changed"  # of_node, warning: the node changed one of its inputs
    RUN_STOPPING = "run_stopping"  # reason
    # state, seconds, states, skipped, notes, warnings, pages
    RUN_FINISHED = "run_finished"


@dataclass(frozen=True, kw_only=True)
class RunEvent:
    """One event; `node` is empty for those of the whole run."""

    kind: RunEventKind
    node: str = ""
    data: dict[str, Any] = field(default_factory=dict)
    at: float = field(default_factory=time.time)


RunObserver = Callable[[RunEvent], None]
