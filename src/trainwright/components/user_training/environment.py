"""The environment of user code that trains: Keras, devices, progress.

Nothing here imports TensorFlow: where the process was forked from a warm one, it is there already;
where user code imports it, it is adapted at that moment. A module that trains without TensorFlow
stays without it.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import os
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from trainwright import _keras_choice
from trainwright._after_import import after_import
from trainwright.components.user_training.estimator_progress import (
    ESTIMATOR_MODULE,
    report_estimator_progress,
)
from trainwright.components.user_training.keras_progress import report_fit_progress
from trainwright.components.user_training.keras_saving import (
    adapt_export_of_keras,
    adapt_save_of_keras_3,
    adapt_saving_of_tensorflow,
    adapt_variables_of_keras_3,
)
from trainwright.data.graph_optimizer import disable_arithmetic_optimizer

_logger = logging.getLogger(__name__)

_is_prepared = False

ReportProgress = Callable[[Mapping[str, Any]], None]


def prepare(report_progress: ReportProgress) -> None:
    """Adapts TensorFlow and Keras, now or when they are imported; once in a process."""
    global _is_prepared
    if _is_prepared:  # an executor called by hand, again
        return
    _is_prepared = True
    legacy = os.environ.get(_keras_choice.VARIABLE) in _keras_choice.LEGACY
    _logger.info(
        "tf.keras is Keras %s (TF_USE_LEGACY_KERAS=%s), `import keras` is Keras 3",
        "2" if legacy else "3",
        os.environ.get(_keras_choice.VARIABLE, "unset"),
    )
    after_import("tensorflow", _adapt_tensorflow)
    after_import("tf_keras", functools.partial(_adapt_keras, report_progress=report_progress))
    after_import("keras", functools.partial(_adapt_keras_3, report_progress=report_progress))
    after_import(
        ESTIMATOR_MODULE, functools.partial(report_estimator_progress, report=report_progress)
    )


def _adapt_keras(keras: ModuleType, report_progress: ReportProgress) -> None:
    report_fit_progress(keras, report=report_progress)
    adapt_export_of_keras(keras)


def _adapt_keras_3(keras: ModuleType, report_progress: ReportProgress) -> None:
    _adapt_keras(keras, report_progress)
    adapt_save_of_keras_3(keras)
    adapt_variables_of_keras_3(keras)


def _adapt_tensorflow(tf: ModuleType) -> None:
    disable_arithmetic_optimizer()
    adapt_saving_of_tensorflow(tf)
    _log_devices(tf)


def _log_devices(tf: ModuleType) -> None:
    """Logs the devices: those of this machine now, those of a strategy when it is used.

    MirroredStrategy logs its own. The others get the same line, in the same logger, where TFX's
    guides say to look for it.
    """
    devices = tf.config.list_physical_devices()
    _logger.info("Devices: %s", ", ".join(device.name for device in devices))
    strategy_class = tf.distribute.Strategy
    original = strategy_class.scope
    told: set[int] = set()

    @functools.wraps(original)
    def scope(self: Any) -> Any:
        if id(self) not in told and not isinstance(self, tf.distribute.MirroredStrategy):
            told.add(id(self))
            with contextlib.suppress(RuntimeError):  # the default strategy has no devices
                used = self.extended.worker_devices
                name = type(self).__name__
                logging.getLogger("tensorflow").info("Using %s with devices %r", name, used)
        return original(self)

    strategy_class.scope = scope
