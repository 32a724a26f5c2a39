"""FrequentTokens: about the most frequent tokens, for approximate vocabularies.

In place of tf.Transform's sketch, which keeps one or the other of tokens that are equally frequent
and differs from run to run. The algorithm is the same, that of Misra and Gries in the form that
merges (Agarwal et al., "Mergeable summaries", 2012), and so is the bound: no frequency is too high,
and none too low by more than what was dropped divided by the number of tokens that are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from tensorflow_transform import analyzer_nodes, analyzers
from tensorflow_transform.experimental import experimental_analyzers

from trainwright.engine.packing import pack, unpack

# More than anybody asks for: with fewer different tokens than these, frequencies are exact.
_LEAST_KEPT = 1 << 16

# The weights of tokens, integers among them as strings.
_Weights = dict[bytes, float]


class FrequentTokens(analyzer_nodes.Combiner):  # type: ignore[misc]
    """Does what tf.Transform's combiner for approximate vocabularies does.

    Args:
        combiner: tf.Transform's.
    """

    def __init__(self, combiner: Any) -> None:
        self._top_k: int = combiner._top_k
        self._input_dtype: str = combiner._input_dtype
        self._output_pylist: bool = combiner._output_pylist
        self._output_tensor_infos = combiner.output_tensor_infos()
        self._kept = max(self._top_k, _LEAST_KEPT)

    def create_accumulator(self) -> _Weights:
        return {}

    def add_input(self, accumulator: _Weights, batch_values: Sequence[np.ndarray]) -> _Weights:
        tokens, weights = batch_values
        texts = tokens.tolist()
        if self._input_dtype != "string":
            texts = [str(token).encode() for token in texts]
        self._add(accumulator, zip(texts, weights.astype(np.float32).tolist(), strict=True))
        return accumulator

    def merge_accumulators(self, accumulators: Iterable[_Weights]) -> _Weights:
        merged: _Weights = {}
        for accumulator in accumulators:
            self._add(merged, accumulator.items())
        return merged

    def _add(self, accumulator: _Weights, pairs: Iterable[tuple[bytes, float]]) -> None:
        for token, weight in pairs:
            accumulator[token] = accumulator.get(token, 0.0) + weight
        if len(accumulator) > 2 * self._kept:
            self._shrink(accumulator)

    def _shrink(self, accumulator: _Weights) -> None:
        """Subtracts the weight of the most frequent token that is one too many from all tokens."""
        excess = sorted(accumulator.values(), reverse=True)[self._kept]
        remaining = {
            token: weight - excess for token, weight in accumulator.items() if weight > excess
        }
        accumulator.clear()
        accumulator.update(remaining)

    def extract_output(self, accumulator: _Weights) -> Any:
        """The most frequent tokens, in an array with a row for each, after their frequencies."""
        ordered = sorted(((weight, token) for token, weight in accumulator.items()), reverse=True)
        entries = ordered[: self._top_k] or [
            analyzers.get_empy_vocabulary_dummy_value(self._input_dtype)
        ]
        rows = np.array([entries], dtype=object)
        return rows.tolist() if self._output_pylist else rows

    def output_tensor_infos(self) -> Any:
        return self._output_tensor_infos

    @property
    def accumulator_coder(self) -> Any:
        return _WeightsCoder()


class _WeightsCoder(analyzer_nodes.CacheCoder):  # type: ignore[misc]
    def encode_cache(self, cache: _Weights) -> bytes:
        return pack(list(cache.values()), list(cache))

    def decode_cache(self, encoded_cache: bytes) -> _Weights:
        weights, tokens = unpack(encoded_cache)
        return dict(zip(tokens, weights, strict=True))


def repeatable(combiner: Any) -> Any:
    """A combiner that gives the same in every run: our own if tf.Transform's does not."""
    if isinstance(combiner, experimental_analyzers._VocabularyCombiner):
        return FrequentTokens(combiner)
    return combiner
