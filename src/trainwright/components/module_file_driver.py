"""The part that the drivers of components with a module file share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_driver import BaseDriver, has_custom_executor
from trainwright.types.standard_component_specs import MODULE_FILE_KEY


class ModuleFileDriver(BaseDriver):
    """Names the module file, whose content is part of the cache key."""

    def checked_paths(
        self, component: BaseComponent, exec_properties: dict[str, Any]
    ) -> Mapping[str, str]:
        module_file = exec_properties.get(MODULE_FILE_KEY)
        if not module_file or has_custom_executor(component):
            return {}
        return {MODULE_FILE_KEY: module_file}

    def source_files(self, exec_properties: dict[str, Any]) -> Sequence[str]:
        module_file = exec_properties.get(MODULE_FILE_KEY)
        return (module_file,) if module_file else ()
