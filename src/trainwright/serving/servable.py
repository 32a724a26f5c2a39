"""Servable: a version once it is loaded, with what computes its requests."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass

from trainwright.serving.batching import Batcher
from trainwright.serving.metrics import ServingMetrics
from trainwright.serving.served_model import ServedModel
from trainwright.serving.settings import ServingSettings
from trainwright.serving.warmup import warm_up


@dataclass(frozen=True)
class Servable:
    """A model that is ready, and its batches."""

    model: ServedModel
    batcher: Batcher

    def close(self) -> None:
        """Gives the model's memory back."""
        self.model.close()


def load_servable(
    path: str, executor: Executor, settings: ServingSettings, metrics: ServingMetrics
) -> Servable:
    """Loads a SavedModel and asks it its warm-up requests.

    Raises:
        ModelLoadError: if it cannot be loaded or does not answer.
    """
    model = ServedModel(path, timeout_seconds=settings.timeout_seconds)
    try:
        warm_up(model)
    except BaseException:
        model.close()
        raise
    return Servable(model, Batcher(model, executor, settings, metrics))
