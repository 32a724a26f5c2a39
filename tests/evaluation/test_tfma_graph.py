"""Models that TFMA exported from an Estimator, whose inputs name features and labels, too."""

import numpy as np
import pytest

from trainwright.components.evaluator.models import eval_model_source
from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.evaluation.batches.example_batch import ExampleBatch
from trainwright.evaluation.batches.model_batches import make_model_batch
from trainwright.evaluation.metrics.keras.graph_metrics import GraphMetricSums
from trainwright.evaluation.models.eval_saved_model import EvalSavedModel
from trainwright.proto.tfma import config_pb2


@pytest.fixture
def exported(tmp_path):
    """A graph with TFMA's signature: doubles x, and calls whether it is positive the label."""
    return export(tmp_path, "labels")


def export(tmp_path, *labels):
    import tensorflow as tf

    v1 = tf.compat.v1
    path = str(tmp_path / "model")
    with tf.Graph().as_default(), v1.Session() as session:
        serialized = v1.placeholder(tf.string, [None])
        spec = {"x": tf.io.FixedLenFeature([], tf.float32), "tags": tf.io.VarLenFeature(tf.string)}
        parsed = tf.io.parse_example(serialized, spec)
        tensors = {
            "inputs/examples": serialized,
            "features/x": parsed["x"],
            "features/tags": parsed["tags"],
            **{label: tf.cast(parsed["x"] > 0, tf.int64) for label in labels},
        }
        info = v1.saved_model.utils.build_tensor_info
        signature = v1.saved_model.signature_def_utils.build_signature_def(
            inputs={name: info(tensor) for name, tensor in tensors.items()},
            outputs={"predictions/doubled": info(2 * parsed["x"])},
            method_name="eval",
        )
        builder = v1.saved_model.builder.SavedModelBuilder(path)
        builder.add_meta_graph_and_variables(session, ["eval"], {"eval": signature})
        builder.save()
    return path


def serialized_examples():
    import tensorflow as tf

    rows = [(1.5, [b"a", b"b"]), (-2.0, [])]
    return tf.constant(
        [
            tf.train.Example(
                features=tf.train.Features(
                    feature={
                        "x": tf.train.Feature(float_list=tf.train.FloatList(value=[x])),
                        "tags": tf.train.Feature(bytes_list=tf.train.BytesList(value=tags)),
                    }
                )
            ).SerializeToString()
            for x, tags in rows
        ]
    )


def test_predictions_features_and_labels_come_from_the_graph(exported):
    model = EvalSavedModel(exported, config_pb2.ModelSpec(label_key="x"))
    serialized = serialized_examples()
    np.testing.assert_allclose(model.predict(serialized, {})["doubled"], [3.0, -4.0])
    made = model.preprocess(serialized, {})
    assert list(made["tags"].lengths) == [2, 0]
    # The label goes by the name that the spec gives it, although a feature has it, too.
    assert list(made["x"].values) == [1, 0]


@pytest.mark.parametrize(
    ("labels", "label_key", "label_keys"),
    [
        ([], "", {}),
        (["labels"], "__labels", {}),
        (["labels/tips"], "tips", {}),
        (["labels/a", "labels/b"], "", {"a": "a", "b": "b"}),
    ],
)
def test_labels_are_what_the_graph_has_unless_the_spec_names_some(
    tmp_path, labels, label_key, label_keys
):
    path = export(tmp_path, *labels)
    spec = config_pb2.ModelSpec()
    eval_model_source(path, spec)
    assert (spec.label_key, dict(spec.label_keys)) == (label_key, label_keys)
    named = config_pb2.ModelSpec(label_key="mine")
    eval_model_source(path, named)
    assert named == config_pb2.ModelSpec(label_key="mine")


def test_metrics_inside_of_a_graph_need_no_known_prediction(exported):
    answers = {"distance": np.ones(2), "cluster": np.ones(2)}

    class Clusters(EvalSavedModel):
        def predict(self, serialized, columns):
            return answers

    spec = config_pb2.ModelSpec(label_key="x")
    serialized = serialized_examples()
    batch = ExampleBatch(
        records=list(serialized.numpy()),
        serialized=serialized,
        columns={},
        features=ExampleFiles().features(),
        model_specs=[spec],
        models={"": Clusters(exported, spec)},
        shard_name="",
        first_record=0,
    )
    read = batch.for_computation(GraphMetricSums("", "", exported))
    assert (read.size, read.records) == (2, batch.records)
    with pytest.raises(ValueError, match="none of them is known to be the prediction"):
        batch.of_model("", "")


def test_several_heads_have_a_prediction_each_and_none_together():
    answers = {"a/predictions": np.array([1.0, 2.0]), "b/logistic": np.array([0.1, 0.2])}
    spec = config_pb2.ModelSpec()
    assert make_model_batch(spec, "", answers, {}, 2).predictions is None
    assert list(make_model_batch(spec, "b", answers, {}, 2).predictions) == [0.1, 0.2]
