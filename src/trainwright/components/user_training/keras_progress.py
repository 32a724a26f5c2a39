"""Progress of `model.fit`: a callback that tells the step rate, the loss and an epoch's metrics.

It is added to every `fit` of Keras 2 and 3 in a Trainer's process. Custom training loops show no
progress.
"""

from __future__ import annotations

import contextlib
import functools
import time
from collections.abc import Callable, Iterable, Mapping
from types import ModuleType
from typing import Any

# Reading a loss waits for the device: seldom enough to cost nothing.
_SECONDS = 0.5


def report_fit_progress(keras: ModuleType, report: Callable[[Mapping[str, Any]], None]) -> None:
    """Makes `fit` report its progress, in addition to the user's own callbacks."""
    original = keras.Model.fit
    callback_class = _make_callback_class(keras, report)

    @functools.wraps(original)
    def fit(self: Any, *args: Any, callbacks: Any = None, **kwargs: Any) -> Any:
        # Positional callbacks (the sixth argument) are left alone.
        if len(args) < 6 and not isinstance(callbacks, keras.callbacks.CallbackList):
            given = callbacks if isinstance(callbacks, (list, tuple)) else [callbacks]
            callbacks = [callback for callback in given if callback is not None]
            callbacks.append(callback_class())
        if callbacks is not None:
            kwargs["callbacks"] = callbacks
        return original(self, *args, **kwargs)

    keras.Model.fit = fit


def _make_callback_class(keras: ModuleType, report: Callable[[Mapping[str, Any]], None]) -> type:
    base: Any = keras.callbacks.Callback

    class TrainwrightProgress(base):  # type: ignore[misc]
        """Counts batches and passes the running loss on twice a second."""

        _supports_tf_logs = True  # Keras 2 then hands over tensors without waiting for them

        def on_train_begin(self, logs: Any = None) -> None:
            self._epoch = self._step = self._steps_done = 0
            self._began = self._next = 0.0

        def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
            self._epoch = epoch

        def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
            now = time.monotonic()
            self._step = batch + 1
            self._steps_done += 1
            if self._steps_done == 1:
                self._began = now  # the first step also traces the model
            if now >= self._next:
                self._next = now + _SECONDS
                self._tell(now, logs)

        def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
            self._tell(time.monotonic(), logs, names=logs or ())

        def _tell(self, now: float, logs: Any, names: Iterable[str] = ("loss",)) -> None:
            params = self.params or {}
            progress = {
                "epoch": self._epoch + 1,
                "epochs": params.get("epochs"),
                "step": self._step,
                "steps": params.get("steps"),
            }
            if now > self._began and self._steps_done > 1:
                progress["steps_per_second"] = (self._steps_done - 1) / (now - self._began)
            for name in names:
                if logs and name in logs:
                    with contextlib.suppress(TypeError, ValueError):  # not a number, as a matrix
                        progress[name] = float(logs[name])
            report(progress)

    return TrainwrightProgress
