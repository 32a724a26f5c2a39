"""Compiled pipelines, and the Pipeline that each was compiled from.

A compiled pipeline names classes and holds no code, so it is the Pipeline object that is run. It is
remembered, in this process, by the bytes of what the compiler made of it.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from typing import Any

from trainwright.dsl.pipeline import Pipeline
from trainwright.orchestration.run_options import RunOptions

# Programs compile a few pipelines and run them; a process that compiles for ever must not grow.
_MOST_REMEMBERED = 100

_pipelines: OrderedDict[bytes, Pipeline] = OrderedDict()


def remember(pipeline: Pipeline, compiled: Any) -> None:
    """Notes what a pipeline was compiled to."""
    _pipelines[_digest(compiled)] = pipeline
    while len(_pipelines) > _MOST_REMEMBERED:
        _pipelines.popitem(last=False)


def source_of(compiled: Any) -> Pipeline:
    """The pipeline that was compiled.

    Raises:
        ValueError: it was not compiled in this process, or was changed since then.
    """
    pipeline = _pipelines.get(_digest(compiled))
    if pipeline is None:
        raise ValueError(
            "run_with_ir got a compiled pipeline that was not compiled in this process, or that "
            "was changed since. It holds no code: give the Pipeline itself to run(), or compile "
            "it here and leave it as it is."
        )
    return pipeline


def run_options_from(message: Any) -> RunOptions | None:
    """The options of a partial run, from their message; None for a whole run."""
    if message is None or not message.HasField("partial_run"):
        return None
    partial = message.partial_run
    base_run_id = partial.snapshot_settings.base_pipeline_run_strategy.base_run_id
    return RunOptions(
        from_nodes=list(partial.from_nodes) or None,
        to_nodes=list(partial.to_nodes) or None,
        base_pipeline_run_id=base_run_id or None,
    )


def _digest(compiled: Any) -> bytes:
    return hashlib.sha256(compiled.SerializeToString(deterministic=True)).digest()
