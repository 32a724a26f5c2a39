"""The vocabulary nodes of tf.Transform's graph: merge, prune, order and write."""

from __future__ import annotations

import hashlib
import heapq
import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow_transform import analyzers

from trainwright.data.tfrecord import open_gzip_writer
from trainwright.transform.mutual_information import SENTINELS, MutualInformation
from trainwright.transform.vocabulary_counts import VocabularyCounts
from trainwright.transform.vocabulary_entries import Entry, VocabularyEntries

_LINES_AT_ONCE = 10_000


def merge_vocabulary(
    operation: Any, accumulators: Sequence[VocabularyCounts], directory: str
) -> VocabularyEntries:
    """VocabularyMerge: what each token is ordered by, over all data."""
    first, *others = accumulators
    for other in others:
        first.merge(other)
    if not first.kind.is_informative:
        swapped = ([(value, token) for token, value in chunk] for chunk in first.chunks())
        return VocabularyEntries(swapped, directory)
    overall = next(
        (means for chunk in first.chunks() for token, means in chunk if token in SENTINELS), None
    )
    if overall is None:
        return VocabularyEntries([], directory)
    information = MutualInformation(
        overall,
        adjusted=operation.use_adjusted_mutual_info,
        min_diff_from_avg=operation.min_diff_from_avg,
    )
    chunks = (
        [(information.of(token, means), token) for token, means in chunk if token not in SENTINELS]
        for chunk in first.chunks()
    )
    return VocabularyEntries(chunks, directory)


def count_vocabulary(entries: VocabularyEntries) -> np.int64:
    """VocabularyCount: at least one, for an empty vocabulary gets a token that nothing equals."""
    count: np.int64 = np.int64(max(entries.count, 1))
    return count


def prune_vocabulary(
    operation: Any, entries: VocabularyEntries, directory: str
) -> VocabularyEntries:
    """VocabularyPrune: what is frequent or informative enough, the best of it, and for each key
    the best if the vocabulary is to cover the keys."""
    for name in (
        "top_k",
        "frequency_threshold",
        "coverage_top_k",
        "coverage_frequency_threshold",
    ):
        value = getattr(operation, name)
        if value is not None and value < 0:
            raise ValueError(f"A vocabulary was given {name}={value}: expected 0 or more, or None.")
    is_text = operation.input_dtype == "string"

    def chosen(frequency: float | None, informativeness: float) -> VocabularyEntries:
        return entries.map_chunks(
            lambda chunk: _choose(chunk, frequency or 0, informativeness, is_text)
        )

    kept = chosen(operation.frequency_threshold, operation.informativeness_threshold)
    if operation.top_k is not None:
        best = heapq.nlargest(operation.top_k, kept)
        kept = VocabularyEntries([best or [_dummy(operation.input_dtype)]], directory)
    if not operation.key_fn:
        return kept
    covering: Iterable[Entry] = chosen(
        operation.coverage_frequency_threshold, operation.coverage_informativeness_threshold
    )
    if operation.coverage_top_k is not None:
        covering = _best_of_each_key(covering, operation.key_fn, operation.coverage_top_k)
    return VocabularyEntries([list(dict.fromkeys(chain(kept, covering)))], directory)


def _choose(
    chunk: list[Entry], frequency: float, informativeness: float, is_text: bool
) -> list[Entry]:
    """The entries above the thresholds, each with one key and with its token as bytes."""
    chosen: list[Entry] = []
    for key, token in chunk:
        information, count = key if isinstance(key, tuple) else (None, key)
        if count < frequency or (information is not None and information < informativeness):
            continue
        ordered_by = count if information is None else information
        chosen.append((ordered_by, token if is_text else str(token).encode()))
    return chosen


def _best_of_each_key(
    entries: Iterable[Entry], key_fn: Callable[[Any], Any], number: int
) -> list[Entry]:
    by_key: defaultdict[Any, list[Entry]] = defaultdict(list)
    for value, token in entries:
        by_key[key_fn(token)].append((value, token))
    return [entry for group in by_key.values() for entry in heapq.nlargest(number, group)]


def write_vocabulary(
    operation: Any,
    entries: VocabularyEntries,
    reserved_tokens: Sequence[bytes] | None,
    directory: str,
) -> np.ndarray:
    """VocabularyOrderAndWrite: the file, whose path is the result."""
    path = os.path.join(directory, operation.vocab_filename)
    lines = _lines(operation, entries, reserved_tokens)
    if operation.file_format == "tfrecord_gzip":
        path += ".tfrecord.gz"
        with open_gzip_writer(path) as write:
            while batch := list(islice(lines, _LINES_AT_ONCE)):
                write(batch)
    else:
        with open(path, "wb") as file:
            file.writelines(line + b"\n" for line in lines)
    return np.array(path)


def _lines(
    operation: Any, entries: VocabularyEntries, reserved_tokens: Sequence[bytes] | None
) -> Iterator[bytes]:
    ordered = _order(operation, entries, reserved_tokens)
    for value, token in ordered:
        line = token if isinstance(token, bytes) else tf.compat.as_bytes(token)
        yield f"{value} ".encode() + line if operation.store_frequency else line


def _order(
    operation: Any, entries: VocabularyEntries, reserved_tokens: Sequence[bytes] | None
) -> Iterator[Entry]:
    if operation.input_is_sorted and reserved_tokens is None:
        yield from entries
        return
    if operation.fingerprint_shuffle:
        ordered = entries.sort(key=lambda entry: _fingerprint(entry[1]))
    else:
        ordered = entries.sort(reverse=True)
    reserved = list(reserved_tokens) if reserved_tokens is not None else []
    yield from ((-1, token) for token in reserved)
    taken = set(reserved)
    is_empty = not reserved
    for entry in ordered:
        if entry[1] not in taken:
            is_empty = False
            yield entry
    if is_empty:
        yield _dummy(operation.input_dtype)


def _fingerprint(token: bytes) -> bytes:
    return hashlib.sha1(token, usedforsecurity=False).digest()


def _dummy(dtype: str) -> Entry:
    """What an empty vocabulary contains, for TensorFlow cannot load an empty table."""
    entry: Entry = analyzers.get_empy_vocabulary_dummy_value(dtype)
    return entry
