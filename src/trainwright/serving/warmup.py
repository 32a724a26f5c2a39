"""Warm-up: the requests that a model carries with it, asked before it serves."""

from __future__ import annotations

import itertools
import os
from typing import Any

import numpy as np

from trainwright._imports import require
from trainwright.data.tfrecord import TFRecordError, read_records
from trainwright.serving.errors import ModelLoadError, RequestError
from trainwright.serving.served_model import ServedModel
from trainwright.types import model_paths

# What TensorFlow Serving reads of the file.
MOST_WARMUP_REQUESTS = 1000


def warm_up(model: ServedModel) -> int:
    """Asks the model its warm-up requests, so that no client waits for its first computation.

    Returns how many there were. As in TensorFlow Serving, a model that cannot answer them is not
    served.

    Raises:
        ModelLoadError: if a request cannot be read or answered.
    """
    path = model_paths.warmup_file_path(model.path)
    if not os.path.isfile(path):
        return 0
    prediction_log = require("tensorflow_serving.apis.prediction_log_pb2", "serve")
    asked = 0
    try:
        for record in itertools.islice(read_records(path), MOST_WARMUP_REQUESTS):
            log = prediction_log.PredictionLog.FromString(record)
            asked += _ask(model, log)
    except (TFRecordError, RequestError, ValueError, KeyError) as error:
        raise ModelLoadError(
            f"The warm-up request {asked + 1} of {path} cannot be answered: {error}. Remove the "
            "file, or write it anew with an InfraValidator (make_warmup)."
        ) from error
    return asked


def _ask(model: ServedModel, log: Any) -> int:
    """Asks one request; those of kinds that are not served are left out."""
    import tensorflow as tf

    kind = log.WhichOneof("log_type")
    if kind not in ("predict_log", "classify_log", "regress_log"):
        return 0
    request = getattr(log, kind).request
    signature = model.signature(request.model_spec.signature_name)
    if kind == "predict_log":
        arrays = {name: tf.make_ndarray(tensor) for name, tensor in request.inputs.items()}
    else:
        examples = request.input.example_list.examples
        serialized = [example.SerializeToString() for example in examples]
        arrays = {name: np.array(serialized, object) for name in signature.inputs}
    model.run(signature, arrays)
    return 1
