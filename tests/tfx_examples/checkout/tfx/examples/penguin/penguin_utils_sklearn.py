"""The module file of the penguin pipeline with scikit-learn."""

import os
import pickle

import absl
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from tensorflow_metadata.proto.v0 import schema_pb2
from tfx_bsl.tfxio import dataset_options

from tfx.components.trainer.fn_args_utils import DataAccessor, FnArgs
from tfx.dsl.io import fileio
from tfx.utils import io_utils

_FEATURE_KEYS = ["culmen_length_mm", "culmen_depth_mm", "flipper_length_mm", "body_mass_g"]


def _input_fn(
    file_pattern: list[str], data_accessor: DataAccessor, schema: schema_pb2.Schema
) -> tuple[np.ndarray, np.ndarray]:
    options = dataset_options.RecordBatchesOptions(batch_size=20, num_epochs=1)
    features, labels = [], []
    for record_batch in data_accessor.record_batch_factory(file_pattern, options, schema):
        columns = {
            field.name: column.flatten()
            for column, field in zip(record_batch, record_batch.schema, strict=True)
        }
        labels.append(columns["species"])
        features.append(np.stack([columns[key] for key in _FEATURE_KEYS], axis=-1))
    return np.concatenate(features), np.concatenate(labels)


def run_fn(fn_args: FnArgs):
    schema = io_utils.parse_pbtxt_file(fn_args.schema_file, schema_pb2.Schema())
    model = Pipeline([("scaler", StandardScaler()), ("classifier", LogisticRegression())])
    model.fit(*_input_fn(fn_args.train_files, fn_args.data_accessor, schema))
    score = model.score(*_input_fn(fn_args.eval_files, fn_args.data_accessor, schema))
    absl.logging.info("Accuracy: %f", score)
    assert score > 0.9
    os.makedirs(fn_args.serving_model_dir)
    with fileio.open(os.path.join(fn_args.serving_model_dir, "model.pkl"), "wb+") as file:
        pickle.dump(model, file)
