"""The Evaluator's driver: checks before it runs."""

from __future__ import annotations

import ast
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from trainwright.components.user_module import check_module_file, check_module_name
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_driver import BaseDriver, has_custom_executor
from trainwright.types import standard_component_specs as keys
from trainwright.types.placeholders.placeholder import Placeholder

_CUSTOM_FUNCTIONS = ("custom_eval_shared_model", "custom_extractors")


class EvaluatorDriver(BaseDriver):
    """Looks at the eval config and the module file before any node starts."""

    def check(self, component: BaseComponent, exec_properties: dict[str, Any]) -> None:
        if has_custom_executor(component):
            return  # a custom executor may understand another config
        from trainwright.components.evaluator.models import check_model_types
        from trainwright.components.evaluator.request import read_config
        from trainwright.evaluation.config.config_check import check_eval_config

        if isinstance(exec_properties.get(keys.EVAL_CONFIG_KEY), Placeholder):
            return  # it is known when the node runs
        config = read_config(exec_properties)
        check_eval_config(
            config,
            has_baseline=keys.BASELINE_MODEL_KEY in component.inputs,
            has_model=keys.MODEL_KEY in component.inputs,
        )
        module_file = exec_properties.get(keys.MODULE_FILE_KEY)
        has_module = module_file or exec_properties.get(keys.MODULE_PATH_KEY)
        if keys.MODEL_KEY in component.inputs and not has_module:
            check_model_types(config)  # a module may load models of any kind
        if module_file:
            check_module_file(module_file, component.id, _present_function(module_file), ())
        check_module_name(
            exec_properties.get(keys.MODULE_PATH_KEY), keys.MODULE_PATH_KEY, component.id
        )

    def checked_paths(
        self, component: BaseComponent, exec_properties: dict[str, Any]
    ) -> Mapping[str, str]:
        module_file = exec_properties.get(keys.MODULE_FILE_KEY)
        if not module_file or has_custom_executor(component):
            return {}
        return {keys.MODULE_FILE_KEY: module_file}

    def source_files(self, exec_properties: dict[str, Any]) -> Sequence[str]:
        module_file = exec_properties.get(keys.MODULE_FILE_KEY)
        return (module_file,) if module_file else ()


def _present_function(path: str) -> str:
    """The function of the two that the file has; the first if it has neither or is not Python."""
    try:
        tree = ast.parse(Path(path).read_bytes() if os.path.isfile(path) else b"")
    except (OSError, SyntaxError, ValueError):
        return _CUSTOM_FUNCTIONS[0]
    defined = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    return next((name for name in _CUSTOM_FUNCTIONS if name in defined), _CUSTOM_FUNCTIONS[0])
