"""The code of TFX's guides to the Trainer, to Keras and to the Evaluator, run as it stands.

The guides of several versions are quoted, each with the imports of its time. All their nodes are of
one pipeline, which runs twice: in the second run there is a model to start from, and a baseline.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

from trainwright import LocalDagRunner, Pipeline
from trainwright.data.tfrecord import read_records
from trainwright.orchestration.run_result import RunResult

pytestmark = pytest.mark.skipif(
    find_spec("tensorflow_transform") is None, reason="pip install 'trainwright[transform]'"
)

MODULES = Path(__file__).parent / "modules"


def trainer_with_transform(module_file, transform):
    from tfx.components import Trainer
    from tfx.proto import trainer_pb2

    return Trainer(
        module_file=module_file,
        examples=transform.outputs["transformed_examples"],
        transform_graph=transform.outputs["transform_graph"],
        train_args=trainer_pb2.TrainArgs(num_steps=100),
        eval_args=trainer_pb2.EvalArgs(num_steps=2),
    )


def trainer_without_transform(module_file, example_gen, infer_schema):
    from tfx.components import Trainer
    from tfx.proto import trainer_pb2

    return Trainer(
        module_file=module_file,
        examples=example_gen.outputs["examples"],
        schema=infer_schema.outputs["schema"],
        train_args=trainer_pb2.TrainArgs(num_steps=100),
        eval_args=trainer_pb2.EvalArgs(num_steps=2),
    )


def trainer_with_the_generic_executor(module_file, example_gen, infer_schema):
    from tfx.components import Trainer
    from tfx.components.base import executor_spec
    from tfx.components.trainer.executor import GenericExecutor
    from tfx.proto import trainer_pb2

    return Trainer(
        module_file=module_file,
        custom_executor_spec=executor_spec.ExecutorClassSpec(GenericExecutor),
        examples=example_gen.outputs["examples"],
        schema=infer_schema.outputs["schema"],
        train_args=trainer_pb2.TrainArgs(num_steps=100),
        eval_args=trainer_pb2.EvalArgs(num_steps=2),
    )


def trainer_with_base_models(module_file, transform, infer_schema):
    from tfx.components import ResolverNode, Trainer
    from tfx.dsl.experimental import latest_artifacts_resolver
    from tfx.proto import trainer_pb2
    from tfx.types import Channel
    from tfx.types.standard_artifacts import Model

    latest_model_resolver = ResolverNode(
        instance_name="latest_model_resolver",
        resolver_class=latest_artifacts_resolver.LatestArtifactsResolver,
        latest_model=Channel(type=Model),
    )
    trainer = Trainer(
        module_file=module_file,
        transformed_examples=transform.outputs["transformed_examples"],
        schema=infer_schema.outputs["schema"],
        base_models=latest_model_resolver.outputs["latest_model"],
        transform_graph=transform.outputs["transform_graph"],
        train_args=trainer_pb2.TrainArgs(num_steps=100),
        eval_args=trainer_pb2.EvalArgs(num_steps=2),
    )
    return latest_model_resolver, trainer


def evaluator_with_resolver_node(example_gen, trainer):
    """The Evaluator as the guide of TFX 0.22 has it."""
    import tensorflow_model_analysis as tfma
    from tfx import components
    from tfx.components import ResolverNode
    from tfx.dsl.experimental import latest_blessed_model_resolver
    from tfx.types import Channel
    from tfx.types.standard_artifacts import Model, ModelBlessing

    eval_config = tfma.EvalConfig(
        model_specs=[tfma.ModelSpec(label_key="big_tipper")],
        metrics_specs=[
            tfma.MetricsSpec(
                metrics=[
                    tfma.MetricConfig(class_name="ExampleCount"),
                    tfma.MetricConfig(
                        class_name="BinaryAccuracy",
                        threshold=tfma.MetricThreshold(
                            value_threshold=tfma.GenericValueThreshold(lower_bound={"value": 0.5}),
                            change_threshold=tfma.GenericChangeThreshold(
                                direction=tfma.MetricDirection.HIGHER_IS_BETTER,
                                absolute={"value": -1e-10},
                            ),
                        ),
                    ),
                ]
            )
        ],
        slicing_specs=[tfma.SlicingSpec(), tfma.SlicingSpec(feature_keys=["trip_start_hour"])],
    )
    model_resolver = ResolverNode(
        instance_name="latest_blessed_model_resolver",
        resolver_class=latest_blessed_model_resolver.LatestBlessedModelResolver,
        model=Channel(type=Model),
        model_blessing=Channel(type=ModelBlessing),
    )
    model_analyzer = components.Evaluator(
        examples=example_gen.outputs["examples"],
        model=trainer.outputs["model"],
        baseline_model=model_resolver.outputs["model"],
        # Without a baseline, as in the first run, only the value threshold counts.
        eval_config=eval_config,
    )
    return model_resolver, model_analyzer


def evaluator_with_resolver(example_gen, trainer):
    """The Evaluator as the guide of TFX 1 has it."""
    import tensorflow_model_analysis as tfma
    from tfx.components import Evaluator
    from tfx.dsl.components.common.resolver import Resolver
    from tfx.types import Channel
    from tfx.types.standard_artifacts import Model, ModelBlessing
    from tfx.v1 import dsl

    eval_config = tfma.EvalConfig(
        model_specs=[tfma.ModelSpec(label_key="big_tipper")],
        metrics_specs=[
            tfma.MetricsSpec(
                metrics=[
                    tfma.MetricConfig(class_name="ExampleCount"),
                    tfma.MetricConfig(
                        class_name="BinaryAccuracy",
                        threshold=tfma.MetricThreshold(
                            value_threshold=tfma.GenericValueThreshold(lower_bound={"value": 0.5}),
                            change_threshold=tfma.GenericChangeThreshold(
                                direction=tfma.MetricDirection.HIGHER_IS_BETTER,
                                absolute={"value": -1e-10},
                            ),
                        ),
                    ),
                ]
            )
        ],
        slicing_specs=[tfma.SlicingSpec(), tfma.SlicingSpec(feature_keys=["trip_start_hour"])],
    )
    model_resolver = Resolver(
        strategy_class=dsl.experimental.LatestBlessedModelStrategy,
        model=Channel(type=Model),
        model_blessing=Channel(type=ModelBlessing),
    ).with_id("latest_blessed_model_resolver_2")
    model_analyzer = Evaluator(
        examples=example_gen.outputs["examples"],
        model=trainer.outputs["model"],
        baseline_model=model_resolver.outputs["model"],
        eval_config=eval_config,
    )
    return model_resolver, model_analyzer


def evaluator_of_one_model(example_gen, trainer):
    import tensorflow_model_analysis as tfma
    from tfx.components import Evaluator

    eval_config = tfma.EvalConfig(
        model_specs=[tfma.ModelSpec(label_key="big_tipper")],
        metrics_specs=[
            tfma.MetricsSpec(
                metrics=[
                    tfma.MetricConfig(
                        class_name="BinaryAccuracy",
                        threshold=tfma.MetricThreshold(
                            value_threshold=tfma.GenericValueThreshold(lower_bound={"value": 0.5})
                        ),
                    )
                ]
            )
        ],
    )
    return Evaluator(
        examples=example_gen.outputs["examples"],
        model=trainer.outputs["model"],
        eval_config=eval_config,
    )


def pusher_of(trainer, evaluator, directory):
    from tfx.components import Pusher
    from tfx.proto import pusher_pb2

    return Pusher(
        model=trainer.outputs["model"],
        model_blessing=evaluator.outputs["blessing"],
        push_destination=pusher_pb2.PushDestination(
            filesystem=pusher_pb2.PushDestination.Filesystem(base_directory=directory)
        ),
    )


def preparing_components(data_root, module_file):
    from tfx.components import CsvExampleGen, SchemaGen, StatisticsGen, Transform

    example_gen = CsvExampleGen(input_base=data_root)
    statistics_gen = StatisticsGen(examples=example_gen.outputs["examples"])
    infer_schema = SchemaGen(
        statistics=statistics_gen.outputs["statistics"], infer_feature_shape=True
    )
    transform = Transform(
        examples=example_gen.outputs["examples"],
        schema=infer_schema.outputs["schema"],
        module_file=module_file,
    )
    return example_gen, statistics_gen, infer_schema, transform


BUILD = "    model = _build_keras_model()\n"


def with_keras_3(source):
    """The same module file for Keras 3: `keras` for `tf.keras`, and nothing else."""
    return source.replace("tf.keras.", "keras.").replace(
        "\n\nimport", "\n\nimport keras\nimport", 1
    )


def within(strategy):
    """What the guide says to write for `model = _build_keras_model()`."""
    scope = f"    strategy = {strategy}\n    with strategy.scope():\n    {BUILD}"
    return lambda source: source.replace(BUILD, scope)


def with_lines(lines):
    """The module file with lines before its functions, after its imports."""
    return lambda source: source.replace("\n\n\n", f"\n{lines}\n\n", 1)


def from_base_model(source):
    """The weights of the latest model, where there is one."""
    return source.replace(
        BUILD,
        f"""{BUILD}
    print("Base models:", fn_args.base_models)
    if fn_args.base_models:
        base_model = tf.keras.models.load_model(fn_args.base_models[0])
        model.set_weights(base_model.get_weights())
        loss, accuracy = model.evaluate(eval_dataset, steps=fn_args.eval_steps)
        print("Accuracy before training:", accuracy)
""",
    )


# Whoever looks after a GPU's memory writes one of these at the top of the module file. The device
# of a CPU that becomes two stands for what can be set only before TensorFlow uses a device.
ALLOW_GROWTH = """
import os

os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"
cpu = tf.config.list_physical_devices("CPU")[0]
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
"""

# TensorFlow reads the variable in C++, so that is where it must have arrived.
SHOW_GROWTH = """
import ctypes

getenv = ctypes.CDLL(None).getenv
getenv.restype = ctypes.c_char_p
print("Allow growth:", getenv(b"TF_FORCE_GPU_ALLOW_GROWTH").decode())
"""

SHOW_DEVICES = """
import logging


class PrintingHandler(logging.Handler):
    def emit(self, record):
        print("Handled:", record.getMessage())


logging.getLogger("tensorflow").setLevel(logging.INFO)
logging.getLogger("tensorflow").addHandler(PrintingHandler())
"""


@dataclass(kw_only=True)
class Runs:
    """What became of the guides' nodes in the first run and in the second."""

    place: Path
    results: list[RunResult]

    def uri(self, node: str, output: str, run: int = 0) -> Path:
        (artifact,) = self.results[run].outputs[node][output]
        return Path(artifact.uri)

    def model(self, node: str, run: int = 0) -> Path:
        return self.uri(node, "model", run) / "Format-Serving"

    def blessing(self, node: str, run: int = 0):
        (artifact,) = self.results[run].outputs[node]["blessing"]
        return artifact

    def log(self, node: str, run: int = 0) -> str:
        execution = self.results[run].executions[node]
        directory = self.place / "root" / node / ".system" / "executor_execution"
        return (directory / str(execution) / "executor.log").read_text()

    def predict(self, model: Path):
        """What a served model says of the examples of the evaluation split, and their labels."""
        import tensorflow as tf

        (file,) = self.uri("CsvExampleGen", "examples").glob("Split-eval/*")
        examples = list(read_records(file))
        spec = {"big_tipper": tf.io.FixedLenFeature([1], tf.int64)}
        served = tf.saved_model.load(str(model)).signatures["serving_default"]
        (predictions,) = served(examples=tf.constant(examples)).values()
        return predictions.numpy(), tf.io.parse_example(examples, spec)["big_tipper"].numpy()


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    place = tmp_path_factory.mktemp("guides")
    write_trips(place / "data" / "trips.csv")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TF_FORCE_GPU_ALLOW_GROWTH", "false")
        results = [LocalDagRunner().run(guide_pipeline(place)) for _ in range(2)]
    return Runs(place=place, results=results)


def guide_pipeline(place: Path) -> Pipeline:
    def module_file(name, source_file, *changes):
        source = (MODULES / source_file).read_text()
        for change in changes:
            assert change(source) != source
            source = change(source)
        (place / name).write_text(source)
        return str(place / name)

    transformed, raw = "keras_with_transform.py", "keras_without_transform.py"
    preparing = preparing_components(str(place / "data"), str(MODULES / transformed))
    example_gen, _, infer_schema, transform = preparing
    trainers = {
        "transformed": trainer_with_transform(str(MODULES / transformed), transform),
        "transformed_keras_3": trainer_with_transform(
            module_file("transformed_keras_3.py", transformed, with_keras_3), transform
        ),
        "raw": trainer_without_transform(str(MODULES / raw), example_gen, infer_schema),
        "raw_keras_3": trainer_with_the_generic_executor(
            module_file("raw_keras_3.py", raw, with_keras_3), example_gen, infer_schema
        ),
        "mirrored": trainer_without_transform(
            module_file(
                "mirrored.py",
                raw,
                within('tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])'),
                with_lines(ALLOW_GROWTH + SHOW_GROWTH + SHOW_DEVICES),
            ),
            example_gen,
            infer_schema,
        ),
        "one_device": trainer_without_transform(
            module_file(
                "one_device.py",
                raw,
                within('tf.distribute.OneDeviceStrategy("/cpu:0")'),
                with_lines(SHOW_GROWTH + SHOW_DEVICES),
            ),
            example_gen,
            infer_schema,
        ),
        "sessions": trainer_without_transform(
            str(MODULES / "tf1_sessions.py"), example_gen, infer_schema
        ),
    }
    for name, trainer in trainers.items():
        trainer.with_id(name)
    latest_model_resolver, warm = trainer_with_base_models(
        module_file("warm.py", transformed, from_base_model), transform, infer_schema
    )
    # So that it is its own model that is the latest when it runs again.
    warm.with_id("warm").add_upstream_nodes(trainers.values())
    old_resolver, old_evaluator = evaluator_with_resolver_node(example_gen, trainers["transformed"])
    resolver, evaluator = evaluator_with_resolver(example_gen, trainers["raw"])
    session_evaluator = evaluator_of_one_model(example_gen, trainers["sessions"])
    pusher = pusher_of(trainers["sessions"], session_evaluator, str(place / "pushed"))
    return Pipeline(
        "guides",
        str(place / "root"),
        enable_cache=True,
        components=[
            *preparing,
            *trainers.values(),
            latest_model_resolver,
            warm,
            old_resolver,
            old_evaluator.with_id("evaluator_of_transformed"),
            resolver,
            evaluator.with_id("evaluator_of_raw"),
            session_evaluator.with_id("evaluator_of_sessions"),
            pusher,
        ],
    )


def write_trips(path: Path) -> None:
    """Trips of two kinds that a line parts: who goes far, and pays much, tips well."""
    path.parent.mkdir()
    chance = random.Random(7)
    lines = ["trip_start_hour,trip_miles,fare,big_tipper"]
    for index in range(240):
        tipper = index % 2
        miles, fare = (chance.uniform(0.2, 0.8) + tipper for _ in range(2))
        lines.append(f"{chance.choice([8, 20])},{miles:.3f},{fare:.3f},{tipper}")
    path.write_text("\n".join(lines))


@pytest.mark.parametrize(
    "node",
    [
        "transformed",
        "transformed_keras_3",
        "raw",
        "raw_keras_3",
        "mirrored",
        "one_device",
        "sessions",
        "warm",
    ],
)
def test_the_model_serves_raw_examples(runs, node):
    predictions, labels = runs.predict(runs.model(node))
    assert ((predictions > 0.5) == labels).mean() > 0.9


@pytest.mark.parametrize("node", ["transformed_keras_3", "raw_keras_3"])
def test_keras_3_saves_in_the_words_of_keras_2(runs, node):
    assert "Keras 3 saves no SavedModel by model.save()" in runs.log(node)


def test_base_models_are_the_latest_models(runs):
    assert "Base models: None" in runs.log("warm")
    log = runs.log("warm", run=1)
    assert f"Base models: ['{runs.model('warm')}']" in log
    accuracy = float(log.split("Accuracy before training: ")[1].splitlines()[0])
    assert accuracy > 0.9


@pytest.mark.parametrize("node", ["evaluator_of_transformed", "evaluator_of_raw"])
def test_the_evaluator_blesses_one_model_and_then_compares_it_with_the_baseline(runs, node):
    import tensorflow_model_analysis as tfma

    for run in range(2):
        blessing = runs.blessing(node, run)
        assert blessing.custom_properties["blessed"] == 1
        assert ("baseline_model_id" in blessing.custom_properties) == (run == 1)
        directory = str(runs.uri(node, "evaluation", run))
        hours = {
            str(value)
            for part, _ in tfma.load_eval_result(directory).slicing_metrics
            for _, value in part
        }
        assert hours == {"8", "20"}
        assert tfma.load_validation_result(directory).validation_ok


def test_the_devices_of_a_strategy_are_logged_as_tensorflow_logs(runs):
    log = runs.log("mirrored")
    devices = "('/job:localhost/replica:0/task:0/device:CPU:0', "
    assert f"Handled: Using MirroredStrategy with devices {devices}" in log
    assert f" INFO tensorflow: Using MirroredStrategy with devices {devices}" in log
    assert "Handled: Using OneDeviceStrategy with devices ('/job:" in runs.log("one_device")


def test_whether_gpu_memory_may_grow_reaches_tensorflow(runs):
    assert "Allow growth: false" in runs.log("one_device"), "from the shell"
    assert "Allow growth: true" in runs.log("mirrored"), "from the module file"


def test_a_model_of_tensorflow_1_is_evaluated_and_pushed(runs):
    assert runs.blessing("evaluator_of_sessions").custom_properties["blessed"] == 1
    (version,) = (runs.place / "pushed").iterdir()
    predictions, labels = runs.predict(version)
    assert ((predictions > 0.5) == labels).mean() > 0.9
