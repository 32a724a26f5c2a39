"""Node options: caching, retries, timeouts, processes and resources of a node."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trainwright._checks import check_bool, check_integer, check_number, mismatch
from trainwright.dsl.node_resources import NodeResources

# A wait between two attempts does not grow beyond this.
MAX_RETRY_WAIT_SECONDS = 300.0


@dataclass(frozen=True, kw_only=True)
class NodeOptions:
    """The options of one node; `BaseNode.with_cache`, `with_retries`, `with_timeout` and
    `BaseComponent.with_processes`, `with_resources` and `with_staging` set them.

    Args:
        enable_cache: Whether an earlier result is reused; None leaves it to the pipeline.
        max_retries: How often the node is tried again after a failure.
        retry_wait_seconds: How long to wait before the first retry; each later one waits twice as
            long.
        timeout_seconds: How long one attempt may take; None for as long as it needs.
        num_processes: How many processes run the executor together.
        stages_inputs: Whether inputs in an object store are copied to the node's disk.
        resources: What each of these processes needs; None if nothing was said of it. What
            `dataclasses.asdict` makes of it is taken, too.
    """

    enable_cache: bool | None = None
    max_retries: int = 0
    retry_wait_seconds: float = 1.0
    timeout_seconds: float | None = None
    num_processes: int = 1
    stages_inputs: bool = True
    resources: NodeResources | None = None

    def __post_init__(self) -> None:
        if self.enable_cache is not None:
            check_bool("The argument of with_cache", self.enable_cache)
        check_integer("The number of retries", self.max_retries, least=0)
        check_number("The wait before a retry in seconds", self.retry_wait_seconds, least=0)
        if self.timeout_seconds is not None:
            check_number("A timeout in seconds", self.timeout_seconds)
            if not self.timeout_seconds > 0:
                fix = "Leave it out for a node that may take as long as it needs."
                raise ValueError(
                    mismatch("A timeout in seconds", self.timeout_seconds, "more than 0", fix)
                )
        check_integer("The number of processes", self.num_processes, least=1)
        check_bool("The argument of with_staging", self.stages_inputs)
        if isinstance(self.resources, Mapping):
            object.__setattr__(self, "resources", NodeResources(**self.resources))

    def retry_wait(self, failures: int) -> float:
        """How long to wait after that many failures.

        >>> [NodeOptions(retry_wait_seconds=5).retry_wait(failures) for failures in (1, 2, 3)]
        [5.0, 10.0, 20.0]
        """
        wait: float = self.retry_wait_seconds * 2.0 ** min(failures - 1, 32)
        return min(wait, MAX_RETRY_WAIT_SECONDS)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


class TriggerStrategy(enum.IntEnum):
    """When a node starts, in TFX's words; here always when all upstream nodes succeeded."""

    TRIGGER_STRATEGY_UNSPECIFIED = 0
    ALL_UPSTREAM_NODES_SUCCEEDED = 1
    ALL_UPSTREAM_NODES_COMPLETED = 2
    LAZILY_ALL_UPSTREAM_NODES_COMPLETED = 4
    LAZILY_ALL_UPSTREAM_NODES_SUCCEEDED = 5
    LIFETIME_END_WHEN_SUBGRAPH_CANNOT_PROGRESS = 6


@dataclass
class NodeExecutionOptions:
    """TFX's node execution options: retries, a timeout, and whether an attempt begins anew.

    All of them can be declared and compiled; a run refuses those that it cannot honour.

    Example: `trainer.with_node_execution_options(NodeExecutionOptions(max_execution_retries=2))`
    """

    trigger_strategy: Any = TriggerStrategy.ALL_UPSTREAM_NODES_SUCCEEDED
    success_optional: bool = False
    max_execution_retries: int | None = None
    execution_timeout_sec: int = 0
    reset_stateful_working_dir: bool = False
    lifetime_start: str | None = None
    # A number of the message NodeExecutionOptions.RunMode; for TFX's own components.
    _run_mode: int = 0

    def __post_init__(self) -> None:
        if self.max_execution_retries is not None:
            self.max_execution_retries = max(self.max_execution_retries, 0)

    def check(self, node_id: str) -> None:
        """Raises ValueError for what would have no effect in a run."""
        if self.trigger_strategy not in (
            TriggerStrategy.TRIGGER_STRATEGY_UNSPECIFIED,
            TriggerStrategy.ALL_UPSTREAM_NODES_SUCCEEDED,
        ):
            raise ValueError(
                f"{node_id}: trigger_strategy {TriggerStrategy(self.trigger_strategy).name} cannot "
                "be honoured: a node starts when all nodes that it depends on have succeeded. "
                "Leave it out."
            )
        for name in ("success_optional", "lifetime_start"):
            if getattr(self, name):
                raise ValueError(
                    f"{node_id}: {name}={getattr(self, name)!r} cannot be honoured: only "
                    "max_execution_retries, execution_timeout_sec and reset_stateful_working_dir "
                    "have an effect. Leave it out."
                )
