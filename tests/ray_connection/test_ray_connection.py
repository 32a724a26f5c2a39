"""Connecting to a Ray cluster, and each way in which it goes wrong."""

import json
import re
import subprocess
import sys

import pytest
from ray_cluster import HEALTH_CHECKS, NODES

from trainwright.orchestration.ray_dag_runner import RayDagRunner, RaySettings
from trainwright.ray_cluster import connection
from trainwright.ray_cluster.errors import (
    RayResourcesError,
    RayUnreachableError,
    RayVersionError,
)
from trainwright.ray_cluster.versions import check_version


def test_connects_once_and_says_what_the_cluster_is(ray_cluster):
    finished = ray_cluster.run(
        """
        import json, signal, sys
        from trainwright.ray_cluster.connection import connect, disconnect

        address = sys.argv[1]
        handler = signal.getsignal(signal.SIGTERM)
        cluster = connect(address)
        facts = {
            "same": connect(address) is cluster and connect("auto") is cluster,
            "by name": connect(address.replace("127.0.0.1", "localhost")) is cluster,
            "here": cluster.is_on_this_machine,
            "nodes": sum(node["Alive"] for node in cluster.ray.nodes()),
            "handler": signal.getsignal(signal.SIGTERM) is handler,
        }
        try:
            connect("127.0.0.1:1")
        except RuntimeError as error:
            facts["other"] = str(error)
        cluster.check_resources({"CPU": 2}, "A task")
        try:
            cluster.check_resources({"CPU": 1, "GPU": 1}, "The node 'Trainer'")
        except ValueError as error:
            facts["resources"] = str(error)
        disconnect()
        facts["again"] = connect(address) is not cluster
        print(json.dumps(facts))
        """,
        ray_cluster.address,
    )
    facts = json.loads(finished.stdout.splitlines()[-1])
    assert facts.pop("nodes") >= NODES
    assert f"connected to the Ray cluster at {ray_cluster.address}" in facts.pop("other")
    assert (
        "The node 'Trainer' needs 1 CPU and 1 GPU, and no node of the Ray cluster"
        in (facts["resources"])
    )
    # Other tests may have added a node of 4 to the cluster.
    assert re.search("is [24] CPUs and 0 GPUs. Ask for less", facts.pop("resources"))
    assert facts == {"same": True, "by name": True, "here": True, "handler": True, "again": True}


class Nodes:
    """As much of Ray as says what the nodes of a cluster have."""

    def __init__(self, *resources):
        self._resources = resources

    def nodes(self):
        return [{"Alive": True, "Resources": has} for has in self._resources] + [
            {"Alive": False, "Resources": {"CPU": 100.0, "GPU": 100.0}}
        ]


@pytest.mark.parametrize(
    ("needed", "room"),
    [
        ({"CPU": 2}, 3),
        ({"CPU": 1, "GPU": 0.25}, 5),
        ({"GPU": 0.1}, 20),
        ({"CPU": 1, "memory": 3 << 30}, 2),
        ({}, None),
    ],
)
def test_how_many_processes_of_a_group_find_room(needed, room):
    """Each on one node that is alive: what is left over of several adds up to none."""
    ray = Nodes({"CPU": 3.0, "memory": 4 << 30}, {"CPU": 5.0, "GPU": 2.0, "memory": 5 << 30})
    cluster = connection.RayCluster(ray=ray, address="head:6379", is_on_this_machine=True)
    if room is None:
        cluster.check_resources(needed, "The node 'a'", processes=1000)
        return
    cluster.check_resources(needed, "The node 'a'", processes=room)
    with pytest.raises(RayResourcesError) as refused:
        cluster.check_resources(needed, "The node 'a'", processes=room + 1)
    assert (
        f"for each of {room + 1} processes, and the Ray cluster at head:6379 has room for {room} "
        "of them in all"
    ) in str(refused.value)


def test_a_password_in_an_address_is_refused_and_not_shown():
    for refuse in (connection.connect, RayDagRunner, lambda address: RaySettings(address=address)):
        with pytest.raises(ValueError, match="has an '@': expected host:port alone") as info:
            refuse("user:SECRET@127.0.0.1:6379")
        assert "SECRET" not in str(info.value)


def test_an_address_that_does_not_answer_is_told_in_time(ray_cluster):
    finished = ray_cluster.run(
        """
        import socket, time
        from trainwright.ray_cluster.connection import connect
        from trainwright.ray_cluster.errors import RayUnreachableError

        silent = socket.create_server(("127.0.0.1", 0))
        closed = socket.create_server(("127.0.0.1", 0))
        ports = [silent.getsockname()[1], closed.getsockname()[1]]
        closed.close()
        for port in ports:
            started = time.monotonic()
            try:
                connect(f"127.0.0.1:{port}", seconds=3)
            except RayUnreachableError as error:
                print("told:", error)
            assert time.monotonic() - started < 30
        """
    )
    silent, closed = (line for line in finished.stdout.splitlines() if line.startswith("told:"))
    assert "no answer of a Ray cluster within 3 s. `ray status --address 127.0.0.1:" in silent
    assert "could join: Connection refused." in closed


def test_an_address_of_another_shape_is_refused():
    for address in ("10.0.0.5", "host:port", ":6379", "host:70000"):
        with pytest.raises(RayUnreachableError, match=r"expected host:port, such as 10\.0\.0\.5"):
            connection.connect(address)


@pytest.mark.parametrize(
    ("theirs", "words"),
    [("0.0.1", "has Trainwright 0.0.1, and this"), (None, r"has no Trainwright \(/opt/python\)")],
)
def test_another_trainwright_in_the_cluster_is_refused(theirs, words):
    facts = {"trainwright": theirs, "python": "/opt/python"}
    with pytest.raises(RayVersionError, match=f"^worker-3, a node .*{words}.*pip|{words}"):
        check_version(facts, "worker-3", "10.0.0.5:6379")


def test_another_python_or_ray_is_told_as_such():
    words = "Version mismatch: The cluster was started with:\n    Ray: 2.9.0\n    Python: 3.9.1\n"
    told = connection._explained(RuntimeError(words), "10.0.0.5:6379")
    assert isinstance(told, RayVersionError)
    assert "Ray: 2.9.0 Python: 3.9.1 Install the same Ray" in str(told)


def test_without_ray_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'trainwright\[ray\]'"):
        connection.connect("127.0.0.1:6379")


def test_nothing_imports_ray_before_it_is_used():
    program = "import sys, trainwright.ray_cluster.connection as c; sys.exit('ray' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0


def test_a_killed_node_is_noticed_soon(ray_cluster):
    assert HEALTH_CHECKS["health_check_period_ms"] == 500
    node = ray_cluster.add_node(resources={"doomed": 1})
    try:
        finished = ray_cluster.run(
            """
            import os, signal, sys, time
            from trainwright.ray_cluster.connection import connect

            ray = connect(sys.argv[1]).ray
            for pid in map(int, sys.argv[2:]):
                os.kill(pid, signal.SIGKILL)
            started = time.monotonic()
            while "doomed" in ray.cluster_resources() and time.monotonic() - started < 30:
                time.sleep(0.1)
            print("noticed after", time.monotonic() - started)
            """,
            ray_cluster.address,
            *map(str, node.pids),
        )
    finally:
        ray_cluster.remove_node(node)
    # Ray may print of the same, before or after.
    [seconds] = re.findall("^noticed after (.*)$", finished.stdout, re.M)
    assert float(seconds) < 10
