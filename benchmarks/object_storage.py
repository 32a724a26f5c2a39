"""Files up to an object store and down again: `storage.transfer` beside obstore alone.

One large file and many small ones go up and come down by turns, to moto's S3 server on loopback
and to `memory://`, which is files in shared memory: there is no network to hide behind. obstore
alone is its own put and stream with its own settings, for the small files in as many threads as
ours. What comes down through `transfer` is checked (CRC32C), the other is not.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import google_crc32c
from measuring import REPOSITORY, Figure, describe

from trainwright.storage import objects
from trainwright.storage.stores import open_store
from trainwright.storage.transfer import download_tree, upload_tree

sys.path.insert(0, os.path.join(REPOSITORY, "tests"))
from object_store import ObjectStore

AIM = 0.9
_MEGABYTE = 1 << 20
_THREADS = 8


def run(quick: bool) -> list[Figure]:
    sets = {
        "one large file": {"large": (16 if quick else 128) * _MEGABYTE},
        "files of 16 KB": {f"{n:04}": 16 << 10 for n in range(40 if quick else 200)},
    }
    times = 2 if quick else 5
    figures = []
    with ObjectStore() as server:
        os.environ.update(server.environment)
        for place in (f"memory://benchmark-{os.getpid()}", f"s3://{server.create_bucket()}"):
            for what, files in sets.items():
                with tempfile.TemporaryDirectory() as directory:
                    figures += _figures(place, what, files, directory, times)
            objects.remove_tree(place)
    return figures


def _figures(
    place: str, what: str, files: dict[str, int], directory: str, times: int
) -> list[Figure]:
    source = os.path.join(directory, "source")
    checksums = _write(source, files)
    total = sum(files.values())
    seconds: dict[str, list[float]] = {}
    for number in range(times + 1):  # the first time warms up
        down = os.path.join(directory, str(number))
        steps: dict[str, Callable[[], None]] = {
            "alone up": lambda: _upload_alone(source, f"{place}/alone", files),
            "ours up": lambda: upload_tree(source, f"{place}/ours", files),
            "alone down": lambda to=f"{down}a": _download_alone(f"{place}/alone", to, files),
            "ours down": lambda to=f"{down}b": download_tree(  # type: ignore[misc]
                f"{place}/ours", to, files, checksums, in_place=True
            ),
        }
        for name, step in steps.items():
            began = time.perf_counter()
            step()
            if number:
                seconds.setdefault(name, []).append(time.perf_counter() - began)
    scheme = place.partition(":")[0]
    return [
        _figure(f"{scheme}: {what}, {way}", total, seconds[f"ours {way}"], seconds[f"alone {way}"])
        for way in ("up", "down")
    ]


def _figure(what: str, total: int, ours: list[float], alone: list[float]) -> Figure:
    """The best of each counts: other load on the machine only ever adds to a time."""
    ratios = [b / a for a, b in zip(ours, alone, strict=True)]
    rate = total / _MEGABYTE / min(ours)
    return Figure(
        what=f"{what}, beside obstore alone",
        value=min(alone) / min(ours),
        unit="of its rate",
        aim=AIM,
        is_floor=True,
        remark=f"{rate:,.0f} MB/s; side by side {describe(ratios)}",
    )


def _write(directory: str, files: dict[str, int]) -> dict[str, int]:
    os.makedirs(directory)
    checksums = {}
    for name, size in files.items():
        content = os.urandom(size)
        Path(directory, name).write_bytes(content)
        checksums[name] = google_crc32c.value(content)
    return checksums


def _upload_alone(source: str, uri: str, files: dict[str, int]) -> None:
    import obstore

    store, prefix = open_store(uri, bulk=True)

    def put(name: str) -> None:
        obstore.put(store, f"{prefix}/{name}", Path(source, name))

    _in_threads(put, files)


def _download_alone(uri: str, directory: str, files: dict[str, int]) -> None:
    import obstore

    store, prefix = open_store(uri, bulk=True)
    os.makedirs(directory)

    def get(name: str) -> None:
        with open(os.path.join(directory, name), "wb") as file:
            for piece in obstore.get(store, f"{prefix}/{name}").stream():
                file.write(piece)

    _in_threads(get, files)


def _in_threads(action: Callable[[str], Any], names: dict[str, int]) -> None:
    with ThreadPoolExecutor(_THREADS) as pool:
        list(pool.map(action, names))
