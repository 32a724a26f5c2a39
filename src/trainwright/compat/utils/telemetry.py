"""The labels that TFX puts on jobs in a cloud. They are computed for programs that pass them on
themselves; nothing here sends anything.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import re
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

from trainwright._imports import require
from trainwright._version import TFX_API_VERSION, __version__

LABEL_TFX_RUNNER = "tfx_runner"
LABEL_TFX_EXECUTOR = "tfx_executor"
LABEL_KFP_SDK_ENV = "pipelines.kubeflow.org/pipeline-sdk-type"

_LONGEST_LABEL = 63  # of resources in Google Cloud
_log = logging.getLogger(__name__)


class _ThreadLabels(threading.local):
    """The labels that the current thread is in the scope of."""

    def __init__(self) -> None:
        self.labels: dict[str, str] = {}


_of_this_thread = _ThreadLabels()


@contextlib.contextmanager
def scoped_labels(labels: dict[str, str]) -> Iterator[None]:
    """Adds labels to those of this thread while the `with` block runs."""
    before = _of_this_thread.labels
    _of_this_thread.labels = {**before, **labels}
    try:
        yield
    finally:
        _of_this_thread.labels = before


def make_labels_dict() -> dict[str, str]:
    """All labels that hold here: the versions, and those of `scoped_labels`."""
    labels = {
        "tfx_version": TFX_API_VERSION,
        "tfx_py_version": f"{sys.version_info.major}.{sys.version_info.minor}",
        **_of_this_thread.labels,
    }
    # The name of a user's own executor is nobody's business.
    if labels.get(LABEL_TFX_EXECUTOR) and not labels[LABEL_TFX_EXECUTOR].startswith("tfx."):
        labels[LABEL_TFX_EXECUTOR] = "third_party_executor"
    return {name: _normalized(value) for name, value in labels.items()}


def make_beam_labels_args() -> list[str]:
    """The labels as arguments of a Beam pipeline, sorted by name."""
    arguments = []
    for name, value in sorted(make_labels_dict().items()):
        arguments += ["--labels", f"{name}={value}"]
    return arguments


def noop_telemetry(event_metric: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator that leaves a function as it is: nothing is measured."""
    del event_metric

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            return function(*args, **kwargs)

        return call

    return decorate


class TFXHttpRequest:
    """Makes requests of googleapiclient whose user agent says that they come from a pipeline.

    Calling it gives a `googleapiclient.http.HttpRequest`: pass it as `requestBuilder`.
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        http = require("googleapiclient.http", package="google-api-python-client")
        headers = kwargs.setdefault("headers", {})
        headers["user-agent"] = f"tfx/{__version__} (client_context:tfxpipeline;)"
        return http.HttpRequest(*args, **kwargs)


def _normalized(value: str) -> str:
    """A value in the characters and the length that a cloud takes."""
    plain = re.sub(r"[^a-z0-9_-]", "-", value.lower())
    if len(plain) > _LONGEST_LABEL:
        _log.warning("Label %s is longer than %d characters: cut.", plain, _LONGEST_LABEL)
    return plain[:_LONGEST_LABEL]
