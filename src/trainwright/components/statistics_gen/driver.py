"""StatisticsGen's driver: checks before it runs."""

from __future__ import annotations

from typing import Any

from trainwright._imports import is_installed
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_driver import BaseDriver, has_custom_executor


class StatisticsGenDriver(BaseDriver):
    """Looks for tfx-bsl before any node starts: without it the node would fail late."""

    def check(self, component: BaseComponent, exec_properties: dict[str, Any]) -> None:
        if has_custom_executor(component):
            return  # a custom executor may need other things
        if not is_installed("tfx_bsl"):
            raise ValueError(
                f"{component.id} decodes examples with tfx-bsl, which is not installed. Install "
                "it with: pip install 'trainwright[transform]'"
            )
