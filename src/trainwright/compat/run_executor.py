"""`python -m tfx.scripts.run_executor`: runs one executor with artifacts and properties as JSON.

It is what the workers of a training job run (`google_cloud/training_job.py`). Nothing is recorded,
and no output is checked.
"""

from __future__ import annotations

import argparse
import base64
import json
import logging
from collections.abc import Sequence
from typing import Any

from trainwright.compat.utils.import_utils import import_class_by_path
from trainwright.dsl.base_beam_executor import BaseBeamExecutor
from trainwright.types import artifact_utils

ParsedFlags = tuple[argparse.Namespace, list[str]]

_logger = logging.getLogger(__name__)


def parse_flags(argv: Sequence[str]) -> ParsedFlags:
    """The flags, and what is left for the executor, for example flags of Beam."""
    parser = argparse.ArgumentParser(
        prog="python -m tfx.scripts.run_executor",
        description="Run an executor with artifacts and properties as JSON.",
    )
    parser.add_argument(
        "--executor_class_path", required=True, help="The executor as <module>.<class>."
    )
    parser.add_argument("--temp_directory_path", help="Where its temporary files go.")
    for name, content in {
        "inputs": "Input artifacts",
        "outputs": "Output artifacts",
        "exec-properties": "Execution properties",
    }.items():
        group = parser.add_mutually_exclusive_group(required=True)
        group.add_argument(f"--{name}", help=f"{content} as JSON.")
        group.add_argument(f"--{name}-base64", help=f"{content} as JSON in base64.")
    parser.add_argument(
        "--write-outputs-stdout",
        action="store_true",
        help="Print the output artifacts as the last line.",
    )
    return parser.parse_known_args(argv)


def main(parsed_argv: ParsedFlags) -> None:
    """Runs the executor that the flags name."""
    flags, others = parsed_argv
    inputs = artifact_utils.parse_artifact_dict(_json_of(flags, "inputs"))
    outputs = artifact_utils.parse_artifact_dict(_json_of(flags, "outputs"))
    exec_properties = json.loads(_json_of(flags, "exec_properties"))
    executor_class = import_class_by_path(flags.executor_class_path)
    executor = executor_class(_context(executor_class, flags, others))
    _logger.info("Running %s.", flags.executor_class_path)
    executor.Do(inputs, outputs, exec_properties)
    if flags.write_outputs_stdout:
        print(artifact_utils.jsonify_artifact_dict(outputs))


def _json_of(flags: argparse.Namespace, name: str) -> str:
    plain = getattr(flags, name)
    if plain is not None:
        return str(plain)
    return base64.b64decode(getattr(flags, f"{name}_base64")).decode()


def _context(executor_class: Any, flags: argparse.Namespace, others: list[str]) -> Any:
    arguments = {"tmp_dir": flags.temp_directory_path, "unique_id": ""}
    if issubclass(executor_class, BaseBeamExecutor):
        return executor_class.Context(beam_pipeline_args=others, **arguments)
    return executor_class.Context(extra_flags=others, **arguments)
