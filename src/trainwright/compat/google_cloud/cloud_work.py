"""What is said where a pipeline asks for work on Google Cloud."""

from __future__ import annotations

from typing import Any

from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_driver import BaseDriver, has_custom_executor
from trainwright.dsl.base_executor import BaseExecutor


class CloudDriver(BaseDriver):
    """Refuses a component for Google Cloud before anything runs, unless an executor of the user's
    own does the work."""

    def check(self, component: BaseComponent, exec_properties: dict[str, Any]) -> None:
        if not has_custom_executor(component):
            executor: Any = component.executor_spec
            raise ValueError(f"{component.id}: {executor.executor_class.CANNOT_RUN}")


class CloudExecutor(BaseExecutor):
    """Base of the executors whose work is done on Google Cloud; each says why not here."""

    def Do(self, input_dict: Any, output_dict: Any, exec_properties: Any) -> None:
        raise RuntimeError(self.CANNOT_RUN)


def needs_google_cloud(work: str, instead: str) -> str:
    """Why something cannot be done here, and what can.

    Args:
        work: What is asked for, with its verb.
        instead: What to use, as a sentence.
    """
    return (
        f"{work} needs Google Cloud, TFX and an account there; Trainwright works on this machine. "
        f"{instead}"
    )
