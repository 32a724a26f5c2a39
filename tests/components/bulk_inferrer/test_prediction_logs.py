"""Prediction logs that are cut out of one message are the bytes that each alone would be."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("tensorflow_serving")


def texts(*values):
    return np.array(values, object)


RECORDS = texts(b"", b"short", b"x" * 126, b"y" * 300, b"short")


@pytest.mark.parametrize(
    "outputs",
    [
        {"score": np.array([[0.5], [-1.0], [np.nan], [np.inf], [0.0]], np.float32)},
        {"score": np.arange(5, dtype=np.float64), "other": np.zeros((5, 2, 3), np.float32)},
        {"classes": np.arange(10).reshape(5, 2), "a": np.arange(15.0).reshape(5, 3)},
        {"alone": np.array([1, 300, -1, 0, 1 << 40])},
        {"label": texts(b"a", b"bc", b"", b"d", b"e"), "score": np.ones((5, 1), np.float32)},
        {"nothing": np.zeros((5, 0), np.float32)},
    ],
    ids=lambda outputs: "-".join(f"{v.dtype}{list(v.shape[1:])}" for v in outputs.values()),
)
@pytest.mark.parametrize("shape", [(5,), (5, 1)])
def test_each_is_the_message_that_tensorflow_makes(outputs, shape):
    import tensorflow as tf
    from tensorflow_serving.apis import prediction_log_pb2

    from trainwright.components.bulk_inferrer.bulk_model import Answer, AskedSignature
    from trainwright.components.bulk_inferrer.prediction_logs import encode_logs
    from trainwright.components.bulk_inferrer.signatures import PREDICT

    signature = AskedSignature("serving_default", PREDICT, True)
    inputs = {"examples": RECORDS.reshape(shape)}
    encoded = list(encode_logs(RECORDS.tolist(), [Answer(signature, inputs, outputs)]))
    for number, one in enumerate(encoded):
        log = prediction_log_pb2.PredictionLog.FromString(one)
        assert log.SerializeToString(deterministic=True) == one
        sides = (
            (log.predict_log.request.inputs, inputs),
            (log.predict_log.response.outputs, outputs),
        )
        for tensors, expected in sides:
            assert tensors.keys() == expected.keys()
            for name, rows in expected.items():
                np.testing.assert_array_equal(
                    tf.make_ndarray(tensors[name]), rows[number : number + 1]
                )
        for spec in (log.predict_log.request.model_spec, log.predict_log.response.model_spec):
            assert spec.signature_name == "serving_default"
    assert len(encoded) == len(RECORDS)
