"""A pipeline of numbers, some of whose nodes take their time or crash."""

from __future__ import annotations

import ctypes
import json
import os
import random
import sys
import time
from pathlib import Path

from trainwright import (
    InputArtifact,
    OutputArtifact,
    OutputDict,
    Parameter,
    Pipeline,
    RayDagRunner,
    component,
)
from trainwright.metadata.connection import ConnectionConfig
from trainwright.types import standard_artifacts


def _actor() -> int:
    """The process of Ray above this one."""
    pid = os.getpid()
    while True:
        with open(f"/proc/{pid}/stat") as stat:
            pid = int(stat.read().rpartition(")")[2].split()[1])
        with open(f"/proc/{pid}/cmdline") as command:
            if command.read().startswith("ray::"):
                return pid


@component
def number(value: Parameter[int]) -> OutputDict(result=int):
    print(f"the number is {value}", flush=True)
    return {"result": value}


@component
def add(a: int, b: int, seconds: Parameter[float] = 0.0, notes: Parameter[str] = "") -> OutputDict(
    result=int
):
    """Adds, and notes while it does so that it lives, and below which actor of Ray."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with open(os.path.join(notes, f"alive-{os.getpid()}-{_actor()}"), "a") as file:
            file.write(".")
        time.sleep(0.1)
    return {"result": a + b}


@component
def crash(how: Parameter[str]) -> OutputDict(result=int):
    print(f"about to {how}", flush=True)
    if how == "exit":
        os._exit(7)
    if how == "segfault":
        ctypes.string_at(0)
    return {"result": 0}


@component
def write(size: Parameter[int], model: OutputArtifact[standard_artifacts.Model]):
    """Makes files whose upload takes more than one request."""
    for number in range(3):
        Path(model.uri, f"part-{number}").write_bytes(random.Random(number).randbytes(size))


@component
def check(size: Parameter[int], model: InputArtifact[standard_artifacts.Model]):
    for number in range(3):
        content = Path(model.uri, f"part-{number}").read_bytes()
        assert content == random.Random(number).randbytes(size), f"part-{number} is not whole"


def create_pipeline(
    root: str,
    notes: str = "",
    seconds: float = 0.0,
    cpus: float = 1.0,
    crashes: str = "",
    size: int = 0,
    store: str = "",
) -> Pipeline:
    """The sums, and beside them files of this size, if there is one."""
    one, two = number(value=1).with_id("one"), number(value=2).with_id("two")
    values = {"a": one.outputs["result"], "b": two.outputs["result"]}
    total = add(**values, seconds=float(seconds), notes=notes).with_id("total")
    total.with_resources(cpus=float(cpus)).with_cache()
    last = add(a=total.outputs["result"], b=total.outputs["result"]).with_id("last")
    crashing = [crash(how=how).with_id(how) for how in crashes.split()]
    nodes = [one, two, total, last, *crashing]
    if size:
        written = write(size=int(size))
        nodes += [written, check(size=int(size), model=written.outputs["model"])]
    # The machines of a real cluster have credentials of their own.
    environment = {name: os.environ[name] for name in os.environ if name.startswith("AWS_")}
    for node in nodes if environment else []:
        node.with_environment(**environment)
    config = ConnectionConfig(url=store) if store else None
    return Pipeline("sums", root, config, nodes, enable_cache=True)


if __name__ == "__main__":
    options, arguments = map(json.loads, sys.argv[1:])
    RayDagRunner(**options).run(create_pipeline(**arguments))
