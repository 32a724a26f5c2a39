"""Training with real libraries, through a real pipeline, and what goes wrong in it."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from trainings import PRELUDE, SCHEMA, Training, make_trainer, trains, write_rows

from trainwright import LocalDagRunner, Pipeline
from trainwright._extras import EXTRA_OF_MODULE
from trainwright.components import CsvExampleGen, ImportSchemaGen, Trainer
from trainwright.evaluation.models.compiled_model import read_compiled_model

KERAS_2 = """
    def run_fn(fn_args):
        assert tf.keras.Model.__module__.startswith("tf_keras."), tf.keras.Model.__module__
        model = tf.keras.Sequential([tf.keras.Input((1,), name="x"), tf.keras.layers.Dense(1)])
        model.compile("sgd", "mse")
        train = dataset(fn_args.train_files, fn_args).map(lambda x, y: (x["x"], y))
        evaluation = dataset(fn_args.eval_files, fn_args, num_epochs=1)
        evaluation = evaluation.map(lambda x, y: (x["x"], y))
        model.fit(train, steps_per_epoch=fn_args.train_steps, validation_data=evaluation,
                  validation_steps=fn_args.eval_steps, verbose=0,
                  callbacks=[tf.keras.callbacks.TensorBoard(fn_args.model_run_dir)])
        model.save(fn_args.serving_model_dir, save_format="tf")
"""


@trains(KERAS_2)
def test_keras_2_is_what_tf_keras_means(trained):
    assert {"saved_model.pb", "variables", "keras_metadata.pb"} <= set(os.listdir(trained.model))
    assert "tf.keras is Keras 2 (TF_USE_LEGACY_KERAS=1)" in trained.log
    assert "Devices: /physical_device:CPU:0" in trained.log
    assert trained.log.count("Assets written to") == 1  # logged once, not by two handlers
    runs = trained.root / "model_run"
    assert list(runs.glob("*/train/events.out.tfevents.*"))
    assert list(runs.glob("*/validation/events.out.tfevents.*"))


@trains(
    """
    import keras

    def run_fn(fn_args):
        assert keras.__version__.startswith("3.")
        model = keras.Sequential([keras.Input((1,), name="x"), keras.layers.Dense(1)])
        model.compile("sgd", "mse")
        model.fit(dataset(fn_args.train_files, fn_args).map(lambda x, y: (x["x"], y)),
                  steps_per_epoch=fn_args.train_steps, verbose=0)

        @tf.function(input_signature=[tf.TensorSpec([None, 1], tf.float32)])
        def serve(x):
            return {"y": model(x)}

        signatures = {"serving_default": serve}
        model.save(fn_args.serving_model_dir, save_format="tf", signatures=signatures)
        model.save(fn_args.model_run_dir + "/kept.keras")
    """
)
def test_keras_3_saves_a_saved_model_in_keras_2_words(trained):
    assert "Keras 3 saves no SavedModel by model.save()" in trained.log
    assert read_compiled_model(str(trained.model)).losses
    import tensorflow as tf

    signature = tf.saved_model.load(str(trained.model)).signatures["serving_default"]
    assert signature(tf.constant([[1.0]]))["y"].shape == (1, 1)


@trains(
    """
    def run_fn(fn_args):
        assert tf.keras.__version__.startswith("3."), tf.keras.__version__
        model = tf.keras.Sequential([tf.keras.Input((1,)), tf.keras.layers.Dense(1)])
        model.compile("sgd", "mse", metrics=["mae"])
        model.export(fn_args.serving_model_dir + "/exported", verbose=False)
        # After an export of Keras 3, tf.saved_model is another module.
        tf.saved_model.save(model, fn_args.serving_model_dir)
    """,
    environment={"TF_USE_LEGACY_KERAS": "0"},
)
def test_a_node_can_choose_keras_3_for_tf_keras(trained):
    assert "tf.keras is Keras 3 (TF_USE_LEGACY_KERAS=0)" in trained.log
    # However it is saved, an Evaluator knows what it was compiled with.
    for directory in (trained.model, trained.model / "exported"):
        assert [part.name for part in read_compiled_model(str(directory)).metrics] == ["mae"]


@trains(
    """
    class Line(tf.Module):
        def __init__(self):
            self.slope = tf.Variable(0.0)
            self.bounds = tf.Variable([0.0, 0.0])

        @tf.function(input_signature=[tf.TensorSpec([None, 1])])
        def __call__(self, x):
            return self.slope * x

    def run_fn(fn_args):
        line = Line()
        for features, y in dataset(fn_args.train_files, fn_args).take(fn_args.train_steps):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((line(features["x"]) - y) ** 2)
            line.slope.assign_sub(0.02 * tape.gradient(loss, line.slope))

        @tf.function
        def find_bounds(iterator):
            features, y = next(iterator)
            return tf.stack([tf.reduce_max(features["x"]), -tf.reduce_min(-y)])

        line.bounds.assign(find_bounds(iter(dataset(fn_args.train_files, fn_args))))
        tf.saved_model.save(line, fn_args.serving_model_dir)
    """
)
def test_custom_training_loop(trained):
    import tensorflow as tf

    line = tf.saved_model.load(str(trained.model))
    assert float(line.slope) == pytest.approx(2.0, abs=0.2)
    # Of two outputs of one iterator, each is itself.
    largest_x, largest_y = line.bounds.numpy()
    assert largest_y == pytest.approx(2 * largest_x)


@trains(
    """
    import glob, json, os, sys
    from sklearn.linear_model import LinearRegression
    from trainwright.data.tfrecord import read_records

    def run_fn(fn_args):
        files = [file for pattern in fn_args.train_files for file in glob.glob(pattern)]
        rows = sum(1 for file in files for _ in read_records(file))
        model = LinearRegression().fit([[0.0], [1.0]], [0.0, 2.0])
        os.makedirs(fn_args.serving_model_dir)
        with open(fn_args.serving_model_dir + "/model.json", "w") as out:
            loaded = "tensor" + "flow" in sys.modules
            json.dump({"slope": model.coef_[0], "rows": rows, "tf": loaded}, out)
    """,
    prelude="",
    needs="sklearn",
)
def test_scikit_learn_without_tensorflow(trained):
    """The module never mentions TensorFlow; any non-empty serving directory is a model."""
    saved = json.loads((trained.model / "model.json").read_text())
    assert saved["slope"] == pytest.approx(2.0)
    assert 20 < saved["rows"] < 60
    assert saved["tf"] is False


@trains(
    """
    import os
    import jax, jax.numpy as jnp, numpy as np

    def run_fn(fn_args):
        slope = jnp.array(0.0)
        gradient = jax.jit(jax.grad(lambda s, x, y: jnp.mean((s * x - y) ** 2)))
        for features, y in dataset(fn_args.train_files, fn_args).take(fn_args.train_steps):
            slope -= 0.02 * gradient(slope, features["x"].numpy(), y.numpy())
        os.makedirs(fn_args.serving_model_dir)
        np.save(fn_args.serving_model_dir + "/slope.npy", slope)
    """,
    needs="jax",
)
def test_jax(trained):
    import numpy as np

    assert float(np.load(trained.model / "slope.npy")) == pytest.approx(2.0, abs=0.2)


@trains(
    """
    import os
    import features
    from lib import words

    def run_fn(fn_args):
        text = open(os.path.join(os.path.dirname(__file__), "vocabulary.txt")).read()
        os.makedirs(fn_args.serving_model_dir)
        with open(fn_args.serving_model_dir + "/model.txt", "w") as out:
            out.write(" ".join([features.NAME, words.WORD, text]))
    """,
    prelude="",
    files={
        "features.py": "NAME = 'x'\n",
        "lib/__init__.py": "",
        "lib/words.py": "WORD = 'deep'\n",
        "vocabulary.txt": "words beside the module",
    },
)
def test_packages_and_data_files_beside_the_module(trained):
    assert (trained.model / "model.txt").read_text() == "x deep words beside the module"


@trains(
    """
    import os

    def run_fn(fn_args):
        for directory in (fn_args.serving_model_dir, fn_args.eval_model_dir):
            os.makedirs(directory)
            with open(directory + "/model.txt", "w") as out:
                out.write(repr(fn_args.custom_config))
    """,
    prelude="",
    arguments={"custom_config": {"depth": 3, "names": ["a"]}},
)
def test_an_eval_model_and_the_custom_config_reach_their_places(trained):
    for directory in (trained.model, trained.model.parent / "Format-TFMA"):
        assert (directory / "model.txt").read_text() == "{'depth': 3, 'names': ['a']}"


def test_run_fn_as_a_callable_and_as_a_dotted_path(tmp_path, monkeypatch):
    def run_fn(fn_args):
        os.makedirs(fn_args.serving_model_dir)
        Path(fn_args.serving_model_dir, "m").write_text(str(fn_args.train_steps))

    (tmp_path / "dotted_training.py").write_text(
        "import os\ndef fit(fn_args):\n    os.makedirs(fn_args.serving_model_dir + '/dotted')\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    example_gen = CsvExampleGen(input_base=write_rows(tmp_path))
    examples = example_gen.outputs["examples"]
    called = Trainer(examples, run_fn=run_fn).with_id("Called")
    dotted = Trainer(examples, run_fn="dotted_training.fit").with_id("Dotted")
    pipeline = Pipeline("p", str(tmp_path / "root"), components=[example_gen, called, dotted])
    result = LocalDagRunner().run(pipeline)
    assert Path(result.outputs["Called"]["model"][0].uri, "Format-Serving/m").read_text() == "None"
    assert Path(result.outputs["Dotted"]["model"][0].uri, "Format-Serving/dotted").is_dir()


@trains(
    """
    import os, signal

    def run_fn(fn_args):
        os.makedirs(fn_args.serving_model_dir)
        open(fn_args.serving_model_dir + "/half", "w").close()
        checkpoint = tf.train.Checkpoint(step=tf.Variable(7))
        checkpoint.save(fn_args.model_run_dir + "/checkpoint")
        os.kill(os.getpid(), signal.SIGKILL)
    """
)
def test_worker_killed_in_the_middle_of_run_fn_keeps_the_model_run(trained):
    assert "killed by signal 9" in trained.failure.message
    (kept,) = trained.failure.kept
    import tensorflow as tf

    latest = tf.train.latest_checkpoint(kept)
    assert tf.train.load_variable(latest, "step/.ATTRIBUTES/VARIABLE_VALUE") == 7
    assert not list(trained.root.glob("model/*"))


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def run_fn(fn_args):\n    return (\n", r"syntax error in line \d+"),
        ("import nowhere_to_be_found\ndef run_fn(fn_args):\n    pass\n", "which is not installed"),
        ("def train_fn(fn_args):\n    pass\n", r"no function 'run_fn'.*'train_fn'"),
        ("def run_fn(a, b):\n    pass\n", r"line 1: run_fn is called with one argument"),
        (
            "import package_of_ray\n\ndef run_fn(fn_args):\n    pass\n",
            r"line 1 imports package_of_ray.*\[ray\]",
        ),
    ],
)
def test_a_module_file_that_cannot_work_is_refused_before_anything_runs(
    tmp_path, monkeypatch, source, message
):
    # The tests need all extras: this one would be missing.
    monkeypatch.setitem(EXTRA_OF_MODULE, "package_of_ray", "ray")
    example_gen = CsvExampleGen(write_rows(tmp_path))
    (tmp_path / "schema.pbtxt").write_text(SCHEMA)
    schema_gen = ImportSchemaGen(str(tmp_path / "schema.pbtxt"))
    training = Training(source=source, prelude="")
    trainer = make_trainer(tmp_path / "module", training, example_gen, schema_gen)
    components = [example_gen, schema_gen, trainer]
    with pytest.raises(ValueError, match=message):
        LocalDagRunner().run(Pipeline("p", str(tmp_path / "root"), components=components))
    assert not (tmp_path / "root").exists()


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def run_fn(fn_args):\n    import sys; sys.exit(3)\n", r"user code called sys.exit\(3\)"),
        ("def run_fn(fn_args):\n    import os; os._exit(0)\n", r"ended with exit code 0 before"),
        ("def run_fn(fn_args):\n    pass\n", r"run_fn failed to generate model\."),
        ("def run_fn(fn_args):\n    import nowhere_to_be_found\n", r"nowhere_to_be_found"),
        (
            "import os\ndef run_fn(fn_args):\n    os.makedirs(fn_args.serving_model_dir)\n"
            "    open(fn_args.serving_model_dir + '/saved_model.pb', 'wb').write(b'\\xff' * 9)\n",
            r"saved_model\.pb does not parse",
        ),
    ],
)
@trains(prelude="")
def test_run_fn_that_saves_nothing_usable_fails_with_its_reason(trained, source, message):
    assert re.search(message, trained.failure.describe())


@trains(
    KERAS_2 + "\n        import shutil; shutil.rmtree(fn_args.serving_model_dir + '/variables')"
)
def test_a_saved_model_that_lost_its_variables_is_refused(trained):
    assert "a model without its variables" in trained.failure.describe()


@trains(KERAS_2, arguments={"train_args": {"splits": ["test"]}})
def test_a_missing_split_is_named_with_those_that_exist(trained):
    expected = "over all example artifacts: test.*train.*eval"
    assert re.search(expected, trained.failure.describe())


@trains(
    KERAS_2,
    schema=SCHEMA.replace(
        '"y" type: FLOAT presence { min_fraction: 1 } shape { dim { size: 1 } }', '"y" type: FLOAT'
    ),
)
def test_sparse_features_are_explained(trained):
    """tfx#6238: a feature without a shape is a SparseTensor, and what Keras says is cryptic."""
    before, _, after = trained.failure.describe().partition("A SparseTensor reached code")
    assert "model.fit(" in before + after
    assert "no fixed shape are parsed as SparseTensors. They are: y, note." in before + after


@trains(
    KERAS_2,
    prelude=PRELUDE.replace("    del schema.feature[2:]\n", ""),
    schema=SCHEMA.replace(
        '"note" type: BYTES',
        '"note" type: BYTES presence { min_fraction: 1 } shape { dim { size: 1 } }',
    ),
)
def test_empty_cells_under_a_fixed_shape_are_explained(trained):
    assert "'note' has no value in some examples" in trained.failure.describe()


@trains(
    """
    from keras import layers

    def run_fn(fn_args):
        layers.DenseFeatures([tf.feature_column.numeric_column("x")])
    """
)
def test_feature_columns_handed_to_keras_3_are_explained(trained):
    described = trained.failure.describe()
    assert "Feature columns (tf.feature_column) do not work with Keras 3" in described
    assert "TF_USE_LEGACY_KERAS unset or 1" in described


@trains(
    """
    import os, time

    import numpy as np
    import tensorflow as tf

    def wait(x):
        time.sleep(0.05)
        return x

    def run_fn(fn_args):
        model = tf.keras.Sequential([tf.keras.Input((1,)), tf.keras.layers.Dense(1)])
        model.compile("sgd", "mse", metrics=["mae"])
        slow = tf.data.Dataset.from_tensor_slices((np.ones((40, 1)), np.ones(40))).batch(1)
        slow = slow.map(lambda x, y: (tf.py_function(wait, [x], tf.float64), y))
        slow = slow.map(lambda x, y: (tf.reshape(x, [1, 1]), y))
        model.fit(slow, verbose=0)
        os.makedirs(fn_args.serving_model_dir + "/model")
    """
)
def test_training_progress_reaches_the_observer(trained):
    first, last = trained.progress[0], trained.progress[-1]
    assert first["step"] < last["step"] == 40, "the last step is always told"
    assert last["steps_per_second"] > 0
    assert isinstance(last["loss"], float)
    assert isinstance(last["mae"], float), "the metrics of an epoch are told at its end"
