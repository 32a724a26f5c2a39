"""Warm start: a training that goes on from the model of the run before."""

from __future__ import annotations

import os
import textwrap
from pathlib import Path

import pytest
from click.testing import CliRunner

from trainwright import Channel, InputArtifact, LocalDagRunner, OutputArtifact, Pipeline, component
from trainwright.cli.main import cli
from trainwright.components import CsvExampleGen, Trainer
from trainwright.components.user_training.base_model import find_base_model
from trainwright.dsl.resolver import Resolver
from trainwright.dsl.strategies import LatestBlessedModelStrategy
from trainwright.evaluation.models.compiled_model import read_compiled_model
from trainwright.types.standard_artifacts import Examples, Model, ModelBlessing

# Trains y = 2x with Keras 2 and Keras 3 until the loss is small; notes how many steps each took.
MODULE = """
import os

import keras as keras_3
import numpy as np
import tensorflow as tf

keras_2 = tf.keras


def run_fn(fn_args):
    for keras, place in ((keras_2, ""), (keras_3, "keras_3")):
        train(keras, fn_args, place)


def train(keras, fn_args, place):
    keras.utils.set_random_seed(1)
    model = keras.Sequential([keras.layers.Input((1,)), keras.layers.Dense(1)])
    model.compile(optimizer=keras.optimizers.SGD(0.1), loss="mse")
    if fn_args.base_model:
        checkpoint = tf.train.Checkpoint(root=model)
        variables = os.path.join(fn_args.base_model, place, "variables", "variables")
        checkpoint.restore(variables).expect_partial()
    x = np.linspace(-1, 1, 16, dtype="float32")[:, None]
    steps = 0
    while steps < 200 and model.evaluate(x, 2 * x, verbose=0) > 1e-3:
        model.train_on_batch(x, 2 * x)
        steps += 1
    with open(os.path.join(fn_args.model_run_dir, "steps"), "a") as file:
        file.write(f"{type(model).__module__.partition('.')[0]} {steps}\\n")
    tf.saved_model.save(model, os.path.join(fn_args.serving_model_dir, place))
"""


@component
def bless(model: InputArtifact[Model], blessing: OutputArtifact[ModelBlessing]):
    blessing.set_int_custom_property("blessed", 1)
    blessing.set_int_custom_property("current_model_id", model.id)


def pipeline_in(folder: Path) -> Pipeline:
    (folder / "data").mkdir(exist_ok=True)
    (folder / "data/data.csv").write_text("x\n1\n2\n3\n")
    (folder / "module.py").write_text(textwrap.dedent(MODULE))
    example_gen = CsvExampleGen(input_base=str(folder / "data"))
    resolver = Resolver(
        strategy_class=LatestBlessedModelStrategy,
        model=Channel(type=Model),
        model_blessing=Channel(type=ModelBlessing),
    ).with_id("blessed")
    trainer = Trainer(
        examples=example_gen.outputs["examples"],
        module_file=str(folder / "module.py"),
        base_model=resolver.outputs["model"],
    )
    nodes = [example_gen, resolver, trainer, bless(model=trainer.outputs["model"])]
    return Pipeline("p", str(folder / "root"), components=nodes, enable_cache=True)


def test_the_second_run_goes_on_from_the_first_blessed_model(tmp_path):
    taken = []
    for _ in range(2):
        result = LocalDagRunner(observer=lambda event: None).run(pipeline_in(tmp_path))
        noted = Path(result.outputs["Trainer"]["model_run"][0].uri, "steps").read_text()
        taken.append({line.split()[0]: int(line.split()[1]) for line in noted.splitlines()})
    first, second = taken
    assert all(5 < steps < 200 for steps in first.values())
    # The loss of the first run is where the second one begins.
    assert second == {"tf_keras": 0, "keras": 0}
    # Whichever Keras, an Evaluator knows what the model was compiled with.
    for place, library in (("", "tf_keras"), ("keras_3", "keras")):
        saved = os.path.join(result.outputs["Trainer"]["model"][0].uri, "Format-Serving", place)
        (loss,) = read_compiled_model(saved).losses
        assert (loss.name, loss.described.module) == ("loss", f"{library}.losses")


def test_a_new_blessed_model_makes_the_trainer_run_again(tmp_path):
    module = (
        "import os\n\n\ndef run_fn(fn_args):\n    os.makedirs(fn_args.serving_model_dir + '/m')\n"
    )
    pipeline = pipeline_in(tmp_path)
    (tmp_path / "module.py").write_text(module)
    result = LocalDagRunner(observer=lambda event: None).run(pipeline)
    model = result.outputs["Trainer"]["model"][0].id
    forecasts = {one.node_id: one for one in LocalDagRunner().explain(pipeline)}
    assert f"model: Model {model}; " in forecasts["blessed"].reason
    assert forecasts["Trainer"].will_run
    assert forecasts["Trainer"].reason == "input base_model is new"
    store = str(tmp_path / "root/metadata.db")
    shown = CliRunner().invoke(cli, ["lineage", str(model), "--down", "--store", store]).output
    assert "read by bless" in shown


def model_at(path: Path) -> Model:
    model = Model()
    model.uri = str(path)
    return model


def write(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


WHOLE = ("saved_model.pb", "variables/variables.index", "variables/variables.data-00000-of-00001")


def test_a_trainer_s_model_an_imported_one_and_a_file_are_found(tmp_path):
    write(tmp_path / "trained/Format-Serving", *WHOLE)
    write(tmp_path / "imported", *WHOLE)
    write(tmp_path, "model.keras")
    expected = {
        "trained": "trained/Format-Serving",
        "imported": "imported",
        "model.keras": "model.keras",
    }
    for given, found in expected.items():
        assert find_base_model(model_at(tmp_path / given)) == os.path.join(tmp_path, found)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ((), "has no files at .*Format-Serving. A SavedModel is expected there, or in"),
        (("fingerprint.pb", "x"), "holds fingerprint.pb, x, but saved_model.pb is missing"),
        (WHOLE[:2], "variables.index and variables.data-. are not both in .*variables"),
        (("saved_model.pb", "fingerprint.pb"), "variables.index and variables.data-. are not both"),
    ],
)
def test_what_is_missing_is_said(tmp_path, names, message):
    write(tmp_path / "Format-Serving", *names)
    with pytest.raises(FileNotFoundError, match=message):
        find_base_model(model_at(tmp_path))


def test_base_models_is_an_older_name():
    examples, model = Channel(type=Examples), Channel(type=Model)
    with pytest.warns(DeprecationWarning, match="write base_model= for base_models=") as warned:
        trainer = Trainer(examples, run_fn="a.b", base_models=model)
    [ours] = [one for one in warned if "base_models=" in str(one.message)]
    assert ours.filename == __file__
    assert trainer.inputs["base_model"] is model
    with pytest.raises(ValueError, match="base_models is an older name"):
        Trainer(examples, run_fn="a.b", base_model=model, base_models=model)
