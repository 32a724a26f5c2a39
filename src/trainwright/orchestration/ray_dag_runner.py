"""RayDagRunner: runs a pipeline's nodes on the machines of a Ray cluster."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from trainwright._checks import check_bool, check_number, check_string
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_node import BaseNode
from trainwright.dsl.containers.container_spec import ContainerSpec
from trainwright.dsl.node_resources import NodeResources
from trainwright.dsl.pipeline import Pipeline
from trainwright.orchestration.events import RunObserver
from trainwright.orchestration.launching.launcher import Launcher
from trainwright.orchestration.local_dag_runner import LocalDagRunner
from trainwright.orchestration.run_options import RunOptions
from trainwright.orchestration.run_result import PipelineError
from trainwright.orchestration.script_runs import RequestedRun
from trainwright.ray_cluster.addresses import check_address
from trainwright.storage.uris import is_in_memory

if TYPE_CHECKING:
    from trainwright.ray_cluster.connection import RayCluster

# Shorter ones end nodes because a call was late.
_SHORTEST_LEASE_SECONDS = 5.0


@dataclass(frozen=True, kw_only=True)
class RaySettings:
    """Which cluster a RayDagRunner uses, and how: see there."""

    address: str = "auto"
    lease_seconds: float = 30.0
    autoscales: bool = False

    def __post_init__(self) -> None:
        check_string("address", self.address)
        check_address("The address of the Ray cluster (address in [ray], --address)", self.address)
        check_number("lease_seconds", self.lease_seconds, least=_SHORTEST_LEASE_SECONDS)
        check_bool("autoscales", self.autoscales)


class RayDagRunner(LocalDagRunner):
    """Runs pipelines as LocalDagRunner does, but each node on a machine of a Ray cluster.

    This process decides what runs when and remembers it, and is on one of the cluster's machines;
    they all see the pipeline root. A node gets the machine that `with_resources` asks for, one
    processor if nothing was said. Ray is installed by `pip install 'trainwright[ray]'`.

    Args:
        address: The cluster's head as `host:port`; "auto" for the cluster that this machine belongs
            to, or that RAY_ADDRESS names; "" for a new one on this machine, which ends with this
            process.
        max_parallel: How many nodes may run or wait for a place at once; if None all that can
            start, because the cluster itself says what it has room for.
        lease_seconds: How long a node goes on when its machine hears nothing of this process. After
            this time, a node on a machine that does not answer is given up and tried on another.
        autoscales: Whether the cluster gets machines when they are asked for, so that a node may
            ask for more than any machine has that is there now. Else this is refused.
        observer: As for LocalDagRunner, and so are the others.

    Example: `RayDagRunner("10.0.0.5:6379").run(pipeline)`
    """

    def __init__(
        self,
        address: str = "auto",
        *,
        max_parallel: int | None = None,
        lease_seconds: float = 30.0,
        autoscales: bool = False,
        observer: RunObserver | Sequence[RunObserver] | None = None,
        default_store: str | None = None,
        show_output: bool | None = None,
        keep_listed_order: bool | None = None,
        engine: str | None = None,
    ) -> None:
        self._ray = RaySettings(address=address, lease_seconds=lease_seconds, autoscales=autoscales)
        super().__init__(
            max_parallel=max_parallel,
            observer=observer,
            default_store=default_store,
            show_output=show_output,
            keep_listed_order=keep_listed_order,
            engine=engine,
        )

    @classmethod
    def of(cls, settings: RaySettings, **options: Any) -> RayDagRunner:
        """A runner for a cluster, with the other options of the constructor."""
        return cls(**dataclasses.asdict(settings), **options)

    def make_launcher(self) -> Launcher:
        """What launches the nodes of one run: actors of the cluster."""
        from trainwright.orchestration.launching.on_ray.ray_launcher import RayLauncher

        return RayLauncher(self._connect(), self._ray.lease_seconds)

    def default_max_parallel(self) -> int:
        """All that can start: the cluster itself says what it has room for."""
        return sys.maxsize

    def check_nodes(
        self, nodes: Iterable[BaseNode], parameters: Mapping[str, Any], root: str
    ) -> None:
        """Refuses what cannot run on the cluster."""
        from trainwright.orchestration.launching.on_ray.cluster_check import check_machines
        from trainwright.ray_cluster.errors import RayVersionError

        components = [node for node in nodes if isinstance(node, BaseComponent)]
        for node in components:
            if isinstance(node.executor_spec, ContainerSpec):
                raise ValueError(
                    f"{node.id} runs in a container, and RayDagRunner starts none. Run the "
                    "pipeline with LocalDagRunner, or give the node an executor in Python."
                )
        cluster = self._connect()
        if is_in_memory(root) and not cluster.is_on_this_machine:
            raise PipelineError(
                f"The pipeline root {root} is shared memory of this machine, and the Ray cluster "
                f"at {cluster.address} has others: give an address in s3://, gs:// or az://, or a "
                "directory that all machines see under the same path."
            )
        for node in [] if self._ray.autoscales else components:
            resources = node.options.resources or NodeResources()
            cluster.check_resources(
                resources.as_amounts(),
                f"The node {node.id!r}",
                processes=node.options.num_processes,
            )
        try:
            check_machines(cluster, components, parameters)
        except RayVersionError as error:
            raise PipelineError(str(error)) from error

    def _connect(self) -> RayCluster:
        from trainwright.ray_cluster.connection import connect
        from trainwright.ray_cluster.errors import RayClusterError

        try:
            # Its nodes are asked when they get work, so that none starts a process for that alone.
            return connect(self._ray.address, asks_nodes=False)
        except (RayClusterError, ModuleNotFoundError) as error:
            raise PipelineError(str(error)) from error

    def _request(
        self, pipeline: Pipeline, run_options: RunOptions | None, parameters: Mapping[str, Any]
    ) -> RequestedRun:
        requested = super()._request(pipeline, run_options, parameters)
        return dataclasses.replace(requested, ray=self._ray)
