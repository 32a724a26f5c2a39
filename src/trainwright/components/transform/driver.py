"""Transform's driver: checks before it runs."""

from __future__ import annotations

from typing import Any

from trainwright._imports import is_installed
from trainwright.components.module_file_driver import ModuleFileDriver
from trainwright.components.transform.splits import read_splits_config
from trainwright.components.user_module import check_module_file, check_module_name
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_driver import has_custom_executor
from trainwright.types.standard_component_specs import (
    CUSTOM_CONFIG_KEY,
    MODULE_FILE_KEY,
    PREPROCESSING_FN_KEY,
    SPLITS_CONFIG_KEY,
    STATS_OPTIONS_UPDATER_FN_KEY,
)


class TransformDriver(ModuleFileDriver):
    """Looks at libraries, splits and module file before any node starts."""

    def check(self, component: BaseComponent, exec_properties: dict[str, Any]) -> None:
        if has_custom_executor(component):
            return  # a custom executor may need other things
        for module in ("tensorflow_transform", "tfx_bsl"):
            if not is_installed(module):
                raise ValueError(
                    f"{component.id} runs tf.Transform, and {module} is not installed. Install it "
                    "with: pip install 'trainwright[transform]'"
                )
        try:
            read_splits_config(exec_properties.get(SPLITS_CONFIG_KEY))
        except ValueError as error:
            raise ValueError(f"{component.id}: {error}") from error
        module_file = exec_properties.get(MODULE_FILE_KEY)
        if module_file:
            takes = ("inputs", CUSTOM_CONFIG_KEY)
            check_module_file(module_file, component.id, PREPROCESSING_FN_KEY, takes)
        else:
            for name in (PREPROCESSING_FN_KEY, STATS_OPTIONS_UPDATER_FN_KEY):
                check_module_name(exec_properties.get(name), name, component.id)
