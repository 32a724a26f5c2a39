"""What the module files of the digits pipeline share."""

import tensorflow as tf
import tensorflow_transform as tft
from tfx_bsl.tfxio import dataset_options

from tfx.components.trainer.fn_args_utils import DataAccessor

IMAGE_KEY = "image_floats"
LABEL_KEY = "image_class"


def transformed_name(key):
    return key + "_xf"


def preprocessing_fn(inputs):
    return {
        transformed_name(IMAGE_KEY): tft.scale_by_min_max(inputs[IMAGE_KEY], -0.5, 0.5),
        transformed_name(LABEL_KEY): inputs[LABEL_KEY],
    }


def input_fn(
    file_pattern: list[str],
    data_accessor: DataAccessor,
    tf_transform_output: tft.TFTransformOutput,
    batch_size: int = 20,
) -> tf.data.Dataset:
    return data_accessor.tf_dataset_factory(
        file_pattern,
        dataset_options.TensorFlowDatasetOptions(
            batch_size=batch_size, label_key=transformed_name(LABEL_KEY)
        ),
        tf_transform_output.transformed_metadata.schema,
    ).repeat()


def build_keras_model() -> tf.keras.Model:
    model = tf.keras.Sequential()
    model.add(tf.keras.layers.InputLayer(input_shape=(16,), name=transformed_name(IMAGE_KEY)))
    model.add(tf.keras.layers.Dense(8, activation="relu"))
    model.add(tf.keras.layers.Dropout(0.1))
    model.add(tf.keras.layers.Dense(4))
    model.compile(
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        optimizer=tf.keras.optimizers.RMSprop(learning_rate=0.03),
        metrics=["sparse_categorical_accuracy"],
    )
    return model
