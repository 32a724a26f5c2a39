"""Functions that a Beam worker runs for BeamEngine; Beam knows them by their names.

Elements of the pipeline are numbers. The pass comes with the functions, because there may be
something pickled in it, which nobody takes from a file. What a shard is and what becomes of it lies
in an `Exchange`:

    tasks/<shard>               the shard as JSON and its data, packed
    files/<digest>              what passes need
    open                        there as long as the caller waits
    begun/<level>-<number>      there since a worker has begun that
    done-<level>/<number>       an `Outcome` as JSON, written after
    out-<level>/<number>        the result; level 0 are shards, those above groups of the one below
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from trainwright.engine.hosted.hosting import HostedTask, Outcome, run_hosted
from trainwright.engine.merging import FAN_IN
from trainwright.engine.on_beam.exchange import OPEN, Exchange
from trainwright.engine.packing import pack, unpack


def begun_name(level: int, number: int) -> str:
    """What is there since a worker has begun a shard or group."""
    return f"begun/{level}-{number}"


def done_name(level: int, number: int) -> str:
    """Where the outcome of a shard or group is."""
    return f"done-{level}/{number}"


def out_name(level: int, number: int) -> str:
    """Where the result of a shard or group is."""
    return f"out-{level}/{number}"


def process_shard(number: int, place: str, key: str, common: str) -> tuple[int, int]:
    """Processes a shard, if it is not done; gives its group and its number.

    Args:
        number: Of the shard.
        place: Of the exchange.
        key: Of the exchange.
        common: The `HostedTask` that all shards have in common, as JSON.
    """
    exchange = Exchange(place, key)
    if _is_wanted(exchange, 0, number):
        exchange.write(begun_name(0, number), b"")
        packed = exchange.read(f"tasks/{number}")
        assert packed is not None
        shard, [data] = unpack(packed)
        task = replace(HostedTask.from_json(common), name=shard["name"], config=shard)
        _do(exchange, task, data, 0, number)
    return number // FAN_IN, number


def merge_group(
    group: tuple[int, Iterable[int]], place: str, key: str, merging: str, level: int
) -> tuple[int, int]:
    """Merges a group of the level below, if all of it is done; gives the next group and its number.

    What is not done the caller hears from that itself.

    Args:
        group: Its number, and those of its members.
        place: Of the exchange.
        key: Of the exchange.
        merging: The `HostedTask` of all merging, as JSON.
        level: Of the group.
    """
    number, members = group[0], sorted(group[1])
    exchange = Exchange(place, key)
    if _is_wanted(exchange, level, number):
        results = [exchange.read(out_name(level - 1, member)) for member in members]
        if all(result is not None for result in results):
            exchange.write(begun_name(level, number), b"")
            data = pack(None, [result for result in results if result is not None])
            _do(exchange, HostedTask.from_json(merging), data, level, number)
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

    outcome, result = run_hosted(task, data, fetch, owner=exchange.place)
    if exchange.read(OPEN) is None:
        return
    if not outcome.failure:
        exchange.write(out_name(level, number), result)
    exchange.write(done_name(level, number), outcome.to_json().encode())


def read_begun(exchange: Exchange) -> list[tuple[int, int]]:
    """The levels and numbers of what was begun, in that order."""
    parts = [name.split("-") for name in exchange.names("begun")]
    return [(int(part[0]), int(part[1])) for part in parts if _are_numbers(part, 2)]


def read_done(exchange: Exchange, levels: int) -> set[tuple[int, int]]:
    """The levels and numbers of what has an outcome."""
    return {
        (level, int(name))
        for level in range(levels + 1)
        for name in exchange.names(f"done-{level}")
        if _are_numbers([name], 1)
    }


def _are_numbers(parts: Sequence[str], count: int) -> bool:
    # Not those of what is being written, and of what others have put there.
    return len(parts) == count and all(part.isdecimal() and part.isascii() for part in parts)


def read_outcome(exchange: Exchange, level: int, number: int) -> Outcome | None:
    """What became of a shard or group; None if that is not known yet."""
    text = exchange.read(done_name(level, number))
    return None if text is None else Outcome.from_json(text.decode())
