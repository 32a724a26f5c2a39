"""ServingMetrics: what a server counts, in Prometheus' form."""

from __future__ import annotations

import functools
from typing import Any

from trainwright._imports import require

_PREFIX = "trainwright_serving"
_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60)
_ROWS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 1024)


class ServingMetrics:
    """The counters of one server, in a registry of their own.

    Args:
        model_name: A label of all of them.
    """

    def __init__(self, model_name: str) -> None:
        self._library: Any = require("prometheus_client", "serve")
        self._registry = self._library.CollectorRegistry()
        self._name = model_name
        self._requests = self._make(
            "Counter", "requests", "Requests that were answered.", "verb", "code"
        )
        self._seconds = self._make(
            "Histogram", "request_seconds", "How long requests took.", "verb", buckets=_SECONDS
        )
        self.batch_rows = self._make(
            "Histogram", "batch_rows", "Rows that were computed at once.", buckets=_ROWS
        )
        self.in_flight = self._make("Gauge", "requests_in_flight", "Requests being answered.")
        self._versions = self._make(
            "Gauge", "version_available", "1 for each version that is served.", "version"
        )
        self._loads = self._make(
            "Counter", "version_loads", "Versions that were loaded, or could not be.", "outcome"
        )

    def _make(self, kind: str, name: str, about: str, *labels: str, **options: Any) -> Any:
        """A metric; one without labels of its own is ready to be used."""
        made = getattr(self._library, kind)(
            f"{_PREFIX}_{name}", about, ("model", *labels), registry=self._registry, **options
        )
        return made if labels else made.labels(self._name)

    def note_request(self, verb: str, code: int, seconds: float) -> None:
        self._requests_of(verb, code).inc()
        self._seconds_of(verb).observe(seconds)

    # Looking a metric up by its labels takes longer than counting: there are few of them.
    @functools.cache  # noqa: B019  it lives as long as the process
    def _requests_of(self, verb: str, code: int) -> Any:
        return self._requests.labels(self._name, verb, str(code))

    @functools.cache  # noqa: B019
    def _seconds_of(self, verb: str) -> Any:
        return self._seconds.labels(self._name, verb)

    def note_load(self, *, succeeded: bool) -> None:
        self._loads.labels(self._name, "loaded" if succeeded else "failed").inc()

    def note_version(self, version: int, *, is_available: bool) -> None:
        if is_available:
            self._versions.labels(self._name, str(version)).set(1)
        else:
            self._versions.remove(self._name, str(version))

    def render(self) -> tuple[bytes, str]:
        """The metrics as Prometheus reads them, and their content type."""
        return self._library.generate_latest(self._registry), self._library.CONTENT_TYPE_LATEST
