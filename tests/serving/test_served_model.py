"""A SavedModel in a session."""

import inspect
import time
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus

import numpy as np
import pytest

from trainwright.serving.errors import ModelLoadError, RequestError
from trainwright.serving.served_model import ServedModel


def test_signatures_say_what_is_taken(served_model):
    named = served_model.signature("named")
    assert {name: (spec.kind, spec.shape) for name, spec in named.inputs.items()} == {
        "count": ("int64", (None,)),
        "flag": ("bool", (None,)),
        "number": ("float32", (None,)),
        "word": ("string", (None,)),
    }
    assert named.is_batchable
    assert not served_model.signature("mean").is_batchable
    assert served_model.signature("serialized").serialized_input.name == "examples"
    assert served_model.signature("classify").method == "tensorflow/serving/classify"


def test_a_computation_that_takes_too_long_is_ended(model_directory):
    model = ServedModel(str(model_directory), timeout_seconds=0.3)
    began = time.monotonic()
    with pytest.raises(RequestError, match="longer than this server allows") as raised:
        model.run(model.signature("slow"), {"turns": np.array([10**12])})
    assert raised.value.status is HTTPStatus.GATEWAY_TIMEOUT
    assert time.monotonic() - began < 60
    assert model.run(model.signature(""), {"x": np.ones((1, 2), np.float32)})["y"].tolist() == [2]
    model.close()


def test_closing_waits_for_what_is_being_computed(model_directory):
    model = ServedModel(str(model_directory), timeout_seconds=30)
    with ThreadPoolExecutor(1) as executor:
        slow = executor.submit(model.run, model.signature("slow"), {"turns": np.array([50_000])})
        time.sleep(0.1)
        model.close()
        assert slow.done()
        assert slow.result()["total"].shape == (1,)


def test_what_is_not_a_saved_model_is_told(tmp_path):
    (tmp_path / "weights.h5").write_bytes(b"")
    with pytest.raises(ModelLoadError, match=r"expected saved_model.pb, found weights.h5"):
        ServedModel(str(tmp_path))
    (tmp_path / "saved_model.pb").write_bytes(b"not a graph")
    with pytest.raises(ModelLoadError, match="cannot be loaded"):
        ServedModel(str(tmp_path))


def test_a_model_without_its_variables_is_told(model_directory, tmp_path):
    import shutil

    shutil.copytree(model_directory, tmp_path / "half")
    for file in (tmp_path / "half" / "variables").iterdir():
        file.unlink()
    with pytest.raises(ModelLoadError, match="cannot be loaded|does not restore"):
        ServedModel(str(tmp_path / "half"))


def test_models_of_keras_3_are_refused_unless_their_variables_are_restored(tmp_path, monkeypatch):
    keras = pytest.importorskip("keras")
    import tensorflow as tf
    from keras.src.backend.tensorflow import core

    from trainwright.components.user_training.keras_saving import adapt_variables_of_keras_3

    if keras.backend.backend() != "tensorflow":
        pytest.skip("Keras runs on another library here")
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])

    @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32, "x")])
    def predict(x):
        return {"y": model(x)}

    def save(name):
        signatures = {"serving_default": predict}
        tf.saved_model.save(model, str(tmp_path / name), signatures=signatures)
        return str(tmp_path / name)

    # Whatever a Trainer in this process has adapted before: Keras as it is.
    own = inspect.unwrap(core.Variable._export_to_saved_model_graph)
    monkeypatch.setattr(core.Variable, "_export_to_saved_model_graph", own)
    with pytest.raises(ModelLoadError, match="does not restore the variables .* model.export"):
        ServedModel(save("as_keras_does"))
    adapt_variables_of_keras_3(keras)
    served = ServedModel(save("as_a_trainer_does"))
    rows = np.array([[1, 2], [3, 4]], np.float32)
    answered = served.run(served.signature(""), {"x": rows})["y"]
    np.testing.assert_allclose(answered, model(rows), rtol=1e-6)
    served.close()
    loaded = tf.saved_model.load(str(tmp_path / "as_a_trainer_does"))
    again = loaded.signatures["serving_default"](x=tf.constant(rows))["y"]
    np.testing.assert_allclose(again, model(rows), rtol=1e-6)


def test_a_model_answers_its_warm_up_requests_or_is_not_served(model_directory, tmp_path):
    import shutil

    from tensorflow_serving.apis import prediction_log_pb2

    from trainwright.data.tfrecord_frames import frame
    from trainwright.serving.warmup import warm_up
    from trainwright.types import model_paths

    def log(kind, signature, fill):
        log = prediction_log_pb2.PredictionLog()
        request = getattr(log, kind).request
        request.model_spec.signature_name = signature
        fill(request)
        return log.SerializeToString()

    def tensor(values):
        import tensorflow as tf

        return lambda request: request.inputs["x"].CopyFrom(tf.make_tensor_proto(values))

    def example(request):
        one = request.input.example_list.examples.add()
        one.features.feature["x"].float_list.value[:] = [1, 2]

    shutil.copytree(model_directory, tmp_path / "model")
    model = ServedModel(str(tmp_path / "model"))
    assert warm_up(model) == 0
    path = model_paths.warmup_file_path(tmp_path / "model")
    (tmp_path / "model" / "assets.extra").mkdir()
    good = [log("predict_log", "", tensor([[1.0, 2.0]])), log("classify_log", "classify", example)]
    with open(path, "wb") as file:
        file.write(frame(good))
    assert warm_up(model) == 2
    with open(path, "wb") as file:
        file.write(frame([*good, log("predict_log", "", tensor([[-1.0, 2.0]]))]))
    with pytest.raises(ModelLoadError, match="warm-up request 3 .*minus one is not liked"):
        warm_up(model)
    with open(path, "wb") as file:
        file.write(b"not records")
    with pytest.raises(ModelLoadError, match="warm-up request 1"):
        warm_up(model)
    model.close()
