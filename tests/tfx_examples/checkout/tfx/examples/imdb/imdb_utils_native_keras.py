"""The module file of the reviews pipeline: words by their number in a vocabulary."""

import absl
import tensorflow as tf
import tensorflow_transform as tft
from tensorflow import keras
from tfx_bsl.tfxio import dataset_options

from tfx.components.trainer.fn_args_utils import DataAccessor, FnArgs

_FEATURE_KEY = "text"
_LABEL_KEY = "label"
_VOCAB_SIZE = 20
_MAX_LEN = 10


def _transformed_name(key, is_input=False):
    return key + ("_xf_input" if is_input else "_xf")


def _tokenize_review(review):
    words = tf.strings.split(tf.reshape(review, [-1])).to_sparse()
    numbers = tft.compute_and_apply_vocabulary(words, default_value=_VOCAB_SIZE, top_k=_VOCAB_SIZE)
    dense = tf.sparse.to_dense(numbers, default_value=-1)
    padded = tf.pad(dense, [[0, 0], [0, _MAX_LEN]], "CONSTANT", -1)
    return tf.slice(padded, [0, 0], [-1, _MAX_LEN]) + 1


def preprocessing_fn(inputs):
    return {
        _transformed_name(_LABEL_KEY): inputs[_LABEL_KEY],
        _transformed_name(_FEATURE_KEY, True): _tokenize_review(inputs[_FEATURE_KEY]),
    }


def _input_fn(
    file_pattern: list[str],
    data_accessor: DataAccessor,
    tf_transform_output: tft.TFTransformOutput,
    batch_size: int = 20,
) -> tf.data.Dataset:
    return data_accessor.tf_dataset_factory(
        file_pattern,
        dataset_options.TensorFlowDatasetOptions(
            batch_size=batch_size, label_key=_transformed_name(_LABEL_KEY)
        ),
        tf_transform_output.transformed_metadata.schema,
    ).repeat()


def _build_keras_model() -> keras.Model:
    name = _transformed_name(_FEATURE_KEY, True)
    words = keras.layers.Input(shape=(_MAX_LEN,), dtype=tf.int64, name=name)
    embedded = keras.layers.Embedding(_VOCAB_SIZE + 2, 4)(words)
    hidden = keras.layers.Dense(4, activation="relu")(
        keras.layers.GlobalAveragePooling1D()(embedded)
    )
    model = keras.Model(inputs={name: words}, outputs=keras.layers.Dense(1)(hidden))
    model.compile(
        loss=keras.losses.BinaryCrossentropy(from_logits=True),
        optimizer=keras.optimizers.Adam(0.1),
        metrics=["accuracy"],
    )
    model.summary(print_fn=absl.logging.info)
    return model


def _get_serve_tf_examples_fn(model, tf_transform_output):
    model.tft_layer = tf_transform_output.transform_features_layer()

    @tf.function
    def serve_tf_examples_fn(serialized_tf_examples):
        feature_spec = tf_transform_output.raw_feature_spec()
        feature_spec.pop(_LABEL_KEY)
        parsed_features = tf.io.parse_example(serialized_tf_examples, feature_spec)
        return model(model.tft_layer(parsed_features))

    return serve_tf_examples_fn


def run_fn(fn_args: FnArgs):
    tf_transform_output = tft.TFTransformOutput(fn_args.transform_output)
    train_dataset = _input_fn(fn_args.train_files, fn_args.data_accessor, tf_transform_output)
    eval_dataset = _input_fn(fn_args.eval_files, fn_args.data_accessor, tf_transform_output, 5)
    model = _build_keras_model()
    model.fit(
        train_dataset,
        steps_per_epoch=fn_args.train_steps,
        validation_data=eval_dataset,
        validation_steps=fn_args.eval_steps,
    )
    serving = _get_serve_tf_examples_fn(model, tf_transform_output).get_concrete_function(
        tf.TensorSpec(shape=[None], dtype=tf.string, name="examples")
    )
    model.save(fn_args.serving_model_dir, save_format="tf", signatures={"serving_default": serving})
