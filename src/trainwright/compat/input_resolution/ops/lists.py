"""Operators on lists of artifacts, and on lists of dicts of them."""

from __future__ import annotations

import logging
import random
from collections.abc import Mapping, Sequence
from typing import Any

from trainwright.compat.input_resolution.ops.ops_utils import (
    ArtifactMap,
    Artifacts,
    creation_order,
)
from trainwright.dsl.input_resolution.exceptions import (
    FailedPreconditionError,
    InsufficientInputError,
    SkipSignal,
)
from trainwright.dsl.input_resolution.resolver_op import (
    ARTIFACT_LIST,
    ARTIFACT_MULTIMAP,
    ARTIFACT_MULTIMAP_LIST,
    Property,
    ResolverOp,
)

_log = logging.getLogger(__name__)


class LatestCreateTime(
    ResolverOp,
    canonical_name="tfx.LatestCreateTime",
    arg_data_types=(ARTIFACT_LIST,),
    return_data_type=ARTIFACT_LIST,
):
    """The `n` artifacts that were made last, the newest at the end."""

    n = Property(type=int, default=1)

    def apply(self, input_list: Artifacts) -> Artifacts:
        if not input_list:
            return []
        if self.n < 1:
            raise ValueError(f"n must be > 0, but was set to {self.n}.")
        return sorted(input_list, key=creation_order)[-self.n :]


class Shuffle(
    ResolverOp,
    canonical_name="tfx.Shuffle",
    arg_data_types=(ARTIFACT_LIST,),
    return_data_type=ARTIFACT_LIST,
):
    """The artifacts in random order."""

    def apply(self, input_list: Artifacts) -> Artifacts:
        return random.sample(input_list, len(input_list))


class Slice(
    ResolverOp,
    canonical_name="tfx.Slice",
    arg_data_types=(ARTIFACT_LIST,),
    return_data_type=ARTIFACT_LIST,
):
    """Part of the list, as `artifacts[start:stop:step]`; an error if it is below `min_count`."""

    start = Property(type=int | None, default=None)
    stop = Property(type=int | None, default=None)
    step = Property(type=int | None, default=None)
    min_count = Property(type=int, default=0)

    def apply(self, artifacts: Artifacts) -> Artifacts:
        result = artifacts[self.start : self.stop : self.step]
        if len(result) < self.min_count:
            raise InsufficientInputError(
                f"slice[{self.start}:{self.stop}:{self.step}] on list of length {len(artifacts)} "
                f"has {len(result)} items which is less than min_count = {self.min_count}."
            )
        return result


class SlidingWindow(
    ResolverOp,
    canonical_name="tfx.SlidingWindow",
    arg_data_types=(ARTIFACT_LIST,),
    return_data_type=ARTIFACT_MULTIMAP_LIST,
):
    """Each `window_size` artifacts that follow each other, as a dict under `output_key`.

    Of A, B and C windows of two are `[{"window": [A, B]}, {"window": [B, C]}]`.
    """

    window_size = Property(type=int, default=1)
    output_key = Property(type=str, default="window")

    def apply(self, input_list: Artifacts) -> Sequence[Mapping[str, Artifacts]]:
        if self.window_size < 1:
            raise ValueError(f"sliding_window must be > 0, but was set to {self.window_size}.")
        return [
            {self.output_key: input_list[start : start + self.window_size]}
            for start in range(len(input_list) - self.window_size + 1)
        ]


class SkipIfEmpty(
    ResolverOp,
    canonical_name="tfx.internal.SkipIfEmpty",
    arg_data_types=(ARTIFACT_MULTIMAP_LIST,),
    return_data_type=ARTIFACT_MULTIMAP_LIST,
):
    """The list itself; an empty one skips the node."""

    def apply(self, input_dict_list: Sequence[ArtifactMap]) -> Sequence[ArtifactMap]:
        if not input_dict_list:
            raise SkipSignal("There are no inputs.")
        return input_dict_list


class Unnest(
    ResolverOp,
    canonical_name="tfx.internal.Unnest",
    arg_data_types=(ARTIFACT_MULTIMAP,),
    return_data_type=ARTIFACT_MULTIMAP_LIST,
):
    """A dict for each artifact under `key`, with all that the other keys have."""

    key = Property(type=str)

    def apply(self, input_dict: ArtifactMap) -> Sequence[ArtifactMap]:
        if self.key not in input_dict:
            raise FailedPreconditionError(
                f"Input dict does not contain the key {self.key}. Available: {list(input_dict)}"
            )
        others = {key: found for key, found in input_dict.items() if key != self.key}
        return [{self.key: [artifact], **others} for artifact in input_dict[self.key]]


class EqualPropertyValues(
    ResolverOp,
    canonical_name="tfx.EqualPropertyValues",
    arg_data_types=(ARTIFACT_LIST,),
    return_data_type=ARTIFACT_LIST,
):
    """The artifacts that have a value as a custom property, or as a property of their type."""

    property_key = Property(type=str)
    property_value = Property(type=int | float | bool | str | None | dict | list)
    is_custom_property = Property(type=bool, default=True)

    def apply(self, input_list: Artifacts) -> Artifacts:
        return [artifact for artifact in input_list if self._has_value(artifact)]

    def _has_value(self, artifact: Any) -> bool:
        if self.is_custom_property:
            has_it = artifact.has_custom_property(self.property_key)
            read = artifact.get_custom_property
        else:
            has_it = artifact.has_property(self.property_key)
            read = artifact.__getattr__
        if not has_it:
            kind = "custom property" if self.is_custom_property else "property"
            _log.warning("%s does not have the %s %s.", artifact, kind, self.property_key)
            return False
        return bool(read(self.property_key) == self.property_value)
