"""Resources that nodes ask for, and how many run side by side on this machine."""

from __future__ import annotations

import time

import pytest

from trainwright import LocalDagRunner, OutputDict, Parameter, Pipeline, component
from trainwright.dsl.node_options import NodeOptions
from trainwright.dsl.node_resources import NodeResources
from trainwright.orchestration.events import RunEventKind
from trainwright.orchestration.launching.machine_room import Room, room_for, room_of_machine


@component
def wait(seconds: Parameter[float]) -> OutputDict(waited=float):
    time.sleep(seconds)
    return {"waited": seconds}


@pytest.mark.parametrize(
    ("resources", "message"),
    [
        ({"cpus": 0}, "cpus of with_resources is 0: expected more than 0"),
        ({"cpus": "4"}, "cpus of with_resources is '4': expected a number"),
        ({"gpus": 1.5}, "gpus of with_resources is 1.5: expected a fraction of a GPU, or"),
        ({"gpus": -1}, "gpus of with_resources is -1: expected 0 or more"),
        ({"memory": "8Gi"}, "memory of with_resources, in bytes, is '8Gi': expected an integer"),
    ],
)
def test_resources_that_make_no_sense_are_refused(resources, message):
    with pytest.raises((TypeError, ValueError), match=message):
        wait(seconds=0.0).with_resources(**resources)


def test_resources_are_said_of_each_process_and_can_be_written_down():
    node = wait(seconds=0.0).with_resources(cpus=2, gpus=1, memory=1 << 30)
    assert str(node.options.resources) == "2 CPUs, 1 GPU and 1 GiB of memory"
    assert type(node).from_json_dict(node.to_json_dict()).options == node.options
    assert room_for(node) == Room(cpus=2, gpus=1, memory=1 << 30)
    assert room_for(wait(seconds=0.0)) == Room(cpus=1)


def test_resources_are_no_part_of_the_cache_key(tmp_path):
    def run(**resources):
        node = wait(seconds=0.0).with_id("a")
        node.options = NodeOptions(resources=NodeResources(**resources))
        pipeline = Pipeline("p", str(tmp_path / "root"), components=[node], enable_cache=True)
        return LocalDagRunner(observer=lambda event: None).run(pipeline)

    assert run(cpus=1).states["a"].value == "complete"
    assert run(cpus=3).states["a"].value == "cached"


@pytest.mark.parametrize(("cpus", "most"), [(3, 1), (9, 1), (1, 2)])
def test_nodes_share_the_processors_of_a_local_run(tmp_path, cpus, most):
    running, counts = set(), []

    def observe(event):
        if event.kind is RunEventKind.NODE_STARTED:
            running.add(event.node)
            counts.append(len(running))
        running.difference_update([event.node] if event.kind is RunEventKind.NODE_COMPLETED else [])

    nodes = [wait(seconds=0.5).with_id(name).with_resources(cpus=cpus) for name in "ab"]
    pipeline = Pipeline("p", str(tmp_path / "root"), components=nodes)
    LocalDagRunner(observer=observe, max_parallel=4).run(pipeline)
    assert max(counts) == most


def test_memory_and_gpus_of_this_machine_are_shared(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0,1")
    machine = room_of_machine(8)
    assert (machine.cpus, machine.gpus) == (8, 2)
    assert machine.memory > 1 << 28
    assert Room(gpus=1).fits(machine, [Room(gpus=1)])
    assert not Room(gpus=1).fits(machine, [Room(gpus=2)])
    assert not Room(memory=machine.memory).fits(machine, [Room(memory=1.0)])
    assert Room(memory=2 * machine.memory).fits(machine, [])  # rather than never
