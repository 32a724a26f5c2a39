"""ServedModel: which function of a SavedModel is asked."""

from __future__ import annotations

import battery_models
import numpy as np
import pytest
from battery_data import make_example

from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.evaluation.batches.features import FeatureReader
from trainwright.evaluation.models.saved_model import ServedModel
from trainwright.proto.tfma.config_pb2 import ModelSpec


@pytest.fixture(scope="module")
def keras_2(tmp_path_factory):
    """A model whose signature returns 1 minus what the model does."""
    directory = tmp_path_factory.mktemp("keras") / "model"
    battery_models.save_keras_2(directory)
    return str(directory)


def ask(model: ServedModel, *rows):
    import tensorflow as tf

    records = [make_example(**row) for row in rows]
    serialized = tf.constant(records)
    reader = FeatureReader(model.features_needed(rows[0]), ExampleFiles().features())
    (found,) = model.predict(serialized, reader.read(records, serialized)).values()
    return found


def test_a_model_of_keras_2_is_asked_itself_where_its_inputs_are_features(keras_2):
    row = {"x": 0.3, "size": 2.0}
    itself = ask(ServedModel(keras_2, ModelSpec()), row, row)
    named = ask(ServedModel(keras_2, ModelSpec(signature_name="serving_default")), row, row)
    np.testing.assert_allclose(itself, 1 - named, rtol=1e-6)


def test_without_its_inputs_the_signature_is_asked(keras_2):
    import tensorflow as tf

    # Which it tells by parsing a feature that is not there.
    with pytest.raises(tf.errors.InvalidArgumentError, match="size"):
        ask(ServedModel(keras_2, ModelSpec()), {"x": 0.3})
