"""Components that can be declared and not run: their executors and drivers say why."""

from __future__ import annotations

from typing import Any

from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_driver import BaseDriver
from trainwright.dsl.base_executor import ArtifactDict, BaseExecutor


class UnsupportedExecutor(BaseExecutor):
    """Base of executors that only say what is missing: `CANNOT_RUN`.

    A user's subclass that has a `Do` of its own can run.
    """

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "Do" in vars(cls):
            cls.CANNOT_RUN = ""

    def Do(
        self,
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        exec_properties: dict[str, Any],
    ) -> None:
        raise RuntimeError(self.CANNOT_RUN)


class UnsupportedDriver(BaseDriver):
    """Refuses the component before the run, unless an executor of the user's own does the work."""

    def check(self, component: BaseComponent, exec_properties: dict[str, Any]) -> None:
        executor_class = getattr(component.executor_spec, "executor_class", None)
        reason = getattr(executor_class, "CANNOT_RUN", "")
        if reason:
            raise ValueError(f"{component.id}: {reason}")
