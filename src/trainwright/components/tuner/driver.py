"""The Tuner's driver: checks before it runs."""

from __future__ import annotations

import ast
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from trainwright._checks import mismatch
from trainwright._extras import EXTRA_OF_MODULE, install_advice
from trainwright.components.module_imports import find_module
from trainwright.components.user_module import check_module_file, check_module_name
from trainwright.components.user_training.driver import TrainingDriver
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_driver import has_custom_executor
from trainwright.proto import proto_json, tuner_pb2
from trainwright.types.standard_component_specs import MODULE_FILE_KEY, TUNE_ARGS_KEY, TUNER_FN_KEY


class TunerDriver(TrainingDriver):
    """Looks at the module file and the settings before any node starts."""

    def check(self, component: BaseComponent, exec_properties: dict[str, Any]) -> None:
        if has_custom_executor(component):
            return  # a custom executor may look for other functions
        _check_tune_args(exec_properties, component.id)
        module_file = exec_properties.get(MODULE_FILE_KEY)
        if module_file:
            check_module_file(module_file, component.id, TUNER_FN_KEY)
            _check_extras(module_file, component.id)
        else:
            check_module_name(exec_properties.get(TUNER_FN_KEY), TUNER_FN_KEY, component.id)


def _check_tune_args(exec_properties: Mapping[str, Any], node_id: str) -> None:
    encoded = exec_properties.get(TUNE_ARGS_KEY)
    if not encoded:
        return
    given = proto_json.json_to_proto(encoded, tuner_pb2.TuneArgs()).num_parallel_trials
    if given < 0:
        name = f"tune_args.num_parallel_trials of {node_id}"
        raise ValueError(mismatch(name, given, "0 or more", "0 and 1 try one after the other."))


def _check_extras(path: str, node_id: str) -> None:
    """Refuses a module whose `tuner_fn` itself imports what comes with an extra that is missing.

    Imports at the top of the file have been looked at before.
    """
    directory = os.path.dirname(os.path.abspath(path))
    for function in ast.parse(Path(path).read_bytes()).body:
        if not isinstance(function, ast.FunctionDef) or function.name != TUNER_FN_KEY:
            continue
        for statement in function.body:
            for module in _imported_modules(statement):
                first = module.partition(".")[0]
                if first in EXTRA_OF_MODULE and find_module(first, directory) is None:
                    raise ValueError(
                        f"{path}, line {statement.lineno}: {TUNER_FN_KEY} of {node_id} imports "
                        f"{module}, which is not installed. It comes with an extra: "
                        f"{install_advice(first)}"
                    )


def _imported_modules(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.Import):
        return [alias.name for alias in statement.names]
    if isinstance(statement, ast.ImportFrom) and not statement.level:
        return [statement.module or ""]
    return []
