"""Start of a node: it is planned, registered and launched, unless that cannot be."""

from __future__ import annotations

from trainwright.dsl.base_node import BaseNode
from trainwright.metadata.store import MetadataError
from trainwright.orchestration.heartbeat import Heartbeat
from trainwright.orchestration.launching.launcher import Launcher
from trainwright.orchestration.launching.node_request import RequestMaker
from trainwright.orchestration.planning.driver import Driver
from trainwright.orchestration.planning.lookup_stop import LookupStopped, stoppable
from trainwright.orchestration.planning.node_plan import PreparedNode, StartedNode
from trainwright.orchestration.planning.partial_run_inputs import ReusedOutputs
from trainwright.orchestration.publishing.claims import PlaceTakenError, find_other_store
from trainwright.orchestration.publishing.work_files import WorkFiles
from trainwright.orchestration.running.node_ending import NodeEnding
from trainwright.orchestration.running.outcomes import Outcomes
from trainwright.orchestration.running.schedule import Schedule
from trainwright.orchestration.running.stopping import StopRequest
from trainwright.orchestration.running.store_patience import StorePatience


class NodeStarting:
    """Starts the nodes of a run.

    Args:
        driver: Plans a node and performs the plan.
        launcher: Launches a node that has to run.
        requests: Makes what is launched.
        heartbeat: Keeps the leases of running nodes alive.
        patience: Waits for a store that is away.
        outcomes: Is told what became of a node.
        schedule: Knows which nodes are still to start.
        ending: Ends a node that cannot start.
        stop: Ends what is read while a node is planned.
        max_parallel: How many nodes may run at once.
        work_files: What its processes write on this machine.
    """

    def __init__(
        self,
        driver: Driver,
        launcher: Launcher,
        *,
        requests: RequestMaker,
        heartbeat: Heartbeat,
        patience: StorePatience,
        outcomes: Outcomes,
        schedule: Schedule,
        ending: NodeEnding,
        stop: StopRequest,
        max_parallel: int,
        work_files: WorkFiles,
    ) -> None:
        self._driver = driver
        self._launcher = launcher
        self._requests = requests
        self._heartbeat = heartbeat
        self._patiently = patience.call
        self._outcomes = outcomes
        self._schedule = schedule
        self._ending = ending
        self._stop = stop
        self._max_parallel = max_parallel
        self._work_files = work_files

    def reuse(self, reused: ReusedOutputs) -> None:
        """Takes over the outputs of a node that the run leaves out."""
        cached = self._patiently(lambda: self._driver.reuse_from_before(reused))
        self._outcomes.note_cached(reused.node.id, cached)

    def has_room_for(self, node: BaseNode) -> bool:
        """Whether the node may run beside those that are running."""
        has_room = self._launcher.has_room_for(node, self._max_parallel)
        return has_room or not self._driver.needs_worker(node)

    def prepare(self, node: BaseNode) -> PreparedNode | None:
        """Plans the node and performs the plan; None if it failed or the run was stopped."""
        made = self._outcomes.made
        try:
            # What a node depends on may take hours to read, so a stop ends that as well.
            with stoppable(lambda: self._stop.is_wanted):
                return self._patiently(lambda: self._driver.prepare(node, made))
        except LookupStopped:
            return None
        except MetadataError:
            raise
        except Exception as error:
            self._ending.fail_unstarted(node, error)
            return None

    def launch(self, started: StartedNode) -> None:
        """Starts the node's executor in processes of its own."""
        try:
            running = self._launcher.launch(self._requests.make(started))
        except PlaceTakenError as error:
            self._ending.number_anew(started, str(error))
            return
        except (ValueError, OSError) as error:
            self._ending.fail_unlaunched(started, error)
            return
        execution_id = running.execution_id
        ranks = running.request.num_processes
        self._work_files.follow(started.directory, ranks, started.kept_places)
        self._heartbeat.add(execution_id)
        self._outcomes.note_started(started.node.id, execution_id, started.reason, running.log)
        other = find_other_store(started.directory, self._requests.store_location)
        if other is not None:
            self._outcomes.note_other_store(started.node.id, started.directory, other)
        self._launcher.warm_up(self._schedule.waiting)
