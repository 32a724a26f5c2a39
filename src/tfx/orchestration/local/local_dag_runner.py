"""`trainwright.orchestration.local_dag_runner` under TFX's path."""

from trainwright.orchestration.local_dag_runner import LocalDagRunner as LocalDagRunner
