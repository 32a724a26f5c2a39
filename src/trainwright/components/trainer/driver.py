"""What is checked before a Trainer runs."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from trainwright.components.user_module import check_module_file, check_module_name
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_driver import BaseDriver, has_custom_executor
from trainwright.dsl.executor_spec import ExecutorClassSpec

# A module that reaches TensorFlow without these words still works: it imports it then.
_TENSORFLOW_SIGNS = ("tensorflow", "keras", "tf_dataset_factory", "tfx")


NO_ESTIMATORS = (
    "Estimators ended with TensorFlow 2.15, and trainer_fn with them. Write run_fn(fn_args), which "
    "trains and saves a model, and leave out the executor and trainer_fn: Trainer calls run_fn."
)


class TrainerDriver(BaseDriver):
    """Looks at the module file before any node starts; its content is part of the cache key."""

    def check(self, component: BaseComponent, exec_properties: dict[str, Any]) -> None:
        if _is_for_estimators(component):
            raise ValueError(f"{component.id} has the Estimator executor. {NO_ESTIMATORS}")
        if has_custom_executor(component):
            return  # a custom executor may look for other functions
        if exec_properties.get("trainer_fn"):
            raise ValueError(f"{component.id} was given trainer_fn. {NO_ESTIMATORS}")
        module_file = exec_properties.get("module_file")
        if module_file:
            check_module_file(module_file, component.id, "run_fn")
        else:
            check_module_name(exec_properties.get("run_fn"), "run_fn", component.id)

    def preload(self, component: BaseComponent) -> tuple[str, ...]:
        """TensorFlow, unless the module file shows no sign of it (scikit-learn, JAX)."""
        module_file = component.exec_properties.get("module_file")
        if isinstance(module_file, str) and os.path.isfile(module_file):
            with contextlib.suppress(OSError, UnicodeDecodeError):
                source = Path(module_file).read_text(encoding="utf-8")
                if not any(sign in source for sign in _TENSORFLOW_SIGNS):
                    return ()
        return super().preload(component)

    def local_paths(
        self, component: BaseComponent, exec_properties: dict[str, Any]
    ) -> Mapping[str, str]:
        module_file = exec_properties.get("module_file")
        if not module_file or has_custom_executor(component):
            return {}
        return {"module_file": module_file}

    def source_files(self, exec_properties: dict[str, Any]) -> Sequence[str]:
        module_file = exec_properties.get("module_file")
        return (module_file,) if module_file else ()


def _is_for_estimators(component: BaseComponent) -> bool:
    spec = component.executor_spec
    if not isinstance(spec, ExecutorClassSpec):
        return False
    # Imported only here: that module needs the text above.
    from trainwright.components.trainer.executor import Executor

    return spec.executor_class.Do is Executor.Do
