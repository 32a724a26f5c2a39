"""Inert runs: while a script is only loaded for what it defines, its `run()` calls do nothing."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

from trainwright.dsl.pipeline import Pipeline


@dataclass(frozen=True)
class InertRun:
    """A run that a script asked for: its pipeline, and what its runner would have kept to."""

    pipeline: Pipeline
    keep_listed_order: bool


_recorded: list[InertRun] | None = None


@contextlib.contextmanager
def recording() -> Iterator[list[InertRun]]:
    """Makes every `run(pipeline)` note its pipeline instead of running it.

    What the script does afterwards with a result that is not there may fail: that is the end of
    loading it, not an error.
    """
    global _recorded
    previous, _recorded = _recorded, []
    noted = _recorded
    try:
        yield noted
    except Exception:
        if not noted:
            raise
    finally:
        _recorded = previous


def record(pipeline: Pipeline, keep_listed_order: bool) -> bool:
    """Notes the run and returns True if runs are inert now."""
    if _recorded is None:
        return False
    _recorded.append(InertRun(pipeline, keep_listed_order))
    return True
