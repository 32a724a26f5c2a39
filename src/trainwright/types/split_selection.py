"""Selection of splits: the argument `exclude_splits` of components, and what it leaves."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from trainwright._checks import check_strings
from trainwright.types import json_utils, splits
from trainwright.types.artifact import Artifact
from trainwright.types.runtime_parameter import RuntimeParameter
from trainwright.types.standard_component_specs import EXCLUDE_SPLITS_KEY

_logger = logging.getLogger(__name__)


def encode_exclude_splits(exclude_splits: Sequence[str | RuntimeParameter] | None) -> str:
    """The names as an execution property holds them; a string would be taken for its letters."""
    given = exclude_splits or []
    names = given if isinstance(given, str) else [_name_of(split) for split in given]
    check_strings("exclude_splits", names, "split names", ValueError)
    return json_utils.dumps(list(given))


def _name_of(split: str | RuntimeParameter) -> str:
    """The name of a split; one that the run will say has the name of its parameter here."""
    return split.name if isinstance(split, RuntimeParameter) else split


def choose_splits(
    artifact: Artifact,
    exec_properties: dict[str, Any],
    *,
    content: str = "statistics",
    refuse_unknown: bool = False,
    names: list[str] | None = None,
) -> list[str]:
    """The names of the artifact's splits, in order, without the excluded ones.

    Args:
        artifact: What has the splits.
        exec_properties: Of the component, with its `exclude_splits`.
        content: What the artifact holds, for messages.
        refuse_unknown: Whether a name that no split has is an error. Not so downstream, where the
            split may be gone because a component before excluded it as well.
        names: The names to choose from; by default those of the artifact.
    """
    encoded = exec_properties.get(EXCLUDE_SPLITS_KEY)
    excluded = (json_utils.loads(encoded) if encoded else None) or []
    if not isinstance(excluded, list):
        raise ValueError(
            "exclude_splits in execution properties needs to be a list. "
            f"Got {type(excluded)} instead."
        )
    names = names or splits.decode_split_names(artifact.split_names)
    unknown = [name for name in excluded if name not in names]
    if unknown:
        message = f"exclude_splits names {unknown}, but the {content} have {names}."
        if refuse_unknown:
            raise ValueError(message)
        _logger.warning(message)
    chosen = [name for name in names if name not in excluded]
    if not chosen:
        raise ValueError(
            f"No splits are left to look at: the {content} have {names}, and exclude_splits is "
            f"{excluded}."
        )
    return chosen
