"""StatsOptions as programs for TFDV use them: assignable, and with functions to slice by."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from trainwright.compat.tfdv.slicing import FeatureValueSlicer, SliceFunction
from trainwright.components.transform.stats_options_util import AssignableStatsOptions
from trainwright.statistics.slicing_config import make_slicing_config

_FUNCTIONS = ("experimental_slice_functions", "slice_functions")


class StatsOptions(AssignableStatsOptions):
    """Options whose fields can be assigned, and that take functions to slice by.

    Slicers of `get_feature_value_slicer` are kept as a `slicing_config` wherever options are
    stored; other functions work where the statistics are computed in this process, as
    `generate_statistics_from_csv`, `_tfrecord` and `_dataframe` do.

    >>> StatsOptions(num_top_values=5).num_top_values
    5
    """

    def __post_init__(self) -> None:
        functions = [getattr(self, name) for name in _FUNCTIONS]
        for name in _FUNCTIONS:
            object.__setattr__(self, name, None)
        super().__post_init__()
        for name, given in zip(_FUNCTIONS, functions, strict=True):
            object.__setattr__(self, name, _check_functions(name, given))

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


def _check_functions(name: str, functions: Any) -> Sequence[SliceFunction] | None:
    if functions is None:
        return None
    if not isinstance(functions, (list, tuple)) or not all(map(callable, functions)):
        raise TypeError(f"{name} is {functions!r}: expected a list of functions.")
    return functions
