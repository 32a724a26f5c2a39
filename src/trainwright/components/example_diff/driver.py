"""ExampleDiff's driver: checks before it runs."""

from __future__ import annotations

from typing import Any

from trainwright.components.example_diff.config import read_config
from trainwright.components.split_pairs import check_split_pairs
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_driver import BaseDriver, has_custom_executor
from trainwright.types import json_utils
from trainwright.types.placeholders.placeholder import Placeholder
from trainwright.types.standard_component_specs import INCLUDE_SPLIT_PAIRS_KEY


class ExampleDiffDriver(BaseDriver):
    """Looks at the config before any node starts."""

    def check(self, component: BaseComponent, exec_properties: dict[str, Any]) -> None:
        if has_custom_executor(component):
            return  # a custom executor may understand another config
        if any(isinstance(value, Placeholder) for value in exec_properties.values()):
            return  # they are known when the node runs
        try:
            read_config(exec_properties)
            encoded = exec_properties.get(INCLUDE_SPLIT_PAIRS_KEY)
            check_split_pairs(json_utils.loads(encoded) if encoded else None)
        except ValueError as error:
            raise ValueError(f"{component.id}: {error}") from error
