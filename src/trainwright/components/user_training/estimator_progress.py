"""Progress of Estimators: a hook that tells the step rate and the loss, as `fit` of Keras does.

It is added to every `train` of an Estimator in a Trainer's process, and the results of `evaluate`
are told as well.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

_SECONDS = 0.5

# The module that has the class of all Estimators.
ESTIMATOR_MODULE = "tensorflow_estimator.python.estimator.estimator"


def report_estimator_progress(
    module: ModuleType, report: Callable[[Mapping[str, Any]], None]
) -> None:
    """Makes `train` and `evaluate` report, in addition to the user's own hooks."""
    estimator = module.Estimator
    original_train, original_evaluate = estimator.train, estimator.evaluate

    @functools.wraps(original_train)
    def train(
        self: Any,
        input_fn: Any,
        hooks: Any = None,
        steps: int | None = None,
        max_steps: int | None = None,
        saving_listeners: Any = None,
    ) -> Any:
        hook = _make_hook(report, steps, max_steps)
        hooks = [*(hooks or ()), hook]
        return original_train(self, input_fn, hooks, steps, max_steps, saving_listeners)

    @functools.wraps(original_evaluate)
    def evaluate(self: Any, *args: Any, **kwargs: Any) -> Any:
        result = original_evaluate(self, *args, **kwargs)
        if result:
            report({f"eval_{name}": float(value) for name, value in _numbers(result)})
        return result

    estimator.train, estimator.evaluate = train, evaluate


def _numbers(result: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The scalar results, without matrices and strings."""
    return [
        (name, value)
        for name, value in result.items()
        if name != "global_step" and getattr(value, "ndim", 0) == 0 and not isinstance(value, bytes)
    ]


def _make_hook(
    report: Callable[[Mapping[str, Any]], None], steps: int | None, max_steps: int | None
) -> Any:
    import tensorflow as tf

    class TrainwrightProgress(tf.estimator.SessionRunHook):  # type: ignore[misc]
        """Reads step and loss twice a second, together with a step that is run anyway."""

        def begin(self) -> None:
            graph = tf.compat.v1.get_default_graph()
            self._fetches = {"step": tf.compat.v1.train.get_global_step(graph)}
            # Where the Estimator itself looks for a loss that is not a number.
            losses = graph.get_collection(tf.compat.v1.GraphKeys.LOSSES)
            if losses:
                self._fetches["loss"] = losses[-1]
            self._first: tuple[float, int] | None = None
            self._next = 0.0

        def before_run(self, run_context: Any) -> Any:
            if time.monotonic() < self._next:
                return None
            return tf.estimator.SessionRunArgs(self._fetches)

        def after_run(self, run_context: Any, run_values: Any) -> None:
            if run_values.results is not None:
                self._tell(run_values.results)

        def end(self, session: Any) -> None:
            self._tell({"step": session.run(self._fetches["step"])})

        def _tell(self, values: Mapping[str, Any]) -> None:
            now, step = time.monotonic(), int(values["step"])
            self._next = now + _SECONDS
            if self._first is None:
                self._first = (now, step)  # the first step also builds the session
            began, first = self._first
            progress: dict[str, Any] = {
                "step": step,
                "steps": max_steps if max_steps is not None else steps and first + steps,
            }
            if step > first:
                progress["steps_per_second"] = (step - first) / (now - began)
            if "loss" in values:
                progress["loss"] = float(values["loss"])
            report(progress)

    return TrainwrightProgress()
