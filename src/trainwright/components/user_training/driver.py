"""The part that the drivers of Trainer and Tuner share."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from trainwright.components.module_file_driver import ModuleFileDriver
from trainwright.dsl.base_component import BaseComponent

# A module that reaches TensorFlow without these words still works: it imports it then.
_TENSORFLOW_SIGNS = ("tensorflow", "keras", "tf_dataset_factory", "tfx")


class TrainingDriver(ModuleFileDriver):
    """Has TensorFlow imported beforehand, for module files that seem to use it."""

    def preload(self, component: BaseComponent) -> tuple[str, ...]:
        """TensorFlow, unless the module file shows no sign of it (scikit-learn, JAX)."""
        module_file = component.exec_properties.get("module_file")
        if isinstance(module_file, str) and os.path.isfile(module_file):
            with contextlib.suppress(OSError, UnicodeDecodeError):
                source = Path(module_file).read_text(encoding="utf-8")
                if not any(sign in source for sign in _TENSORFLOW_SIGNS):
                    return ()
        return super().preload(component)
