"""`trainwright.orchestration.local_dag_runner` under the name that TFX gives it."""

from trainwright.orchestration.local_dag_runner import LocalDagRunner as LocalDagRunner
