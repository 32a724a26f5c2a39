"""A notebook's code as a script, and the magic that leaves a cell out of it."""

from __future__ import annotations

import json
import os
from typing import Any

SKIP_MAGIC = "%%skip_for_export"

_IMPORTS = {
    "beam": "from tfx.orchestration.beam.beam_dag_runner import BeamDagRunner",
    "airflow": (
        "import datetime\n\n"
        "from tfx.orchestration.airflow.airflow_dag_runner import AirflowDagRunner\n"
        "from tfx.orchestration.airflow.airflow_dag_runner import AirflowPipelineConfig"
    ),
}
_PIPELINE = """\
tfx_pipeline = Pipeline(
    pipeline_name=_pipeline_name,
    pipeline_root=_pipeline_root,
    components=components,
    enable_cache=True,
    metadata_connection_config=sqlite_metadata_connection_config(_metadata_path),
)"""
_RUNS = {
    "beam": "BeamDagRunner().run(tfx_pipeline)",
    # Airflow finds a DAG by this name.
    "airflow": (
        "_airflow_config = {\n"
        '    "schedule_interval": None,\n'
        '    "start_date": datetime.datetime(2024, 1, 1),\n'
        "}\n"
        "DAG = AirflowDagRunner(AirflowPipelineConfig(_airflow_config)).run(tfx_pipeline)"
    ),
}


def export_notebook(notebook_path: str, script_path: str, runner_type: str) -> None:
    """Writes the code cells of a notebook, and what runs their pipeline, as one script.

    Raises:
        ValueError: if the runner is unknown or the file is not a notebook.
    """
    if runner_type not in _RUNS:
        raise ValueError(
            f"Invalid runner_type: {runner_type}. Expected one of {', '.join(sorted(_RUNS))}."
        )
    parts = [
        f"{_IMPORTS[runner_type]}\n"
        "from tfx.orchestration.metadata import sqlite_metadata_connection_config\n"
        "from tfx.orchestration.pipeline import Pipeline",
        read_code(notebook_path),
        _PIPELINE,
        _RUNS[runner_type],
    ]
    aside = f"{script_path}.new"
    with open(aside, "w", encoding="utf-8") as file:
        file.write("\n\n".join(parts) + "\n")
    os.replace(aside, script_path)


def read_code(notebook_path: str) -> str:
    """The code of a notebook without magics, shell commands and cells that are to be left out.

    Raises:
        ValueError: if the file is not a notebook.
    """
    try:
        with open(notebook_path, encoding="utf-8") as file:
            cells = json.load(file)["cells"]
        sources = [_source(cell) for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(
            f"{notebook_path} is not a notebook that can be read ({error!r}): expected a file that "
            "Jupyter saved, in format 4."
        ) from error
    kept = [source for source in sources if not source.lstrip().startswith(SKIP_MAGIC)]
    return "\n\n".join(map(_without_magics, kept))


def _source(cell: dict[str, Any]) -> str:
    """A cell's text, which files have as one string or as a list of lines."""
    return "".join(cell["source"])


def _without_magics(source: str) -> str:
    lines = source.split("\n")
    return "\n".join(line for line in lines if not line.lstrip().startswith(("%", "!")))
