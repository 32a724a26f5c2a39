"""Analyzers that a user wrote as Beam transforms."""

from __future__ import annotations

import os
from typing import Any

import apache_beam as beam
import numpy as np
import tensorflow_transform as tft
import tensorflow_transform.beam as tft_beam


class MeanPerKey(beam.PTransform):
    """The keys and the mean of the values of each, in the order of the keys."""

    def expand(self, pcoll: Any) -> Any:
        def extract(pairs: list[tuple[bytes, float]]) -> list[Any]:
            keys, means = zip(*sorted(pairs), strict=True)
            return [
                beam.pvalue.TaggedOutput("keys", np.array(keys)),
                beam.pvalue.TaggedOutput("means", np.array(means, np.float32)),
            ]

        outputs = (
            pcoll
            | beam.FlatMap(lambda arrays: list(zip(*(a.tolist() for a in arrays), strict=True)))
            | beam.CombinePerKey(beam.combiners.MeanCombineFn())
            | beam.combiners.ToList()
            | beam.FlatMap(extract).with_outputs("keys", "means")
        )
        return outputs["keys"], outputs["means"]


class Bounds(beam.PTransform):
    """The least and the largest value, as what `with_outputs` returns.

    Args:
        main: The output that is the main one and so comes first; none if None.
    """

    def __init__(self, main: str | None = None) -> None:
        super().__init__()
        self._main = main

    def expand(self, pcoll: Any) -> Any:
        main = self._main

        def extract(values: list[int]) -> Any:
            for tag, bound in (("least", min(values)), ("largest", max(values))):
                array = np.array(bound, np.int64)
                yield array if tag == main else beam.pvalue.TaggedOutput(tag, array)

        others = [tag for tag in ("least", "largest") if tag != main]
        return (
            pcoll
            | beam.FlatMap(lambda arrays: arrays[0].tolist())
            | beam.combiners.ToList()
            | beam.FlatMap(extract).with_outputs(*others, main=main)
        )


class _SumBatches(beam.PTransform):
    def expand(self, pcoll: Any) -> Any:
        return pcoll | beam.Map(lambda arrays: int(np.sum(arrays[0]))) | beam.CombineGlobally(sum)


class _SumSums(beam.PTransform):
    def expand(self, pcoll: Any) -> Any:
        return pcoll | beam.CombineGlobally(sum)


class _Extract(beam.PTransform):
    def expand(self, pcoll: Any) -> Any:
        return pcoll | beam.Map(lambda total: np.array(total, np.int64))


def cacheable_sum() -> Any:
    """A sum, in the parts that tf.Transform's cache wants."""
    return tft.experimental.CacheablePTransformAnalyzer(
        make_accumulators_ptransform=_SumBatches(),
        merge_accumulators_ptransform=_SumSums(),
        extract_output_ptransform=_Extract(),
        cache_coder=tft.experimental.SimpleJsonPTransformAnalyzerCacheCoder(),
    )


class WriteKeys(tft_beam.experimental.PTransformAnalyzer):
    """Writes the different keys into a file of its own, in order."""

    def expand(self, pcoll: Any) -> Any:
        path = os.path.join(self.base_temp_dir, "keys_of_beam")

        def write(keys: list[bytes]) -> np.ndarray:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.writelines(key + b"\n" for key in sorted(keys))
            return np.array(path)

        return (
            pcoll
            | beam.FlatMap(lambda arrays: arrays[0].tolist())
            | beam.Distinct()
            | beam.combiners.ToList()
            | beam.Map(write)
        )
