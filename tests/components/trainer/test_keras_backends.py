"""Keras 3 on JAX and on Torch: a Trainer's model is exported, rewritten, evaluated.

Neither comes with Trainwright: these tests are for environments that have them.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys

import numpy as np
import pytest

MODULE = """
import os
import keras
import numpy as np
import tensorflow as tf

def read(files):
    spec = {{
        "x": tf.io.FixedLenFeature([2], tf.float32),
        "label": tf.io.FixedLenFeature([1], tf.int64),
    }}
    dataset = tf.data.TFRecordDataset(tf.io.gfile.glob(files), "GZIP").batch(8)
    return dataset.map(lambda batch: tf.io.parse_example(batch, spec)).map(
        lambda one: (one["x"], one["label"])
    )

def run_fn(fn_args):
    assert keras.backend.backend() == "{backend}", keras.backend.backend()
    inputs = keras.Input((2,), name="x")
    hidden = keras.layers.Dense(16, "relu")(inputs)
    model = keras.Model(inputs, keras.layers.Dense(1, "sigmoid", name="p")(hidden))
    model.compile(keras.optimizers.Adam(0.05), "binary_crossentropy", metrics=["accuracy"])
    model.fit(read(fn_args.train_files), epochs=20, verbose=2)
    {export}
"""

PIPELINE = """
import json
import tensorflow_model_analysis as tfma
from tfx import v1 as tfx
from trainwright.components import Rewriter

example_gen = tfx.components.ImportExampleGen(input_base="data")
trainer = tfx.components.Trainer(
    examples=example_gen.outputs["examples"],
    module_file="module.py",
    train_args=tfx.proto.TrainArgs(num_steps=20),
)
components, targets = [example_gen, trainer], {targets!r}
models = {{"trained": trainer.outputs["model"]}}
if targets:
    rewriter = Rewriter(trainer.outputs["model"], example_gen.outputs["examples"], targets)
    components.append(rewriter)
    models.update({{name: rewriter.outputs[name] for name in targets}})
eval_config = tfma.EvalConfig(
    model_specs=[tfma.ModelSpec(label_key="label")],
    metrics_specs=tfma.metrics.specs_from_metrics([tfma.metrics.BinaryAccuracy(name="right")]),
    options=tfma.Options(include_default_metrics={{"value": False}}),
)
for name, model in models.items():
    components.append(
        tfx.components.Evaluator(
            examples=example_gen.outputs["examples"], model=model, eval_config=eval_config
        ).with_id(name)
    )
pipeline = tfx.dsl.Pipeline("p", "root", components=components)
result = tfx.orchestration.LocalDagRunner().run(pipeline)
found = {{}}
for name in models:
    evaluation = tfma.load_eval_result(result.outputs[name]["evaluation"][0].uri)
    found[name] = evaluation.get_metrics_for_slice()["right"]["doubleValue"]
print(json.dumps(found))
"""


def run_pipeline(place, backend, export, targets):
    """Runs it in a process of this backend, which prints the metric of each model."""
    import tensorflow as tf

    (place / "data").mkdir()
    numbers = np.random.RandomState(1)
    with tf.io.TFRecordWriter(str(place / "data" / "data.tfrecord")) as writer:
        for _ in range(300):
            example = tf.train.Example()
            x = numbers.randn(2)
            example.features.feature["x"].float_list.value.extend(x)
            example.features.feature["label"].int64_list.value.append(int(x.sum() > 0))
            writer.write(example.SerializeToString())
    (place / "module.py").write_text(MODULE.format(backend=backend, export=export))
    return subprocess.run(
        [sys.executable, "-c", PIPELINE.format(targets=targets)],
        cwd=place,
        env={**os.environ, "KERAS_BACKEND": backend, "TF_USE_LEGACY_KERAS": "0"},
        capture_output=True,
        text=True,
        check=False,
    )


pytestmark = pytest.mark.reference
needs_jax = pytest.mark.skipif(
    importlib.util.find_spec("jax") is None, reason="needs jax, which is not installed"
)
needs_torch = pytest.mark.skipif(
    importlib.util.find_spec("torch") is None, reason="needs torch, which is not installed"
)


@needs_jax
def test_a_model_of_jax_is_a_saved_model_that_converts(tmp_path):
    options = "jax2tf_kwargs={'native_serialization': False, 'enable_xla': False}"
    export = f"model.export(fn_args.serving_model_dir, verbose=False, {options})"
    done = run_pipeline(tmp_path, "jax", export, ["litert", "onnx"])
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["trained"] > 0.9
    assert found == dict.fromkeys(["trained", "litert", "onnx"], found["trained"])


@needs_jax
def test_a_compiled_program_of_jax_is_for_litert_alone(tmp_path):
    export = "model.export(fn_args.serving_model_dir, verbose=False)"
    done = run_pipeline(tmp_path, "jax", export, ["litert", "onnx"])
    assert done.returncode != 0
    assert "ONNX does not have XlaCallModule (a program that JAX compiled)" in done.stderr
    assert "'enable_xla': False" in done.stderr


@needs_torch
def test_a_model_of_torch_is_exported_as_onnx(tmp_path):
    path = "os.path.join(fn_args.serving_model_dir, 'model.onnx')"
    export = f"model.export({path}, format='onnx', verbose=False)"
    done = run_pipeline(tmp_path, "torch", export, [])
    assert done.returncode == 0, done.stderr[-3000:]
    assert json.loads(done.stdout.splitlines()[-1])["trained"] > 0.9


@needs_torch
def test_what_keras_cannot_export_of_torch_is_explained(tmp_path):
    export = "model.export(fn_args.serving_model_dir, verbose=False)"
    done = run_pipeline(tmp_path, "torch", export, [])
    assert done.returncode != 0
    assert "Keras on Torch" in done.stderr
    assert "format='onnx'" in done.stderr
