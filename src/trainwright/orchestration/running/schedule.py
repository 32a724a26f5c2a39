"""Schedule of a run: which node can start, and when one that has to wait is looked at again."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from trainwright.dsl.base_node import BaseNode
from trainwright.orchestration.events import RunEventKind
from trainwright.orchestration.planning.node_plan import WaitPlan
from trainwright.orchestration.run_result import NodeState
from trainwright.orchestration.running.outcomes import Outcomes
from trainwright.orchestration.running.stopping import StopRequest

# How often a node asks whether another run has finished the same work.
_LOOK_AGAIN_SECONDS = 1.0


class Schedule:
    """Orders the nodes of a run by their graph, their retries and the work of other runs.

    Args:
        nodes: The nodes to run.
        waits_for: The nodes that a node waits for beside those whose outputs it takes, by node id.
        outcomes: What became of the nodes so far.
        tell: Tells the run's observer of an event.
        stop: In a run that should stop, nothing starts or is tried again.
    """

    def __init__(
        self,
        nodes: Iterable[BaseNode],
        *,
        waits_for: Mapping[str, Collection[str]],
        outcomes: Outcomes,
        tell: Callable[..., Any],
        stop: StopRequest,
    ) -> None:
        self._nodes = list(nodes)
        self._outcomes = outcomes
        self._tell = tell
        self._stop = stop
        known = {node.id for node in self._nodes}
        self._upstream = {
            node.id: [
                other
                for other in (*(one.id for one in node.upstream_nodes), *waits_for.get(node.id, ()))
                if other in known
            ]
            for node in self._nodes
        }
        # Nodes that could start but for time: they wait for a retry or for another run's work.
        self._not_before: dict[str, float] = {}
        self._attempts: dict[str, int] = {}
        self._lost_before: set[str] = set()
        self._busy_with: dict[str, int] = {}
        self._has_news = True

    @property
    def waiting(self) -> list[BaseNode]:
        """The nodes that have not started."""
        states = self._outcomes.states
        return [node for node in self._nodes if states[node.id] is NodeState.WAITING]

    @property
    def awaits_time(self) -> bool:
        """Whether a node will start by itself, without news of another."""
        return bool(self._not_before)

    def note_news(self) -> None:
        """A node has ended: others may start now."""
        self._has_news = True

    def ready(self, has_room_for: Callable[[BaseNode], bool]) -> Iterator[BaseNode]:
        """The nodes that can start, each as things are when its turn comes.

        Nodes behind one that failed are given up on the way.
        """
        now = time.monotonic()
        progress = self._has_news or any(now >= due for due in self._not_before.values())
        self._has_news = False
        while progress:  # a reused node may free its successors at once
            progress = False
            for node in self.waiting:
                if self._stop.is_wanted:
                    return
                broken = [one for one in self._upstream[node.id] if self._outcomes.is_broken(one)]
                if broken:
                    self._outcomes.give_up(node.id, broken)
                elif self._can_start(node) and has_room_for(node):
                    self._not_before.pop(node.id, None)
                    yield node
                progress |= self._outcomes.states[node.id] is not NodeState.WAITING

    def _can_start(self, node: BaseNode) -> bool:
        states = [self._outcomes.states[other] for other in self._upstream[node.id]]
        return all(
            state.is_success or state is NodeState.SKIPPED for state in states
        ) and time.monotonic() >= self._not_before.get(node.id, 0.0)

    def wait_for_other(self, node: BaseNode, plan: WaitPlan) -> None:
        """Has the node asked again later whether another run has finished its work."""
        self._not_before[node.id] = time.monotonic() + _LOOK_AGAIN_SECONDS
        if self._busy_with.get(node.id) != plan.execution.id:
            self._busy_with[node.id] = plan.execution.id
            host = plan.execution.lease.host if plan.execution.lease else ""
            self._tell(
                RunEventKind.NODE_WAITING, node.id, execution_id=plan.execution.id, host=host
            )

    def start_again(self, node: BaseNode) -> None:
        """Has the node started anew at once, which does not count as a retry."""
        self._not_before[node.id] = time.monotonic()

    def retry(self, node: BaseNode, error: Mapping[str, str], *, was_lost: bool = False) -> bool:
        """Lets a node that failed wait for its next attempt, if it has one.

        One that was lost with its machine has one more, which begins at once, in each run.
        """
        if was_lost and node.id not in self._lost_before and not self._stop.is_wanted:
            self._lost_before.add(node.id)
            self._try_again(node, error, wait=0.0, retry=1, max_retries=1)
            return True
        failures = self._attempts[node.id] = self._attempts.get(node.id, 0) + 1
        if failures > node.options.max_retries or self._stop.is_wanted:
            return False
        wait = node.options.retry_wait(failures)
        max_retries = node.options.max_retries
        self._try_again(node, error, wait=wait, retry=failures, max_retries=max_retries)
        return True

    def _try_again(
        self, node: BaseNode, error: Mapping[str, str], *, wait: float, retry: int, max_retries: int
    ) -> None:
        self._busy_with.pop(node.id, None)
        self._outcomes.states[node.id] = NodeState.WAITING
        self._not_before[node.id] = time.monotonic() + wait
        self._tell(
            RunEventKind.NODE_RETRYING,
            node.id,
            headline=f"{error['type']}: {(error['message'].splitlines() or [''])[0]}",
            wait_seconds=wait,
            retry=retry,
            max_retries=max_retries,
        )

    def cancel_waiting(self) -> None:
        """Cancels what has not started."""
        self._not_before.clear()
        for node in self.waiting:
            self._outcomes.states[node.id] = NodeState.CANCELED
