"""Features of taxi trips: scores, vocabularies and buckets, and whether the tip was a good one."""

from __future__ import annotations

from typing import Any

import tensorflow as tf
import tensorflow_transform as tft

SCORED = ("trip_miles", "fare", "trip_seconds")
VOCABULARIES = ("payment_type", "company")
BUCKETED = ("pickup_latitude", "pickup_longitude", "dropoff_latitude", "dropoff_longitude")
CATEGORIES = (
    "trip_start_hour",
    "trip_start_day",
    "trip_start_month",
    "pickup_community_area",
    "dropoff_community_area",
    "dropoff_census_tract",
)
LABEL = "tips"

VOCABULARY_SIZE = 1000
UNKNOWN_WORDS = 10
BUCKETS = 10


def transformed_name(name: str) -> str:
    return f"{name}_xf"


def preprocessing_fn(inputs: dict[str, Any]) -> dict[str, Any]:
    """From the columns of a trip to what a model is fed."""
    outputs = {}
    for name in SCORED:
        outputs[transformed_name(name)] = tft.scale_to_z_score(fill_in_missing(inputs[name]))
    for name in VOCABULARIES:
        outputs[transformed_name(name)] = tft.compute_and_apply_vocabulary(
            fill_in_missing(inputs[name]), top_k=VOCABULARY_SIZE, num_oov_buckets=UNKNOWN_WORDS
        )
    for name in BUCKETED:
        outputs[transformed_name(name)] = tft.bucketize(fill_in_missing(inputs[name]), BUCKETS)
    for name in CATEGORIES:
        outputs[transformed_name(name)] = fill_in_missing(inputs[name])
    # A good tip is more than a fifth of the fare.
    fare, tips = fill_in_missing(inputs["fare"]), fill_in_missing(inputs[LABEL])
    outputs[transformed_name(LABEL)] = tf.where(
        tf.math.is_nan(fare), tf.zeros_like(tips), tf.cast(tips > fare * 0.2, tf.float32)
    )
    return outputs


def fill_in_missing(values: tf.Tensor | tf.SparseTensor) -> tf.Tensor:
    """One value for each trip: 0 or an empty text where there is none."""
    if not isinstance(values, tf.SparseTensor):
        return tf.squeeze(values, axis=1) if values.shape.rank == 2 else values
    default = "" if values.dtype == tf.string else 0
    dense = tf.sparse.to_dense(
        tf.SparseTensor(values.indices, values.values, [values.dense_shape[0], 1]), default
    )
    return tf.squeeze(dense, axis=1)
