"""The oldest name of the runner for Airflow."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.runners.airflow import AirflowDagRunner as _AirflowDAGRunner_

    AirflowDAGRunner = _AirflowDAGRunner_
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.runners.airflow": ("AirflowDagRunner as AirflowDAGRunner",),
        },
    )
