"""Slicing specs of an eval config."""

from __future__ import annotations

from trainwright.evaluation.slices.slicing import SliceSpec
from trainwright.proto.tfma import config_pb2


def slice_specs(config: config_pb2.EvalConfig) -> list[SliceSpec]:
    """The slicing specs, and those that cross-slicing specs compare; all examples by default."""
    specs = [SliceSpec.from_proto(spec) for spec in config.slicing_specs]
    for cross in config.cross_slicing_specs:
        specs.append(SliceSpec.from_proto(cross.baseline_spec))
        specs.extend(SliceSpec.from_proto(spec) for spec in cross.slicing_specs)
    return list(dict.fromkeys(specs)) or [SliceSpec()]
