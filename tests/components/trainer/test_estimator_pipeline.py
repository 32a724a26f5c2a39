"""Estimators in a pipeline: executors, warm start, evaluation, and going on after a kill."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path

import pytest
from test_estimators import ESTIMATORS
from trainings import SCHEMA, write_rows

from trainwright import LocalDagRunner, OutputArtifact, Pipeline, component
from trainwright.components import CsvExampleGen, Evaluator, ImportSchemaGen, Trainer
from trainwright.components.trainer.executor import Executor
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.evaluation.tfma_format.eval_result import load_eval_result
from trainwright.types.standard_artifacts import String

MODULE = (
    ESTIMATORS
    + """

def trainer_fn(trainer_fn_args, schema):
    warm_start_from = trainer_fn_args.base_models[0] if trainer_fn_args.base_models else None
    estimator = tf.estimator.LinearRegressor(
        [X], config=config(trainer_fn_args), warm_start_from=warm_start_from
    )
    return spec(trainer_fn_args, estimator)


def run_fn(fn_args):
    raise AssertionError("the Estimator executor calls trainer_fn")
"""
)


@component
def Onlooker(seen: OutputArtifact[String]):  # noqa: N802  a component
    import sys

    import tensorflow as tf

    seen.value = json.dumps([hasattr(tf, "estimator"), "tensorflow_estimator" in sys.modules])


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """One run: an Estimator, one that starts from it, two ways to evaluate it, and a bystander."""
    place = tmp_path_factory.mktemp("estimators")
    (place / "schema.pbtxt").write_text(SCHEMA)
    (place / "module.py").write_text(MODULE)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(place))
        (place / "estimator_package.py").write_text(MODULE.replace("def run_fn", "def unused"))
        example_gen = CsvExampleGen(input_base=write_rows(place))
        schema_gen = ImportSchemaGen(str(place / "schema.pbtxt"))
        common = {
            "examples": example_gen.outputs["examples"],
            "schema": schema_gen.outputs["schema"],
            "train_args": {"num_steps": 20},
        }
        with pytest.warns(DeprecationWarning, match="custom_executor_spec"):
            trainer = Trainer(
                module_file=str(place / "module.py"),
                custom_executor_spec=ExecutorClassSpec(Executor),
                **common,
            )
        continued = Trainer(
            trainer_fn="estimator_package.trainer_fn",
            base_model=trainer.outputs["model"],
            **common,
        ).with_id("Continued")
        evaluator = Evaluator(
            examples=example_gen.outputs["examples"],
            model=trainer.outputs["model"],
            eval_config={
                "model_specs": [{"signature_name": "eval"}],
                "metrics_specs": [
                    {"thresholds": {"average_loss": {"value_threshold": {"upper_bound": 1000}}}}
                ],
            },
        )
        sliced = Evaluator(
            examples=example_gen.outputs["examples"],
            model=trainer.outputs["model"],
            feature_slicing_spec={"specs": [{"column_for_slicing": ["y"]}]},
        ).with_id("Sliced")
        nodes = [example_gen, schema_gen, trainer, continued, evaluator, sliced, Onlooker()]
        yield LocalDagRunner().run(Pipeline("p", str(place / "root"), components=nodes))


def slices_of(ran, node):
    result = load_eval_result(ran.outputs[node]["evaluation"][0].uri)
    return {
        key: {name: next(iter(value.values())) for name, value in metrics[""][""].items()}
        for key, metrics in result.slicing_metrics
    }


def read_example_labels(ran):
    import tensorflow as tf

    (uri,) = (artifact.uri for artifact in ran.outputs["CsvExampleGen"]["examples"])
    files = [str(path) for path in Path(uri, "Split-eval").iterdir()]
    spec = {"y": tf.io.FixedLenFeature([], tf.float32)}
    records = tf.data.TFRecordDataset(files, "GZIP")
    return [float(tf.io.parse_single_example(one, spec)["y"]) for one in records]


def test_the_evaluator_computes_the_metrics_inside_of_the_model(ran):
    labels = read_example_labels(ran)
    (overall,) = slices_of(ran, "Evaluator").values()
    assert overall["label/mean"] == pytest.approx(sum(labels) / len(labels))
    assert {"average_loss", "prediction/mean"} <= overall.keys()
    (blessing,) = Path(ran.outputs["Evaluator"]["blessing"][0].uri).iterdir()
    assert blessing.name == "BLESSED"


def test_old_slicing_specs_get_the_metrics_inside_of_the_model_by_slice(ran):
    found = slices_of(ran, "Sliced")
    labels = read_example_labels(ran)
    assert len(found) == 1 + len(set(labels))
    for key, metrics in found.items():
        if key:
            ((_, value),) = key
            assert metrics["label/mean"] == pytest.approx(float(value))
            assert metrics["example_count"] == labels.count(float(value))


def test_an_estimator_starts_from_another_model(ran):
    import tensorflow as tf

    def steps_and_slope(node):
        (run,) = (artifact.uri for artifact in ran.outputs[node]["model_run"])
        checkpoint = str(Path(run, "Format-Serving", "model.ckpt-0"))
        return tf.train.load_variable(checkpoint, "linear/linear_model/x/weights")[0, 0]

    assert steps_and_slope("Trainer") == 0
    assert steps_and_slope("Continued") != 0


def test_no_other_node_sees_the_repairs(ran):
    (seen,) = ran.outputs["Onlooker"]["seen"]
    assert json.loads(Path(seen.uri).read_text()) == [False, False]


KILLED = textwrap.dedent(
    '''
    import os, signal, time
    from pathlib import Path


    class Killer(tf.estimator.SessionRunHook):
        """Notes each step, and kills what a file in the directory of the module says, once."""

        def begin(self):
            self._step = tf.compat.v1.train.get_global_step()

        def after_run(self, run_context, run_values):
            here, step = Path(__file__).parent, int(run_context.session.run(self._step))
            with (here / "steps.txt").open("a") as file:
                file.write(f"{step}\\n")
            for victim, at in (("worker", 14), ("runner", 27)):
                order = here / victim
                if step == at and order.exists():
                    pid = int(order.read_text() or os.getpid())
                    order.unlink()
                    os.kill(pid, signal.SIGKILL)
                    time.sleep(60)  # a worker dies with its runner, though not at once


    class DeadlyExporter(tf.estimator.Exporter):
        name = "final"

        def export(self, *args, is_the_final_export, **kwargs):
            order = Path(__file__).parent / "exporter"
            if is_the_final_export and order.exists():
                order.unlink()
                os.kill(os.getpid(), signal.SIGKILL)
            exporter = tf.estimator.FinalExporter("final", serving_fn)
            return exporter.export(*args, is_the_final_export=is_the_final_export, **kwargs)


    def trainer_fn(trainer_fn_args, schema):
        estimator = tf.estimator.LinearRegressor([X], config=config(trainer_fn_args))
        return spec(trainer_fn_args, estimator, hooks=[Killer()], exporters=[DeadlyExporter()])
    '''
)

SCRIPT = """
import os, sys
from pathlib import Path
from trainwright import LocalDagRunner, Pipeline
from trainwright.components import CsvExampleGen, ImportSchemaGen, Trainer

runner = Path("runner")
if runner.exists():
    runner.write_text(str(os.getpid()))
example_gen = CsvExampleGen("data")
schema_gen = ImportSchemaGen("schema.pbtxt")
trainer = Trainer(
    example_gen.outputs["examples"],
    schema=schema_gen.outputs["schema"],
    module_file="module.py",
    train_args={"num_steps": 40},
).with_retries(1, wait_seconds=0.1)
LocalDagRunner().run(
    Pipeline("p", "root", components=[example_gen, schema_gen, trainer], enable_cache=True)
)
"""


def test_training_goes_on_from_the_last_checkpoint_after_kills(tmp_path, run_script):
    write_rows(tmp_path)
    (tmp_path / "schema.pbtxt").write_text(SCHEMA)
    (tmp_path / "module.py").write_text(ESTIMATORS + KILLED)
    (tmp_path / "worker").write_text("")
    (tmp_path / "runner").write_text("")
    # The worker is killed and tried again, then the runner itself is killed.
    assert run_script(SCRIPT, check=False).returncode == -9
    # The worker is killed once more, after the last step, while it exports.
    (tmp_path / "exporter").write_text("")
    finished = run_script(SCRIPT)
    steps = [int(line) for line in (tmp_path / "steps.txt").read_text().split()]
    # Checkpoints are written every ten steps, and the last words of the dead are lost.
    assert steps[:14] == list(range(1, 15))
    assert steps[14:31] == list(range(11, 28))
    assert steps[31:] == list(range(21, 41))
    told = finished.stderr + finished.stdout
    assert told.count("Training goes on from") == 2
    assert "Nothing is left to train" in told
    (model,) = (tmp_path / "root" / "Trainer" / "model").iterdir()
    assert (model / "Format-Serving" / "saved_model.pb").exists()
