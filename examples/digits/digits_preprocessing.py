"""Features of handwritten digits: an image as numbers between 0 and 1."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

SIZE = 8


def preprocessing_fn(inputs: dict[str, Any]) -> dict[str, Any]:
    """Decodes the PNG images of a batch."""

    def decode(png: tf.Tensor) -> tf.Tensor:
        image = tf.io.decode_png(png, channels=1)
        return tf.reshape(tf.cast(image, tf.float32) / 255.0, [SIZE * SIZE])

    images = tf.map_fn(decode, tf.reshape(inputs["image"], [-1]), fn_output_signature=tf.float32)
    return {"pixels": tf.ensure_shape(images, [None, SIZE * SIZE]), "digit_xf": inputs["digit"]}
