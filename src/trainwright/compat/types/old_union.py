"""The first of TFX's two functions that join channels."""

from __future__ import annotations

from collections.abc import Iterable

from trainwright._deprecation import deprecated
from trainwright.types.channel import BaseChannel, UnionChannel


@deprecated(None, "Please use `tfx.dsl.union()` instead.")
def union(input_channels: Iterable[BaseChannel]) -> UnionChannel:
    """Joins channels of one type into one input."""
    return UnionChannel(input_channels)
