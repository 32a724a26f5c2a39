"""Connects this process to a Ray cluster, once, and asks what the cluster is.

Ray is imported only here and by what uses the connection; nothing that a run without Ray imports
brings it in.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from trainwright._amounts import in_words
from trainwright._imports import require
from trainwright.ray_cluster.addresses import check_address, split_address
from trainwright.ray_cluster.errors import (
    RayClusterError,
    RayResourcesError,
    RayUnreachableError,
    RayVersionError,
)
from trainwright.ray_cluster.versions import check_nodes

_logger = logging.getLogger(__name__)

# What Ray itself takes for the cluster that runs on this machine already.
RUNNING_HERE = "auto"
OBJECT_STORE_BYTES = 512 << 20
SECONDS_TO_CONNECT = 30.0
# A closed port is refused at once; a host that is gone says nothing.
_SECONDS_TO_REACH = 5.0
_PARTS_OF_A_UNIT = 10_000


@dataclass(frozen=True, kw_only=True)
class RayCluster:
    """The cluster that this process is connected to.

    Args:
        ray: The module, for those who submit work.
        address: Where its head answers, as `host:port`.
        is_on_this_machine: Whether all its nodes, when it was connected to, were this machine: only
            then do they surely see the same files.
    """

    ray: Any
    address: str
    is_on_this_machine: bool

    def check_resources(
        self, needed: Mapping[str, float], what: str, *, processes: int = 1
    ) -> None:
        """Refuses work that the cluster can never run, for which Ray would wait without a word.

        Args:
            needed: Resources by Ray's names: `CPU`, `GPU`, `memory` in bytes, and custom ones.
            what: What needs them, for the message: "The node 'Trainer'".
            processes: How many processes need as much, all at once, each of them on one node.

        Raises:
            RayResourcesError: with the most that any node has, or how many find room.

        Example: `cluster.check_resources({"CPU": 2, "GPU": 1}, "The node 'Trainer'")`
        """
        nodes = [node["Resources"] for node in self.ray.nodes() if node["Alive"]]
        needed = {name: amount for name, amount in needed.items() if amount}
        if not needed:
            return
        room = sum(_room_for(needed, node) for node in nodes)
        if room >= processes:
            return
        if room:
            raise RayResourcesError(
                f"{what} needs {in_words(needed)} for each of {processes} processes, and the Ray "
                f"cluster at {self.address} has room for {room} of them in all. They get their "
                "places all at once: ask for fewer or for less, or add nodes."
            )
        most = {name: max((node.get(name, 0) for node in nodes), default=0) for name in needed}
        raise RayResourcesError(
            f"{what} needs {in_words(needed)}, and no node of the Ray cluster at {self.address} "
            f"has that: the most that one of its {len(nodes)} nodes has is {in_words(most)}. Ask "
            "for less, or add a node that has it."
        )


def _room_for(needed: Mapping[str, float], has: Mapping[str, float]) -> int:
    """How many times a node has what is needed.

    >>> _room_for({"CPU": 2, "GPU": 0.1}, {"CPU": 5, "GPU": 1}), _room_for({"GPU": 0.1}, {"GPU": 1})
    (2, 10)
    """
    # As Ray does, in ten thousandths: of floats, 0.3 is not three times 0.1.
    return min(
        round(has.get(name, 0) * _PARTS_OF_A_UNIT) // max(1, round(amount * _PARTS_OF_A_UNIT))
        for name, amount in needed.items()
    )


_lock = threading.Lock()
# The process is part of it: a fork has the parent's connection, which it cannot use.
_connected: tuple[int, RayCluster] | None = None


def connect(
    address: str = RUNNING_HERE,
    *,
    cpus: int | None = None,
    object_store_bytes: int = OBJECT_STORE_BYTES,
    seconds: float = SECONDS_TO_CONNECT,
    asks_nodes: bool = True,
) -> RayCluster:
    """Connects this process to a cluster; the same one if it is connected already.

    Where the caller has called `ray.init` itself, that connection is used. A driver of Ray runs on
    a machine of the cluster: on any other, `address` is refused.

    Args:
        address: `host:port` of the cluster's head; "auto" for the one that runs on this machine; ""
            for a new one on this machine, which ends with this process.
        cpus: For a new cluster: how many tasks it runs at once; by default one per processor.
        object_store_bytes: For a new cluster: the size of its shared memory.
        seconds: After this long without an answer, the address counts as unreachable.
        asks_nodes: Whether each node is asked for its Trainwright now, which starts a process
            there; else whoever starts one anyway looks at it (`check_version`).

    Raises:
        ModuleNotFoundError: if Ray is not installed, with what installs it.
        ValueError: if there is a password in the address.
        RayUnreachableError: if there is no cluster at the address, or this machine is not in it.
        RayVersionError: if it has another Python, Ray or Trainwright.
        RayClusterError: if this process is connected to another cluster.

    Example: `cluster = connect("10.0.0.5:6379")`
    """
    global _connected
    check_address("The address of the Ray cluster", address)
    with _lock:
        if _connected is not None and _connected[0] == os.getpid():
            cluster = _connected[1]
            if cluster.ray.is_initialized():
                _check_same(cluster.address, address)
                return cluster
        ray = require("ray", "ray")
        if ray.is_initialized():
            _check_same(ray.get_runtime_context().gcs_address, address)
        elif address:
            _connect_to(ray, address, seconds)
        else:
            _start(ray, cpus, object_store_bytes)
        cluster = _describe(ray)
        if asks_nodes:
            check_nodes(ray, cluster.address, seconds=2 * seconds)
        _connected = (os.getpid(), cluster)
        return cluster


def disconnect() -> None:
    """Ends the connection, and with it a cluster that was made for it; harmless without one."""
    global _connected
    with _lock:
        if _connected is not None and _connected[0] == os.getpid():
            _connected[1].ray.shutdown()
        _connected = None


def _describe(ray: Any) -> RayCluster:
    here = (ray.util.get_node_ip_address(), socket.gethostname())
    nodes = [node for node in ray.nodes() if node["Alive"]]
    return RayCluster(
        ray=ray,
        address=ray.get_runtime_context().gcs_address,
        is_on_this_machine=all(
            (node["NodeManagerAddress"], node["NodeManagerHostname"]) == here for node in nodes
        ),
    )


def _check_same(connected: str, address: str) -> None:
    if address not in ("", RUNNING_HERE, connected) and not _is_same_host(connected, address):
        raise RayClusterError(
            f"This process is connected to the Ray cluster at {connected}, and cannot be to that "
            f"at {address} as well: a process has one cluster. Use the same address everywhere."
        )


def _is_same_host(one: str, other: str) -> bool:
    """Whether two addresses lead to the same place, by a name and by a number for example."""
    try:
        return socket.getaddrinfo(*_host_and_port(one)) == socket.getaddrinfo(
            *_host_and_port(other)
        )
    except (OSError, RayClusterError):
        return False


def _host_and_port(address: str) -> tuple[str, int]:
    found = split_address(address)
    if found is None:
        raise RayUnreachableError(
            f"{address!r} is not the address of a Ray cluster: expected host:port, such as "
            "10.0.0.5:6379, 'auto' for the cluster that runs on this machine, or nothing for a "
            "new one on this machine."
        )
    return found


def _connect_to(ray: Any, address: str, seconds: float) -> None:
    if address != RUNNING_HERE:
        host, port = _host_and_port(address)
        try:
            socket.create_connection((host, port), timeout=min(seconds, _SECONDS_TO_REACH)).close()
        except OSError as error:
            raise _unreachable(address, f"{error.strerror or error}") from error
    # In a thread of its own: Ray waits long for what accepts connections and does not answer.
    _within(seconds, address, lambda: ray.init(address=address, **_quiet()))


def _start(ray: Any, cpus: int | None, object_store_bytes: int) -> None:
    # In this thread: Ray's processes end with the thread that started them.
    with _signal_handlers_kept():
        ray.init(
            address="local",
            num_cpus=cpus,
            object_store_memory=object_store_bytes,
            include_dashboard=False,
            **_quiet(),
        )


def _quiet() -> dict[str, Any]:
    # What tasks print would come in between, behind a prefix; errors come with results.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    return {"logging_level": logging.ERROR, "log_to_driver": False}


@contextmanager
def _signal_handlers_kept() -> Iterator[None]:
    """Gives back the handler of SIGTERM, in whose place Ray sets its own."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, handler)


def _within(seconds: float, address: str, connect: Callable[[], object]) -> None:
    outcome: list[BaseException] = []

    def run() -> None:
        try:
            connect()
        except BaseException as error:
            outcome.append(error)

    thread = threading.Thread(target=run, name="ray-connect", daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        raise _unreachable(address, f"no answer of a Ray cluster within {seconds:g} s")
    if outcome:
        raise _explained(outcome[0], address) from outcome[0]


def _explained(error: BaseException, address: str) -> BaseException:
    words = " ".join(str(error).split())
    if "Version mismatch" in words:
        return RayVersionError(
            f"The Ray cluster at {address} and this process are not of the same versions. {words} "
            "Install the same Ray and the same Python on all machines and here."
        )
    if isinstance(error, (ConnectionError, OSError, RuntimeError, ValueError)):
        return _unreachable(address, words)
    return error


def _unreachable(address: str, cause: str) -> RayUnreachableError:
    where = "on this machine" if address == RUNNING_HERE else f"at {address}"
    return RayUnreachableError(
        f"There is no Ray cluster {where} that this process could join: {cause}. `ray status "
        f"--address {address}` tells whether it runs. The address is that of the cluster's head "
        "(port 6379, not 10001, which is Ray Client's), and the process that joins runs on a "
        "machine of the cluster."
    )
