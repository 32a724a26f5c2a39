"""Features for the model, made by tf.Transform from the columns of a trip."""

import features
import tensorflow as tf
import tensorflow_transform as tft


def preprocessing_fn(inputs):
    """Scales, numbers and sorts into buckets; the label is whether the tip was a good one.

    Args:
        inputs: The columns by name: a tensor, or a sparse one where values may be missing.

    Returns:
        What the model is trained with, by name.
    """
    outputs = {}
    for key in features.DENSE_FLOAT_FEATURE_KEYS:
        outputs[features.transformed_name(key)] = tft.scale_to_z_score(fill_in_missing(inputs[key]))
    for key in features.VOCAB_FEATURE_KEYS:
        outputs[features.transformed_name(key)] = tft.compute_and_apply_vocabulary(
            fill_in_missing(inputs[key]),
            top_k=features.VOCAB_SIZE,
            num_oov_buckets=features.OOV_SIZE,
        )
    for key in features.BUCKET_FEATURE_KEYS:
        outputs[features.transformed_name(key)] = tft.bucketize(
            fill_in_missing(inputs[key]), features.BUCKET_COUNT
        )
    for key in features.CATEGORICAL_FEATURE_SIZES:
        outputs[features.transformed_name(key)] = fill_in_missing(inputs[key])
    outputs[features.transformed_name(features.LABEL_KEY)] = is_good_tip(
        fill_in_missing(inputs[features.LABEL_KEY]), fill_in_missing(inputs[features.FARE_KEY])
    )
    return outputs


def is_good_tip(tips, fare):
    """1 where the tip is more than a fifth of the fare, else 0."""
    return tf.cast(tips > fare * 0.2, tf.float32)


def fill_in_missing(values):
    """One value for each trip: 0 or an empty string where there is none."""
    if not isinstance(values, tf.SparseTensor):
        return tf.squeeze(values, axis=1)
    default = "" if values.dtype == tf.string else 0
    one_column = tf.SparseTensor(values.indices, values.values, [values.dense_shape[0], 1])
    return tf.squeeze(tf.sparse.to_dense(one_column, default), axis=1)
