"""Pairs of splits of two artifacts, which components that compare artifacts are given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trainwright._checks import mismatch
from trainwright.types import json_utils, splits
from trainwright.types.artifact import Artifact

SplitPair = tuple[str, str]

_EXPECTED = "a list of pairs of split names, of the data and of what it is compared with"
_EXAMPLE = "Write include_split_pairs=[('train', 'eval')]."


def encode_split_pairs(pairs: Sequence[Any] | None) -> str:
    """Pairs as an execution property holds them.

    Raises:
        ValueError: if they are not pairs of names.

    >>> encode_split_pairs([("train", "eval")])
    '[["train", "eval"]]'
    """
    check_split_pairs(pairs)
    return json_utils.dumps(pairs)


def check_split_pairs(pairs: Any) -> None:
    """Raises ValueError unless they are pairs of names, or None."""
    if pairs is None:
        return
    is_list = isinstance(pairs, (list, tuple))
    if not is_list or not all(map(_is_pair, pairs)):
        raise ValueError(mismatch("include_split_pairs", pairs, _EXPECTED, _EXAMPLE))


def _is_pair(value: Any) -> bool:
    is_two = isinstance(value, (list, tuple)) and len(value) == 2
    # A name may be a parameter that the run will say.
    return is_two and not any(isinstance(name, (list, tuple, dict)) for name in value)


def choose_split_pairs(
    data: Artifact, baseline: Artifact, encoded: str | None, *, content: str, same_name: bool
) -> list[SplitPair]:
    """The pairs of splits to compare: those that are asked for, or all.

    Args:
        data: The artifact to look at.
        baseline: What it is compared with.
        encoded: The property `include_split_pairs`.
        content: What the artifacts hold, for errors.
        same_name: Whether only splits of the same name are compared if no pairs are asked for.

    Raises:
        ValueError: if there are none, or a pair that is asked for is not there.
    """
    pairs = json_utils.loads(encoded) if encoded else None
    check_split_pairs(pairs)
    wanted = [(str(one), str(other)) for one, other in pairs or ()]
    possible = [
        (one, other)
        for one in splits.decode_split_names(data.split_names)
        for other in splits.decode_split_names(baseline.split_names)
    ]
    if wanted:
        chosen = [pair for pair in possible if pair in wanted]
    else:
        chosen = [pair for pair in possible if pair[0] == pair[1] or not same_name]
    if not chosen:
        raise ValueError(f"No split pairs from test and baseline {content}: {data}, {baseline}")
    missing = [pair_name(pair) for pair in wanted if pair not in chosen]
    if missing:
        raise ValueError(
            f"Missing split pairs identified in include_split_pairs: {', '.join(missing)}"
        )
    return chosen


def pair_name(pair: SplitPair) -> str:
    """How files and messages call a pair.

    >>> pair_name(("train", "eval"))
    'train_eval'
    """
    return "_".join(pair)
