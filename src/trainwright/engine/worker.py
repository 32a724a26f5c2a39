"""The worker process of every engine: it builds passes and runs them over shards.

It is the child of the engine's process, or of a process of Ray or Beam that hosts it. What it is
told is a job, a pass and what to do with it, and then one shard after the other.
"""

from __future__ import annotations

import importlib
import os
import socket
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from trainwright._autograph_files import keep_autograph_files_of_node
from trainwright.engine.packing import pack, unpack
from trainwright.engine.passes import AccumulatingPass, Pass, PassSpec, ReportUnits, Shard
from trainwright.engine.shard_files import expecting, reading_copies
from trainwright.processes.tasks import DoTask, serve_tasks
from trainwright.storage.held_directories import held_temporary

# What a job may ask for beside a pass over shards.
MERGE = "merge"
# The shard's files travel with it: those that it reads in its data, those that it writes in its
# result.
CARRY = "carry"


def main(sock: socket.socket, preload: Sequence[str] = ()) -> None:
    """Imports modules and processes shards until the engine closes its end of the socket."""
    keep_autograph_files_of_node()
    for module in preload:
        importlib.import_module(module)
    serve_tasks(sock, _open_pass)


def merge_job(spec: PassSpec) -> dict[str, Any]:
    """The job whose tasks are packed accumulators that become one."""
    return {**spec.to_json(), "do": MERGE}


def carry_job(spec: PassSpec) -> dict[str, Any]:
    """The job whose shards are made by `carried_data` and whose results `carried_result` reads."""
    return {**spec.to_json(), "do": CARRY}


def _open_pass(job: Mapping[str, Any]) -> DoTask:
    built = PassSpec.from_json(job).build()
    if job.get("do") == MERGE:
        assert isinstance(built, AccumulatingPass)
        merged = built

        def merge(config: dict[str, Any], data: bytes, report: ReportUnits) -> bytes:
            return merged.merge_serialized(unpack(data)[1])

        return merge
    if job.get("do") == CARRY:

        def carry(config: dict[str, Any], data: bytes, report: ReportUnits) -> bytes:
            return _run_carried(built, Shard.from_json(config), data, report)

        return carry

    def run(config: dict[str, Any], data: bytes, report: ReportUnits) -> bytes:
        shard = Shard.from_json(config, data)
        with expecting(shard.contents):
            return built.run(shard, report)

    return run


def carried_data(shard: Shard) -> bytes:
    """The data of a shard, and the files that it reads as far as they are on this disk."""
    paths = [str(shard.config[key]) for key in shard.reads]
    here = [path for path in dict.fromkeys(paths) if os.path.isfile(path)]
    blobs = [bytes(shard.packed_data)]
    for path in here:
        with open(path, "rb") as file:
            blobs.append(file.read())
    return pack(here, blobs)


def carried_result(shard: Shard, data: bytes) -> bytes:
    """What the pass gave for a shard; the files that it wrote are put where they belong."""
    if not shard.writes:
        return data
    files, (result, *blobs) = unpack(data)
    for (number, relative), blob in zip(files, blobs, strict=True):
        home = os.path.dirname(os.path.abspath(shard.config[shard.writes[number]]))
        path = os.path.abspath(os.path.join(home, relative))
        if os.path.commonpath([home, path]) != home:
            raise ValueError(f"{shard.name} came with a file for {path}, which is not in {home}.")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(blob)
    return result


def _run_carried(built: Pass, shard: Shard, data: bytes, report: ReportUnits) -> bytes:
    paths, (own, *files) = unpack(data)
    with held_temporary("trainwright-shard-") as directory:
        copies = {}
        for number, (path, blob) in enumerate(zip(paths, files, strict=True)):
            # Its name's ending may say how it is read.
            copies[path] = os.path.join(directory, "reads", str(number), os.path.basename(path))
            os.makedirs(os.path.dirname(copies[path]))
            with open(copies[path], "wb") as file:
                file.write(blob)
        config = dict(shard.config)
        places = []
        for number, key in enumerate(shard.writes):
            places.append(os.path.join(directory, "writes", str(number)))
            os.makedirs(places[-1])
            config[key] = os.path.join(places[-1], os.path.basename(os.path.normpath(config[key])))
        with reading_copies(copies), expecting(shard.contents):
            result = built.run(replace(shard, config=config, data=own), report)
        if not shard.writes:
            return result
        written = [
            (number, os.path.relpath(path, place))
            for number, place in enumerate(places)
            for path in _files_below(place)
        ]
        blobs = [result]
        for number, relative in written:
            with open(os.path.join(places[number], relative), "rb") as file:
                blobs.append(file.read())
        return pack(written, blobs)


def _files_below(directory: str) -> Iterator[str]:
    for parent, directories, names in os.walk(directory):
        directories.sort()
        yield from (os.path.join(parent, name) for name in sorted(names))
