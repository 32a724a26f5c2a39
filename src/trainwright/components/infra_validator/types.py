"""What a model server says of itself, and what it is asked; TFX's names."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tensorflow_serving.apis import classification_pb2, predict_pb2, regression_pb2

    Request = (
        classification_pb2.ClassificationRequest
        | regression_pb2.RegressionRequest
        | predict_pb2.PredictRequest
    )


class ModelServingStatus(enum.Enum):
    """How far a server is with a model."""

    NOT_READY = 1
    READY = 2
    # It could not be loaded, and will not be.
    UNAVAILABLE = 3
