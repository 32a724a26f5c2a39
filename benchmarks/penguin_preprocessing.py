"""The module file of the penguin pipeline whose Transform node is measured."""

from __future__ import annotations

from typing import Any

import tensorflow as tf
import tensorflow_transform as tft

NUMBERS = ("bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g")


def preprocessing_fn(inputs: dict[str, Any]) -> dict[str, Any]:
    outputs = {name: tft.scale_to_z_score(_one_value(inputs[name])) for name in NUMBERS}
    outputs["species"] = tft.compute_and_apply_vocabulary(_one_value(inputs["species"]))
    return outputs


def _one_value(values: Any) -> tf.Tensor:
    if isinstance(values, tf.SparseTensor):
        default = "" if values.dtype == tf.string else 0
        single = tf.SparseTensor(values.indices, values.values, [values.dense_shape[0], 1])
        values = tf.sparse.to_dense(single, default)
    return tf.reshape(values, [-1])
