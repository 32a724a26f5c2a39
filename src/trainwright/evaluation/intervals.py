"""Confidence intervals by the Poisson bootstrap.

A replicate counts each example as often as a Poisson distribution with mean 1 says, which is
what drawing as many examples as there are, with replacement, comes to. The draws depend on where
an example is and on nothing else, so that an evaluation can be repeated.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np

from trainwright.evaluation.computation import Integers
from trainwright.evaluation.results import BoundedValue

REPLICATES = 20

# The 97.5 % quantile of Student's t with 19 degrees of freedom, one fewer than the replicates.
_T_QUANTILE = 2.093024054408263


def draw_counts(shard_name: str, first_record: int, size: int) -> Integers:
    """How often each example of a batch counts in each replicate."""
    source = np.random.default_rng([zlib.crc32(shard_name.encode()), first_record])
    return source.poisson(1.0, size=(size, REPLICATES))


def bound(value: float, replicates: Sequence[float]) -> BoundedValue:
    """A value with the 95 % interval that its replicates give."""
    mean = float(np.mean(replicates))
    deviation = float(np.std(replicates, ddof=1))
    return BoundedValue(
        value=value,
        lower_bound=mean - _T_QUANTILE * deviation,
        upper_bound=mean + _T_QUANTILE * deviation,
        mean=mean,
        standard_deviation=deviation,
        replicates=len(replicates),
    )
