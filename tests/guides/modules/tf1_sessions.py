"""TensorFlow 1: a graph, placeholders, a session, and a SavedModel of what the session holds."""

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

_FEATURE_KEYS = ["trip_miles", "fare"]
_LABEL_KEY = "big_tipper"
_SPEC = {key: tf.FixedLenFeature([1], tf.float32) for key in _FEATURE_KEYS}


def _read(file_patterns):
    files = tf.data.Dataset.list_files(file_patterns)
    examples = tf.data.TFRecordDataset(files, compression_type="GZIP").repeat().batch(20)
    return tf.data.make_one_shot_iterator(examples).get_next()


def _logits(features):
    with tf.variable_scope("model", reuse=tf.AUTO_REUSE):
        weights = tf.get_variable("weights", [len(_FEATURE_KEYS), 1])
        bias = tf.get_variable("bias", [1])
    return tf.matmul(tf.concat([features[key] for key in _FEATURE_KEYS], axis=1), weights) + bias


def run_fn(fn_args):
    with tf.Graph().as_default(), tf.Session() as session:
        label_spec = {_LABEL_KEY: tf.FixedLenFeature([1], tf.int64)}
        batch = tf.parse_example(_read(fn_args.train_files), {**_SPEC, **label_spec})
        labels = tf.cast(batch[_LABEL_KEY], tf.float32)
        loss = tf.losses.sigmoid_cross_entropy(labels, _logits(batch))
        train_op = tf.train.AdamOptimizer(0.2).minimize(loss)

        examples = tf.placeholder(tf.string, [None], name="examples")
        probability = tf.sigmoid(_logits(tf.parse_example(examples, _SPEC)))

        session.run(tf.global_variables_initializer())
        for _ in range(fn_args.train_steps):
            session.run(train_op)
        tf.saved_model.simple_save(
            session, fn_args.serving_model_dir, {"examples": examples}, {"outputs": probability}
        )
