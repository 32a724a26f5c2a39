"""Trains a small network on handwritten digits, and saves it twice.

The SavedModel for servers takes serialized examples with PNG images. What runs elsewhere has no
parser for these: its signature, `pixels`, takes numbers, and so does the LiteRT model that is
written beside it where the pipeline asks for one.
"""

from __future__ import annotations

import os

import tensorflow as tf
import tensorflow_transform as tft

from trainwright import TensorFlowDatasetOptions
from trainwright.components import FnArgs
from trainwright.components.trainer.rewriting import converters, rewriter, rewriter_factory

LABEL = "digit_xf"


def run_fn(fn_args: FnArgs) -> None:
    transform = tft.TFTransformOutput(fn_args.transform_graph_path)
    tf.keras.utils.set_random_seed(1)
    model = make_model()
    model.fit(
        read(fn_args.train_files, fn_args, transform, num_epochs=None),
        steps_per_epoch=fn_args.train_steps,
        validation_data=read(fn_args.eval_files, fn_args, transform, num_epochs=1),
        verbose=2,
    )
    target = fn_args.serving_model_dir
    if not (fn_args.custom_config or {}).get("litert"):
        tf.saved_model.save(model, target, signatures=make_signatures(model, transform))
        return
    saved_model = os.path.join(fn_args.model_run_dir, "saved_model")
    tf.saved_model.save(model, saved_model, signatures={"serving_default": serve_pixels(model)})
    to_litert = rewriter_factory.create_rewriter(rewriter_factory.TFLITE_REWRITER, name="digits")
    converters.rewrite_saved_model(saved_model, target, to_litert, rewriter.ModelType.TFLITE_MODEL)


def make_model() -> tf.keras.Model:
    pixels = tf.keras.Input((64,), name="pixels")
    image = tf.keras.layers.Reshape((8, 8, 1))(pixels)
    found = tf.keras.layers.Conv2D(16, 3, activation="relu")(image)
    hidden = tf.keras.layers.Dense(32, activation="relu")(tf.keras.layers.Flatten()(found))
    model = tf.keras.Model({"pixels": pixels}, tf.keras.layers.Dense(10)(hidden))
    loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(tf.keras.optimizers.Adam(0.003), loss, metrics=["accuracy"])
    return model


def read(files, fn_args, transform, num_epochs) -> tf.data.Dataset:
    options = TensorFlowDatasetOptions(batch_size=32, num_epochs=num_epochs, label_key=LABEL)
    schema = transform.transformed_metadata.schema
    return fn_args.data_accessor.tf_dataset_factory(files, options, schema)


def serve_pixels(model):
    @tf.function(input_signature=[tf.TensorSpec([None, 64], tf.float32, name="pixels")])
    def serve(pixels):
        return {"logits": model({"pixels": pixels})}

    return serve


def make_signatures(model, transform):
    model.transform = transform.transform_features_layer()

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="examples")])
    def serve_examples(examples):
        spec = transform.raw_feature_spec()
        spec.pop("digit")
        features = model.transform(tf.io.parse_example(examples, spec))
        return {"logits": model({"pixels": features["pixels"]})}

    return {"serving_default": serve_examples, "pixels": serve_pixels(model)}
