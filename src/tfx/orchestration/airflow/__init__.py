"""TFX's paths to the runner for Airflow."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.orchestration.airflow import airflow_dag_runner as airflow_dag_runner
    from tfx.orchestration.airflow import airflow_runner as airflow_runner
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=("airflow_dag_runner", "airflow_runner"),
    )
