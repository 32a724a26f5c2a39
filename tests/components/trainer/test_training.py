"""Training with real libraries, through a real pipeline, and what goes wrong in it."""

from __future__ import annotations

import importlib.util
import json
import os
import textwrap
from pathlib import Path

import pytest

from trainwright import LocalDagRunner, Pipeline, PipelineRunError
from trainwright.components import CsvExampleGen, ImportSchemaGen, Trainer

SCHEMA = """
    feature { name: "x" type: FLOAT presence { min_fraction: 1 } shape { dim { size: 1 } } }
    feature { name: "y" type: FLOAT presence { min_fraction: 1 } shape { dim { size: 1 } } }
    feature { name: "note" type: BYTES }
"""

# What the module files below share: a dataset of x and y = 2x.
PRELUDE = """
import tensorflow as tf
from google.protobuf import text_format
from tensorflow_metadata.proto.v0 import schema_pb2
from trainwright import TensorFlowDatasetOptions


def dataset(files, fn_args, **options):
    schema = text_format.Parse(open(fn_args.schema_path).read(), schema_pb2.Schema())
    del schema.feature[2:]
    options = TensorFlowDatasetOptions(batch_size=4, label_key="y", **options)
    return fn_args.data_accessor.tf_dataset_factory(files, options, schema)
"""


@pytest.fixture
def data(tmp_path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    rows = "\n".join(f"{i / 10},{i / 5},{'abc' if i % 2 else ''}" for i in range(60))
    (folder / "data.csv").write_text("x,y,note\n" + rows + "\n")
    (tmp_path / "schema.pbtxt").write_text(SCHEMA)
    return folder


@pytest.fixture
def train(tmp_path, data):
    """Trains with a module file of this source; returns the model's directory and the log."""

    def run(source: str, prelude: str = PRELUDE, environment=None, **arguments):
        module_file = tmp_path / "module.py"
        module_file.write_text(prelude + textwrap.dedent(source))
        example_gen = CsvExampleGen(input_base=str(data))
        schema_gen = ImportSchemaGen(schema_file=str(tmp_path / "schema.pbtxt"))
        trainer = Trainer(
            examples=example_gen.outputs["examples"],
            schema=schema_gen.outputs["schema"],
            module_file=str(module_file),
            **{"train_args": {"num_steps": 20}, "eval_args": {"num_steps": 2}, **arguments},
        ).with_environment(**(environment or {}))
        pipeline = Pipeline(
            "p", str(tmp_path / "root"), components=[example_gen, schema_gen, trainer]
        )
        result = LocalDagRunner().run(pipeline)
        model = Path(result.outputs["Trainer"]["model"][0].uri, "Format-Serving")
        logs = sorted((tmp_path / "root/Trainer/.system/executor_execution").glob("*/executor.log"))
        return model, logs[-1].read_text()

    return run


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


def test_keras_2_is_what_tf_keras_means(train, tmp_path):
    model, log = train(KERAS_2)
    assert {"saved_model.pb", "variables", "keras_metadata.pb"} <= set(os.listdir(model))
    assert "tf.keras is Keras 2 (TF_USE_LEGACY_KERAS=1)" in log
    assert "Devices: /physical_device:CPU:0" in log
    runs = tmp_path / "root/Trainer/model_run"
    assert list(runs.glob("*/train/events.out.tfevents.*"))
    assert list(runs.glob("*/validation/events.out.tfevents.*"))


def test_keras_3_saves_a_saved_model_in_keras_2_words(train):
    model, log = train(
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
    assert "Keras 3 saves no SavedModel by model.save()" in log
    import tensorflow as tf

    signature = tf.saved_model.load(str(model)).signatures["serving_default"]
    assert signature(tf.constant([[1.0]]))["y"].shape == (1, 1)


def test_a_node_can_choose_keras_3_for_tf_keras(train):
    _, log = train(
        """
        def run_fn(fn_args):
            assert tf.keras.__version__.startswith("3."), tf.keras.__version__
            model = tf.keras.Sequential([tf.keras.Input((1,)), tf.keras.layers.Dense(1)])
            tf.saved_model.save(model, fn_args.serving_model_dir)
        """,
        environment={"TF_USE_LEGACY_KERAS": "0"},
    )
    assert "tf.keras is Keras 3 (TF_USE_LEGACY_KERAS=0)" in log


def test_custom_training_loop(train):
    model, _ = train(
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
                line.slope.assign_sub(0.05 * tape.gradient(loss, line.slope))

            @tf.function
            def find_bounds(iterator):
                features, y = next(iterator)
                return tf.stack([tf.reduce_max(features["x"]), -tf.reduce_min(-y)])

            line.bounds.assign(find_bounds(iter(dataset(fn_args.train_files, fn_args))))
            tf.saved_model.save(line, fn_args.serving_model_dir)
        """
    )
    import tensorflow as tf

    trained = tf.saved_model.load(str(model))
    assert float(trained.slope) == pytest.approx(2.0, abs=0.2)
    # Of two outputs of one iterator, each is itself.
    largest_x, largest_y = trained.bounds.numpy()
    assert largest_y == pytest.approx(2 * largest_x)


@pytest.mark.parametrize(
    ("strategy", "line"),
    [
        ("tf.distribute.MirroredStrategy()", "MirroredStrategy uses devices"),
        ('tf.distribute.OneDeviceStrategy("/cpu:0")', "OneDeviceStrategy uses devices"),
    ],
)
def test_strategies_work_and_the_log_names_their_devices(train, strategy, line):
    source = KERAS_2.replace(
        "        model = tf.keras.Sequential",
        f"        with {strategy}.scope():\n            model = tf.keras.Sequential",
    ).replace("        model.compile", "            model.compile")
    _, log = train(source)
    assert line in log
    assert (
        "/device:CPU:0" in log.split(line)[1].splitlines()[0]
        or "/cpu:0" in log.split(line)[1].splitlines()[0]
    )


def test_tf1_style_code(train):
    model, _ = train(
        """
        tf1 = tf.compat.v1

        def run_fn(fn_args):
            tf1.disable_v2_behavior()
            with tf1.Graph().as_default(), tf1.Session() as session:
                x = tf1.placeholder(tf.float32, [None, 1], name="x")
                slope = tf1.get_variable("slope", initializer=2.0)
                y = slope * x
                session.run(tf1.global_variables_initializer())
                tf1.saved_model.simple_save(session, fn_args.serving_model_dir, {"x": x}, {"y": y})
        """
    )
    assert {"saved_model.pb", "variables"} <= set(os.listdir(model))


def test_scikit_learn_without_tensorflow(train):
    """The module never mentions TensorFlow; any non-empty serving directory is a model."""
    pytest.importorskip("sklearn")
    model, _ = train(
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
    )
    saved = json.loads((model / "model.json").read_text())
    assert saved["slope"] == pytest.approx(2.0)
    assert 20 < saved["rows"] < 60
    assert saved["tf"] is False


@pytest.mark.skipif(importlib.util.find_spec("jax") is None, reason="JAX is not installed")
def test_jax(train):
    model, _ = train(
        """
        import os
        import jax, jax.numpy as jnp, numpy as np

        def run_fn(fn_args):
            slope = jnp.array(0.0)
            gradient = jax.jit(jax.grad(lambda s, x, y: jnp.mean((s * x - y) ** 2)))
            for features, y in dataset(fn_args.train_files, fn_args).take(fn_args.train_steps):
                slope -= 0.05 * gradient(slope, features["x"].numpy(), y.numpy())
            os.makedirs(fn_args.serving_model_dir)
            np.save(fn_args.serving_model_dir + "/slope.npy", slope)
        """
    )
    import numpy as np

    assert float(np.load(model / "slope.npy")) == pytest.approx(2.0, abs=0.2)


def test_packages_and_data_files_beside_the_module(train, tmp_path):
    (tmp_path / "features.py").write_text("NAME = 'x'\n")
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "__init__.py").write_text("")
    (tmp_path / "lib" / "words.py").write_text("WORD = 'deep'\n")
    (tmp_path / "vocabulary.txt").write_text("words beside the module")
    model, _ = train(
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
    )
    assert (model / "model.txt").read_text() == "x deep words beside the module"


def test_an_eval_model_and_the_custom_config_reach_their_places(train):
    model, _ = train(
        """
        import os

        def run_fn(fn_args):
            for directory in (fn_args.serving_model_dir, fn_args.eval_model_dir):
                os.makedirs(directory)
                with open(directory + "/model.txt", "w") as out:
                    out.write(repr(fn_args.custom_config))
        """,
        prelude="",
        custom_config={"depth": 3, "names": ["a"]},
    )
    for directory in (model, model.parent / "Format-TFMA"):
        assert (directory / "model.txt").read_text() == "{'depth': 3, 'names': ['a']}"


def test_run_fn_as_a_callable_and_as_a_dotted_path(tmp_path, data, monkeypatch):
    def run_fn(fn_args):
        os.makedirs(fn_args.serving_model_dir)
        Path(fn_args.serving_model_dir, "m").write_text(str(fn_args.train_steps))

    (tmp_path / "dotted_training.py").write_text(
        "import os\ndef fit(fn_args):\n    os.makedirs(fn_args.serving_model_dir + '/dotted')\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    example_gen = CsvExampleGen(input_base=str(data))
    examples = example_gen.outputs["examples"]
    called = Trainer(examples, run_fn=run_fn).with_id("Called")
    dotted = Trainer(examples, run_fn="dotted_training.fit").with_id("Dotted")
    pipeline = Pipeline("p", str(tmp_path / "root"), components=[example_gen, called, dotted])
    result = LocalDagRunner().run(pipeline)
    assert Path(result.outputs["Called"]["model"][0].uri, "Format-Serving/m").read_text() == "None"
    assert Path(result.outputs["Dotted"]["model"][0].uri, "Format-Serving/dotted").is_dir()


def test_worker_killed_in_the_middle_of_run_fn_keeps_the_model_run(train, tmp_path):
    with pytest.raises(PipelineRunError, match=r"killed by signal 9") as caught:
        train(
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
    (kept,) = caught.value.result.failures[0].kept
    import tensorflow as tf

    latest = tf.train.latest_checkpoint(kept)
    assert tf.train.load_variable(latest, "step/.ATTRIBUTES/VARIABLE_VALUE") == 7
    assert not list((tmp_path / "root/Trainer/model").glob("*"))


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def run_fn(fn_args):\n    return (\n", r"syntax error in line \d+"),
        ("def train_fn(fn_args):\n    pass\n", r"no function 'run_fn'.*'train_fn'"),
        ("def run_fn(a, b):\n    pass\n", r"line 1: run_fn is called with one argument"),
        (
            "import tf2onnx\n\ndef run_fn(fn_args):\n    pass\n",
            r"line 1 imports tf2onnx.*\[export\]",
        ),
    ],
)
def test_a_module_file_that_cannot_work_is_refused_before_anything_runs(
    train, tmp_path, source, message
):
    with pytest.raises(ValueError, match=message):
        train(source, prelude="")
    assert not (tmp_path / "root").exists()


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def run_fn(fn_args):\n    import sys; sys.exit(3)\n", r"user code called sys.exit\(3\)"),
        ("def run_fn(fn_args):\n    import os; os._exit(0)\n", r"ended with exit code 0 before"),
        ("def run_fn(fn_args):\n    pass\n", r"run_fn failed to generate model\."),
        ("import nowhere_to_be_found\ndef run_fn(fn_args):\n    pass\n", r"nowhere_to_be_found"),
        (
            "import os\ndef run_fn(fn_args):\n    os.makedirs(fn_args.serving_model_dir)\n"
            "    open(fn_args.serving_model_dir + '/saved_model.pb', 'wb').write(b'\\xff' * 9)\n",
            r"saved_model\.pb does not parse",
        ),
    ],
)
def test_run_fn_that_saves_nothing_usable_fails_with_its_reason(train, source, message):
    with pytest.raises(PipelineRunError, match=message):
        train(source, prelude="")


def test_a_saved_model_that_lost_its_variables_is_refused(train):
    with pytest.raises(PipelineRunError, match="a model without its variables"):
        train(
            KERAS_2
            + "\n        import shutil; shutil.rmtree(fn_args.serving_model_dir + '/variables')"
        )


def test_a_missing_split_is_named_with_those_that_exist(train):
    with pytest.raises(PipelineRunError, match="over all example artifacts: test.*train.*eval"):
        train(KERAS_2, train_args={"splits": ["test"]})


def test_sparse_features_are_explained(train, tmp_path):
    """tfx#6238: a feature without a shape is a SparseTensor, and what Keras says is cryptic."""
    schema = tmp_path / "schema.pbtxt"
    shape = " shape { dim { size: 1 } }"
    schema.write_text(
        schema.read_text().replace(
            f'"y" type: FLOAT presence {{ min_fraction: 1 }}{shape}', '"y" type: FLOAT'
        )
    )
    with pytest.raises(PipelineRunError) as caught:
        train(KERAS_2)
    before, _, after = str(caught.value).partition("A SparseTensor reached code")
    assert "model.fit(" in str(caught.value)
    assert "no fixed shape are parsed as SparseTensors. They are: y, note." in before + after


def test_empty_cells_under_a_fixed_shape_are_explained(train, tmp_path):
    schema = tmp_path / "schema.pbtxt"
    shaped = '"note" type: BYTES presence { min_fraction: 1 } shape { dim { size: 1 } }'
    schema.write_text(schema.read_text().replace('"note" type: BYTES', shaped))
    with pytest.raises(PipelineRunError, match="'note' has no value in some examples"):
        train(KERAS_2, prelude=PRELUDE.replace("    del schema.feature[2:]\n", ""))


def test_training_progress_reaches_the_observer(tmp_path, data):
    from trainwright.orchestration.events import RunEventKind

    def run_fn(fn_args):
        import os

        import numpy as np
        import tensorflow as tf

        model = tf.keras.Sequential([tf.keras.Input((1,)), tf.keras.layers.Dense(1)])
        model.compile("sgd", "mse")
        slow = tf.data.Dataset.from_tensor_slices((np.ones((40, 1)), np.ones(40))).batch(1)
        slow = slow.map(lambda x, y: (tf.py_function(_wait, [x], tf.float64), y))
        slow = slow.map(lambda x, y: (tf.reshape(x, [1, 1]), y))
        model.fit(slow, verbose=0)
        os.makedirs(fn_args.serving_model_dir + "/model")

    def _wait(x):
        import time

        time.sleep(0.05)
        return x

    seen = []
    example_gen = CsvExampleGen(input_base=str(data))
    trainer = Trainer(example_gen.outputs["examples"], run_fn=run_fn)
    pipeline = Pipeline("p", str(tmp_path / "root"), components=[example_gen, trainer])
    LocalDagRunner(observer=seen.append).run(pipeline)
    progress = [
        event.data
        for event in seen
        if event.kind is RunEventKind.NODE_PROGRESS and event.node == "Trainer"
    ]
    assert len(progress) >= 2
    assert progress[0]["step"] < progress[-1]["step"] == 40, "the last step is always told"
    assert progress[-1]["steps_per_second"] > 0
    assert isinstance(progress[-1]["loss"], float)
