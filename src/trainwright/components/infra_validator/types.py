"""Questions to a model server, and its answers; TFX's names."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any, Union

if TYPE_CHECKING:
    from tensorflow_serving.apis import classification_pb2, predict_pb2, regression_pb2

    TensorFlowServingRequest = (
        classification_pb2.ClassificationRequest
        | regression_pb2.RegressionRequest
        | predict_pb2.PredictRequest
    )
    Request = TensorFlowServingRequest

_REQUESTS = ("Request", "TensorFlowServingRequest")


class ModelServingStatus(enum.Enum):
    """How far a server is with a model."""

    NOT_READY = 1
    READY = 2
    # It could not be loaded, and will not be.
    UNAVAILABLE = 3


def __getattr__(name: str) -> Any:
    """The types of requests, whose messages are imported by whoever asks for them."""
    if name not in _REQUESTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from tensorflow_serving.apis import classification_pb2, predict_pb2, regression_pb2

    return Union[  # noqa: UP007  of classes that are found at run time
        classification_pb2.ClassificationRequest,
        regression_pb2.RegressionRequest,
        predict_pb2.PredictRequest,
    ]
