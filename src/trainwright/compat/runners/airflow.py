"""AirflowDagRunner and its config: they are declared, and say at `run()` how to go on."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, NoReturn

from trainwright.compat.runners.other_systems import not_run_here
from trainwright.compat.runners.pipeline_config import PipelineConfig
from trainwright.compat.runners.tfx_runner import TfxRunner


class AirflowPipelineConfig(PipelineConfig):
    """How a pipeline runs on Airflow.

    Args:
        airflow_dag_config: Arguments of Airflow's DAG, such as `schedule_interval`.
        **kwargs: Those of PipelineConfig.
    """

    def __init__(self, airflow_dag_config: dict[str, Any] | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.airflow_dag_config = airflow_dag_config or {}


class AirflowDagRunner(TfxRunner):
    """Makes an Airflow DAG of a pipeline, in TFX; here `run` says what to use instead.

    Args:
        config: How the pipeline runs on Airflow, or a dict with the arguments of the DAG, which
            is deprecated.
    """

    RUNS_ON = "Airflow"

    def __init__(self, config: AirflowPipelineConfig | Mapping[str, Any] | None = None) -> None:
        if config and not isinstance(config, AirflowPipelineConfig):
            warnings.warn(
                "config as a dict is deprecated; pass AirflowPipelineConfig(config).",
                PendingDeprecationWarning,
                stacklevel=2,
            )
            config = AirflowPipelineConfig(airflow_dag_config=dict(config))
        assert config is None or isinstance(config, AirflowPipelineConfig)
        super().__init__(config)

    def run(self, tfx_pipeline: Any) -> NoReturn:
        raise not_run_here(type(self).__name__, "a DAG", self.RUNS_ON)
