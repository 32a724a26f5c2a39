"""LocalDagRunner and BeamDagRunner as TFX's users know them; both run here."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from google.protobuf.message import Message

from trainwright.compat.runners.compiled_pipelines import run_options_from, source_of
from trainwright.compat.runners.component_launchers import (
    DockerComponentLauncher,
    InProcessComponentLauncher,
)
from trainwright.compat.runners.pipeline_config import PipelineConfig, find_component_launch_info
from trainwright.dsl.pipeline import Pipeline
from trainwright.orchestration.local_dag_runner import LocalDagRunner as _LocalDagRunner
from trainwright.orchestration.run_options import RunOptions
from trainwright.orchestration.run_result import RunResult

_logger = logging.getLogger(__name__)


class LocalDagRunner(_LocalDagRunner):
    """Trainwright's LocalDagRunner that keeps the listed order, if not told otherwise.

    TFX runs one node at a time. Programs rely on that through side effects of their own
    components; `keep_listed_order=False` is for those that do not.

    Args:
        config: Which launchers the components may have; one that none of them can launch is
            refused before the run. Every node runs in a process of this machine in any case.
        **options: Those of `trainwright.LocalDagRunner`.
    """

    KEEPS_LISTED_ORDER = True

    def __init__(self, config: PipelineConfig | None = None, **options: Any) -> None:
        super().__init__(**options)
        self._config = config or PipelineConfig(
            supported_launcher_classes=[InProcessComponentLauncher, DockerComponentLauncher]
        )

    @property
    def config(self) -> PipelineConfig:
        return self._config

    def run(
        self,
        pipeline: Pipeline,
        run_options: RunOptions | None = None,
        *,
        runtime_parameters: Mapping[str, Any] | None = None,
    ) -> RunResult:
        if isinstance(pipeline, Message):
            raise ValueError(
                'The "run" method, which is only meant for running Pipeline objects, was called '
                'with a Pipeline IR. Did you mean to call the "run_with_ir" method instead?'
            )
        if isinstance(pipeline, Pipeline):
            for node in pipeline.components:
                find_component_launch_info(self._config, node)
        return super().run(pipeline, run_options, runtime_parameters=runtime_parameters)

    def run_with_ir(self, pipeline: Any, run_options: Any = None) -> RunResult:
        """Runs a pipeline that was compiled in this process.

        Args:
            pipeline: What `tfx.dsl.compiler.compiler.Compiler().compile(pipeline)` made.
            run_options: A `pipeline_pb2.RunOptions` message for a partial run.
        """
        return self.run(source_of(pipeline), run_options_from(run_options))


class BeamDagRunner(LocalDagRunner):
    """Runs a pipeline here, as LocalDagRunner does: nodes that do not wait for each other run
    side by side, without Beam.

    Args:
        beam_orchestrator_args: Flags for the Beam pipeline in which TFX would start the nodes.
            There is none here, so they have no effect. Flags for what components do go to the
            pipeline's `beam_pipeline_args`.
        config: As for LocalDagRunner.

    Example: `BeamDagRunner().run(pipeline)`
    """

    def __init__(
        self,
        beam_orchestrator_args: Sequence[str] | None = None,
        config: PipelineConfig | None = None,
        **options: Any,
    ) -> None:
        super().__init__(config, **options)
        self._beam_orchestrator_args = beam_orchestrator_args

    def run(
        self,
        pipeline: Pipeline,
        run_options: RunOptions | None = None,
        *,
        runtime_parameters: Mapping[str, Any] | None = None,
    ) -> RunResult:
        unused = list(self._beam_orchestrator_args or ())
        _logger.warning(
            "BeamDagRunner runs the nodes on this machine as LocalDagRunner does, without Beam%s.",
            f"; beam_orchestrator_args {unused} have no effect" if unused else "",
        )
        return super().run(pipeline, run_options, runtime_parameters=runtime_parameters)
