"""StatsOptions as programs for TFDV use them: assignable, and with functions to slice by."""

from __future__ import annotations

import dataclasses
from typing import Any

from trainwright._checks import mismatch
from trainwright.compat.tfdv.slicing import FeatureValueSlicer, SliceFunction
from trainwright.components.transform.stats_options_util import AssignableStatsOptions
from trainwright.statistics.slicing_config import make_slicing_config

_FUNCTIONS = ("experimental_slice_functions", "slice_functions")

# The order of TFDV's arguments, of which some programs give the first without names.
_POSITIONS = ("generators", "schema", "label_feature", "weight_feature", "slice_functions")
_OLD_NAMES = {"experimental_use_sketch_based_topk_uniques": "use_sketch_based_topk_uniques"}


class StatsOptions(AssignableStatsOptions):
    """Options whose fields can be assigned, and that take functions to slice by.

    Slicers of `get_feature_value_slicer` are kept as a `slicing_config` wherever options are
    stored; other functions work where the statistics are computed in this process, as
    `generate_statistics_from_csv`, `_tfrecord` and `_dataframe` do.

    >>> StatsOptions(num_top_values=5).num_top_values
    5
    """

    def __init__(self, *values: Any, **options: Any) -> None:
        if len(values) > len(_POSITIONS):
            raise TypeError(
                f"StatsOptions got {len(values)} arguments without names: expected at most "
                f"{len(_POSITIONS)}, {', '.join(_POSITIONS)}."
            )
        for old, name in _OLD_NAMES.items():
            if old in options:
                options.setdefault(name, options.pop(old))
        super().__init__(**dict(zip(_POSITIONS, values, strict=False)), **options)

    def __post_init__(self) -> None:
        kept = {name: getattr(self, name) for name in _FUNCTIONS}
        for name in _FUNCTIONS:
            object.__setattr__(self, name, None)
        super().__post_init__()
        for name in _FUNCTIONS:
            _check_functions(name, kept[name])
        for name, value in kept.items():
            object.__setattr__(self, name, value)

    @property
    def functions(self) -> list[SliceFunction]:
        """The functions that cannot be stored."""
        given = [*(self.experimental_slice_functions or ()), *(self.slice_functions or ())]
        return [one for one in given if not isinstance(one, FeatureValueSlicer)]

    def without_functions(self) -> AssignableStatsOptions:
        """A copy whose slicers are in its `slicing_config`, and that has no other functions."""
        values = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        given = [one for name in _FUNCTIONS for one in values.pop(name) or ()]
        slicers = [one for one in given if isinstance(one, FeatureValueSlicer)]
        if slicers:
            config = make_slicing_config(self.slicing_config or {"slicing_specs": []})
            specs = [spec for slicer in slicers for spec in slicer.slicing_specs]
            values["slicing_config"] = {"slicing_specs": [*config["slicing_specs"], *specs]}
        return AssignableStatsOptions(**values)

    def to_json(self) -> str:
        if self.functions:
            raise ValueError(
                "StatsOptions with functions to slice by cannot be stored with an execution. Use "
                "slicing_config, or experimental_get_feature_value_slicer, whose slicers can."
            )
        return self.without_functions().to_json()


def _check_functions(name: str, functions: Any) -> None:
    if functions is None:
        return
    if not isinstance(functions, (list, tuple)) or not all(map(callable, functions)):
        raise TypeError(mismatch(name, functions, "a list of functions"))
