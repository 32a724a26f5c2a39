"""Models that TFMA exported from an Estimator, whose inputs name features and labels, too."""

import numpy as np
import pytest

from trainwright.evaluation.eval_saved_model import EvalSavedModel
from trainwright.proto.tfma import config_pb2


@pytest.fixture
def exported(tmp_path):
    """A graph with TFMA's signature: doubles x, and calls whether it is positive the label."""
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
            "labels": tf.cast(parsed["x"] > 0, tf.int64),
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
