"""AnalyzerCache: what analyzers have gathered from a dataset, for the next time it is analyzed.

An entry belongs to the content of a dataset and to how an analyzer reads it. A preprocessing
function that computes an input of the analyzer otherwise, and a file that has changed, have other
entries. It is a directory for each dataset, with a file for each analyzer.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import cloudpickle
import tensorflow_transform as tft

from trainwright._paths import is_remote
from trainwright.storage import objects
from trainwright.transform.accumulations import Accumulation

# Raised when the same data would give other accumulators, or other bytes of them.
_VERSION = 3

_BLOCK_BYTES = 1 << 20


@dataclass(frozen=True)
class Dataset:
    """Files that are analyzed together, and remembered together.

    Args:
        name: What messages call it.
        paths: The files, in the order in which they are read.
        decoder_paths: The files of the DataView that decodes them, if there is one.
    """

    name: str
    paths: Sequence[str]
    decoder_paths: Sequence[str] = ()


class AnalyzerCache:
    """Reads entries of earlier analyses and writes those of this one.

    Args:
        earlier: Directories that earlier analyses have written.
        directory: Where this one writes.
    """

    def __init__(self, earlier: Iterable[str], directory: str) -> None:
        self._earlier = list(earlier)
        self._directory = directory
        self._digests: dict[str, str] = {}

    def find(self, dataset: Dataset, entry: str) -> bytes | None:
        """What an earlier analysis has gathered; it is kept for the next."""
        for directory in self._earlier:
            path = os.path.join(directory, self._digest(dataset), entry)
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    data = file.read()
                self.put(dataset, entry, data)
                return data
        return None

    def put(self, dataset: Dataset, entry: str, data: bytes) -> None:
        """Remembers what was gathered."""
        directory = os.path.join(self._directory, self._digest(dataset))
        os.makedirs(directory, exist_ok=True)
        with open(os.path.join(directory, entry), "wb") as file:
            file.write(data)

    def _digest(self, dataset: Dataset) -> str:
        if dataset.name not in self._digests:
            self._digests[dataset.name] = _digest_files([*dataset.paths, *dataset.decoder_paths])
        return self._digests[dataset.name]


def entry_name(accumulation: Accumulation, paths: Mapping[str, bytes | None]) -> str | None:
    """What identifies an analyzer and its input; None if tf.Transform cannot tell how the input is
    computed.

    Args:
        accumulation: What the analyzer gathers.
        paths: For each tensor, a hash of how it is computed.
    """
    hashes = [paths[key] for key in accumulation.keys]
    digest = hashlib.sha256(f"{_VERSION} {tft.__version__}".encode())
    for path in hashes:
        if path is None:
            return None
        digest.update(path)
    digest.update(cloudpickle.dumps(accumulation.arithmetic()))
    return digest.hexdigest()


def _digest_files(paths: Sequence[str]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        if is_remote(path):
            # Its store's tag of the content: the passes that read it may be elsewhere.
            facts = objects.stat(path)
            digest.update(f"{facts and (facts.etag, facts.size)}".encode())
            continue
        digest.update(os.path.getsize(path).to_bytes(8, "little"))
        with open(path, "rb") as file:
            while block := file.read(_BLOCK_BYTES):
                digest.update(block)
    return digest.hexdigest()
