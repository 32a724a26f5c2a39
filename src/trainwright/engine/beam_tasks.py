"""What a Beam worker runs for BeamEngine: functions that Beam knows by their names.

Elements of the pipeline are numbers. What a shard is and what becomes of it lies in an `Exchange`:

    tasks/<shard>               a task as JSON and its data, packed
    files/<digest>              what passes need
    open                        there as long as the caller waits
    begun/<process>             there since a worker has begun
    done-<level>/<number>       an `Outcome` as JSON, written after
    out-<level>/<number>        the result; level 0 are shards, those above groups of the one below
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterable

from trainwright.engine.exchange import Exchange
from trainwright.engine.hosting import HostedTask, Outcome, run_hosted
from trainwright.engine.merging import FAN_IN
from trainwright.engine.packing import pack, unpack

OPEN = "open"
MERGE_TASK = "merge"


def done_name(level: int, number: int) -> str:
    """Where the outcome of a shard or group is."""
    return f"done-{level}/{number}"


def out_name(level: int, number: int) -> str:
    """Where the result of a shard or group is."""
    return f"out-{level}/{number}"


def process_shard(number: int, place: str) -> tuple[int, int]:
    """Processes a shard, if it is not done; gives its group and its number."""
    exchange = Exchange(place)
    if _is_wanted(exchange, 0, number):
        exchange.write(f"begun/{socket.gethostname()}-{os.getpid()}", b"")
        packed = exchange.read(f"tasks/{number}")
        assert packed is not None
        task, [data] = unpack(packed)
        _do(exchange, HostedTask(**task), data, 0, number)
    return number // FAN_IN, number


def merge_group(group: tuple[int, Iterable[int]], place: str, level: int) -> tuple[int, int]:
    """Merges a group of the level below, if all of it is done; gives the next group and its number.

    What is not done the caller hears from that itself.
    """
    number, members = group[0], sorted(group[1])
    exchange = Exchange(place)
    if _is_wanted(exchange, level, number):
        results = [exchange.read(out_name(level - 1, member)) for member in members]
        task = exchange.read(MERGE_TASK)
        if task is not None and all(result is not None for result in results):
            data = pack(None, [result for result in results if result is not None])
            _do(exchange, HostedTask(**json.loads(task)), data, level, number)
    return number // FAN_IN, number


def _is_wanted(exchange: Exchange, level: int, number: int) -> bool:
    # Beam may try again what another worker is done with, or what nobody waits for any more.
    return exchange.read(OPEN) is not None and exchange.read(done_name(level, number)) is None


def _do(exchange: Exchange, task: HostedTask, data: bytes, level: int, number: int) -> None:
    def fetch(digest: str) -> bytes:
        found = exchange.read(f"files/{digest}")
        if found is None:
            raise FileNotFoundError(f"{exchange.place} has no files/{digest} any more.")
        return found

    outcome, result = run_hosted(task, data, fetch)
    if exchange.read(OPEN) is None:
        return
    if not outcome.failure:
        exchange.write(out_name(level, number), result)
    exchange.write(done_name(level, number), outcome.to_json().encode())


def read_outcome(exchange: Exchange, level: int, number: int) -> Outcome | None:
    """What became of a shard or group; None if that is not known yet."""
    text = exchange.read(done_name(level, number))
    return None if text is None else Outcome.from_json(text.decode())
