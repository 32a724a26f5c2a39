"""TfxRunner: the base of every runner in TFX, for programs that name it or write their own."""

from __future__ import annotations

import abc
from typing import Any

from trainwright.compat.runners.pipeline_config import PipelineConfig
from trainwright.orchestration.local_dag_runner import LocalDagRunner


class TfxRunner(abc.ABC):
    """Base of the runners: what has a `run(pipeline)`.

    Args:
        config: Which launchers and configs the components get.
    """

    def __init__(self, config: PipelineConfig | None = None) -> None:
        self._config = config or PipelineConfig()

    @abc.abstractmethod
    def run(self, pipeline: Any) -> Any | None:
        """Runs a pipeline; what is returned is up to the runner."""

    @property
    def config(self) -> PipelineConfig:
        return self._config


TfxRunner.register(LocalDagRunner)
