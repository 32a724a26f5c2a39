"""BaseBeamExecutor: an executor that does its work as a Beam pipeline of its own."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from trainwright._imports import require
from trainwright.dsl.base_executor import BaseExecutor, ExecutorContext
from trainwright.dsl.beam_flags import with_runner

_logger = logging.getLogger(__name__)


@dataclass
class BeamExecutorContext(ExecutorContext):
    """What an executor on Beam may know; `make_beam_pipeline_fn` makes its pipelines, if given."""

    make_beam_pipeline_fn: Callable[[], Any] | None = field(default=None, kw_only=True)


class BaseBeamExecutor(BaseExecutor):
    """Base of the executors that run a Beam pipeline, which needs `trainwright[beam]`.

    Example:
        ```python
        class CountLines(BaseBeamExecutor):
            def Do(self, input_dict, output_dict, exec_properties):
                with self._make_beam_pipeline() as pipeline:
                    pipeline | beam.io.ReadFromText(exec_properties["pattern"]) | ...
        ```
    """

    Context: ClassVar[type[ExecutorContext]] = BeamExecutorContext

    def __init__(self, context: ExecutorContext | None = None) -> None:
        super().__init__(context)
        if context is not None and not isinstance(context, BeamExecutorContext):
            raise ValueError(
                "BaseBeamExecutor found initialized with BaseExecutorSpec. Please use "
                "BeamExecutorSpec for Beam Components instead: its context is a "
                "BaseBeamExecutor.Context."
            )
        self._beam_pipeline_args = list(context.beam_pipeline_args or ()) if context else []
        self._make_beam_pipeline_fn = context.make_beam_pipeline_fn if context else None

    def _make_beam_pipeline(self) -> Any:
        """A Beam pipeline with the `beam_pipeline_args` of pipeline and node."""
        if self._make_beam_pipeline_fn is not None:
            return self._make_beam_pipeline_fn()
        return make_beam_pipeline(self._beam_pipeline_args)


def make_beam_pipeline(arguments: Sequence[str]) -> Any:
    """A Beam pipeline with these flags, in this process unless they name a runner."""
    beam = require("apache_beam", extra="beam")
    pipeline_options = require("apache_beam.options.pipeline_options", extra="beam")
    options = pipeline_options.PipelineOptions(with_runner(arguments))
    direct = options.view_as(pipeline_options.DirectOptions)
    if direct.direct_running_mode == "in_memory" and direct.direct_num_workers != 1:
        _logger.warning(
            "direct_num_workers=%s has no effect while direct_running_mode is in_memory: add "
            "--direct_running_mode=multi_processing, or multi_threading.",
            direct.direct_num_workers,
        )
    return beam.Pipeline(options=options)
