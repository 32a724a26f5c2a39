"""Paths of features: the steps that lead from an example to a value."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tensorflow_metadata.proto.v0 import path_pb2

Path = tuple[str, ...]

# A step that stands for itself: no dots, quotes or parentheses, or all of it in parentheses.
_PLAIN_STEP = re.compile(r"\([^()]*\)|[^().']+")


def path_text(path: Iterable[str]) -> str:
    """A path as one word, as anomalies and domains are named by it.

    >>> path_text(("trip", "miles")), path_text(("odd.name",))
    ('trip.miles', "'odd.name'")
    """
    return ".".join(_step_text(step) for step in path)


def _step_text(step: str) -> str:
    if _PLAIN_STEP.fullmatch(step):
        return step
    doubled = step.replace("'", "''")
    return f"'{doubled}'"


def path_proto(path: Iterable[str]) -> path_pb2.Path:
    return path_pb2.Path(step=path)
