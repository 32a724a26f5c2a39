# %% [markdown] A whole pipeline in a notebook, in the shape of TFX's simplest tutorial.

# %%
import os

import tensorflow as tf
from absl import logging

from tfx import v1 as tfx

logging.set_verbosity(logging.INFO)
PIPELINE_NAME = "penguin-simple"
PIPELINE_ROOT = os.path.join("pipelines", PIPELINE_NAME)
METADATA_PATH = os.path.join("metadata", PIPELINE_NAME, "metadata.db")
SERVING_MODEL_DIR = os.path.join("serving_model", PIPELINE_NAME)

# %%
_trainer_module_file = "penguin_trainer.py"

# %%
%%writefile {_trainer_module_file}
from typing import List

import tensorflow as tf
from absl import logging
from tensorflow import keras
from tensorflow_transform.tf_metadata import schema_utils

from tfx import v1 as tfx
from tfx_bsl.public import tfxio
from tensorflow_metadata.proto.v0 import schema_pb2

_FEATURE_KEYS = ["bill_length_mm", "bill_depth_mm"]
_LABEL_KEY = "year"
_FEATURE_SPEC = {
    **{name: tf.io.FixedLenFeature(shape=[1], dtype=tf.float32) for name in _FEATURE_KEYS},
    _LABEL_KEY: tf.io.FixedLenFeature(shape=[1], dtype=tf.int64),
}


def _input_fn(
    file_pattern: List[str],
    data_accessor: tfx.components.DataAccessor,
    schema: schema_pb2.Schema,
    batch_size: int = 200,
) -> tf.data.Dataset:
    options = tfxio.TensorFlowDatasetOptions(batch_size=batch_size, label_key=_LABEL_KEY)
    return data_accessor.tf_dataset_factory(file_pattern, options, schema=schema).repeat()


def _build_keras_model() -> tf.keras.Model:
    inputs = [keras.layers.Input(shape=(1,), name=name) for name in _FEATURE_KEYS]
    hidden = keras.layers.concatenate(inputs)
    hidden = keras.layers.Dense(8, activation="relu")(hidden)
    model = keras.Model(inputs=inputs, outputs=keras.layers.Dense(1)(hidden))
    model.compile(optimizer=keras.optimizers.Adam(1e-2), loss="mse", metrics=["mae"])
    model.summary(print_fn=logging.info)
    return model


def run_fn(fn_args: tfx.components.FnArgs):
    schema = schema_utils.schema_from_feature_spec(_FEATURE_SPEC)
    train = _input_fn(fn_args.train_files, fn_args.data_accessor, schema, batch_size=20)
    model = _build_keras_model()
    model.fit(train, steps_per_epoch=fn_args.train_steps)
    model.save(fn_args.serving_model_dir, save_format="tf")

# %%
def _create_pipeline(
    pipeline_name: str,
    pipeline_root: str,
    data_root: str,
    module_file: str,
    serving_model_dir: str,
    metadata_path: str,
) -> tfx.dsl.Pipeline:
    example_gen = tfx.components.CsvExampleGen(input_base=data_root)
    trainer = tfx.components.Trainer(
        module_file=module_file,
        examples=example_gen.outputs["examples"],
        train_args=tfx.proto.TrainArgs(num_steps=20),
        eval_args=tfx.proto.EvalArgs(num_steps=5),
    )
    pusher = tfx.components.Pusher(
        model=trainer.outputs["model"],
        push_destination=tfx.proto.PushDestination(
            filesystem=tfx.proto.PushDestination.Filesystem(base_directory=serving_model_dir)
        ),
    )
    return tfx.dsl.Pipeline(
        pipeline_name=pipeline_name,
        pipeline_root=pipeline_root,
        metadata_connection_config=tfx.orchestration.metadata.sqlite_metadata_connection_config(
            metadata_path
        ),
        components=[example_gen, trainer, pusher],
    )

# %%
tfx.orchestration.LocalDagRunner().run(
    _create_pipeline(
        pipeline_name=PIPELINE_NAME,
        pipeline_root=PIPELINE_ROOT,
        data_root="data",
        module_file=_trainer_module_file,
        serving_model_dir=SERVING_MODEL_DIR,
        metadata_path=METADATA_PATH,
    )
)

# %%
!find {SERVING_MODEL_DIR} -name saved_model.pb
