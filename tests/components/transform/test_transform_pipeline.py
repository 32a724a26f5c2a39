"""Transform in real pipelines: with a Trainer, a cache, spans, functions of a script."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from trainwright import LocalDagRunner, Pipeline, PipelineRunError, RunOptions
from trainwright.components import (
    CsvExampleGen,
    SchemaGen,
    StatisticsGen,
    Trainer,
    Transform,
)
from trainwright.data.tfrecord import read_records

PENGUIN = Path(__file__).parents[3] / "examples" / "penguin"

FEATURES = """\
import tensorflow as tf
import tensorflow_transform as tft

NUMBERS = ("bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g")


def preprocessing_fn(inputs):
    outputs = {
        name: tft.scale_to_z_score(tf.cast(inputs[name], tf.float32)) for name in NUMBERS
    }
    for name in ("island", "species"):
        outputs[name] = tft.compute_and_apply_vocabulary(
            inputs[name], num_oov_buckets=1, vocab_filename=name
        )
    return outputs
"""

TRAINING = """\
import tensorflow as tf
import tensorflow_transform as tft
from features import NUMBERS


def read(files, graph):
    spec = graph.transformed_feature_spec()
    dataset = tf.data.experimental.make_batched_features_dataset(
        files, 20, spec, reader=lambda files: tf.data.TFRecordDataset(files, "GZIP"),
        label_key="species", num_epochs=1,
    )
    return dataset.map(lambda batch, label: ({name: batch[name] for name in NUMBERS}, label))


def run_fn(fn_args):
    graph = tft.TFTransformOutput(fn_args.transform_graph_path)
    inputs = {name: tf.keras.Input((1,), name=name) for name in NUMBERS}
    merged = tf.keras.layers.Concatenate()([inputs[name] for name in NUMBERS])
    count = graph.vocabulary_size_by_name("species")
    model = tf.keras.Model(inputs, tf.keras.layers.Dense(count)(merged))
    loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile("adam", loss)
    model.fit(read(fn_args.train_files, graph), verbose=0)
    model.transform_layer = graph.transform_features_layer()
    spec = graph.raw_feature_spec()
    del spec["species"]

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def serve(examples):
        transformed = model.transform_layer(tf.io.parse_example(examples, spec))
        numbers = {name: transformed[name] for name in NUMBERS}
        return {"logits": model(numbers), **numbers}

    @tf.function(input_signature=[tf.TensorSpec([None, len(NUMBERS)])])
    def predict(numbers):
        columns = tf.split(numbers, len(NUMBERS), axis=1)
        return {"logits": model(dict(zip(NUMBERS, columns)))}

    signatures = {"serving_default": serve, "on_transformed": predict}
    model.save(fn_args.serving_model_dir, save_format="tf", signatures=signatures)
"""


class Penguins:
    """A directory with data and modules, and the pipeline over them."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        (directory / "data").mkdir()
        shutil.copy(PENGUIN / "data" / "penguins.csv", directory / "data")
        (directory / "features.py").write_text(FEATURES)
        (directory / "training.py").write_text(TRAINING)

    def run(self, until: str = "Trainer"):
        example_gen = CsvExampleGen(input_base=str(self.directory / "data"))
        examples = example_gen.outputs["examples"]
        statistics_gen = StatisticsGen(examples=examples)
        schema_gen = SchemaGen(statistics=statistics_gen.outputs["statistics"])
        transform = Transform(
            examples=examples,
            schema=schema_gen.outputs["schema"],
            module_file=str(self.directory / "features.py"),
        )
        trainer = Trainer(
            examples=transform.outputs["transformed_examples"],
            transform_graph=transform.outputs["transform_graph"],
            module_file=str(self.directory / "training.py"),
        )
        components = [example_gen, statistics_gen, schema_gen, transform, trainer]
        root = str(self.directory / "root")
        pipeline = Pipeline("penguins", root, components=components, enable_cache=True)
        return run(pipeline, RunOptions(to_nodes=[until]))


def run(pipeline, options=None):
    return LocalDagRunner(observer=lambda event: None).run(pipeline, options)


@pytest.fixture(scope="module")
def penguins(tmp_path_factory):
    return Penguins(tmp_path_factory.mktemp("penguins"))


@pytest.fixture(scope="module")
def first_run(penguins):
    return penguins.run()


def uri(result, node: str, key: str) -> Path:
    return Path(result.outputs[node][key][0].uri)


def states(result) -> dict[str, str]:
    return {node: state.value for node, state in result.states.items()}


def records_of(directory: Path) -> list[bytes]:
    return [record for path in sorted(directory.iterdir()) for record in read_records(path)]


def test_training_and_serving_give_the_same_numbers(first_run):
    import tensorflow as tf
    import tensorflow_transform as tft

    raw = records_of(uri(first_run, "CsvExampleGen", "examples") / "Split-eval")
    transformed = uri(first_run, "Transform", "transformed_examples") / "Split-eval"
    graph = tft.TFTransformOutput(str(uri(first_run, "Transform", "transform_graph")))
    parsed = tf.io.parse_example(
        tf.constant(records_of(transformed)), graph.transformed_feature_spec()
    )
    model = tf.saved_model.load(str(uri(first_run, "Trainer", "model") / "Format-Serving"))
    served = model.signatures["serving_default"](tf.constant(raw))
    assert len(raw) > 100
    names = ("bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g")
    for name in names:
        np.testing.assert_array_equal(served[name], parsed[name])
    numbers = tf.concat([parsed[name] for name in names], axis=1)
    trained_on = model.signatures["on_transformed"](numbers)
    np.testing.assert_array_equal(served["logits"], trained_on["logits"])


def test_what_users_ask_a_transform_graph(first_run):
    import tensorflow as tf
    import tensorflow_transform as tft

    graph = tft.TFTransformOutput(str(uri(first_run, "Transform", "transform_graph")))
    assert graph.vocabulary_size_by_name("species") == 3
    assert graph.vocabulary_by_name("species")[0] == b"Adelie"
    assert Path(graph.vocabulary_file_by_name("island")).read_text().split()[0] == "Biscoe"
    assert graph.num_buckets_for_transformed_feature("species") == 4
    spec = graph.raw_feature_spec()
    assert spec["bill_length_mm"] == tf.io.FixedLenFeature([1], tf.float32)
    assert isinstance(spec["sex"], tf.io.VarLenFeature)

    directory = uri(first_run, "CsvExampleGen", "examples") / "Split-train"
    batches = (
        tf.data.TFRecordDataset(sorted(map(str, directory.iterdir())), "GZIP")
        .batch(50)
        .map(lambda records: graph.transform_raw_features(tf.io.parse_example(records, spec)))
    )
    masses = np.concatenate([batch["body_mass_g"].numpy() for batch in batches])
    assert masses.mean() == pytest.approx(0, abs=1e-5)
    assert masses.std() == pytest.approx(1, abs=1e-5)


def test_the_log_says_how_many_examples_and_how_long(penguins, first_run):
    directory = penguins.directory / "root/Transform/.system/executor_execution"
    [log] = [path.read_text() for path in directory.glob("*/executor.log")]
    for words in ("Split train: ", "Split eval: ", "Analysis took", "Transforming took"):
        assert words in log
    assert "Statistics of raw examples took" in log


def test_an_unchanged_transform_is_reused(penguins, first_run):
    assert set(states(penguins.run()).values()) == {"cached"}


def test_an_edited_module_file_runs_again_and_a_mistake_is_told_at_the_end(penguins, first_run):
    module = penguins.directory / "features.py"
    module.write_text(FEATURES.replace('"species"', '"speceis"'))
    try:
        with pytest.raises(PipelineRunError) as caught:
            penguins.run(until="Transform")
    finally:
        module.write_text(FEATURES)
    assert states(caught.value.result)["Transform"] == "failed"
    assert states(caught.value.result)["SchemaGen"] == "cached"
    told = str(caught.value)
    assert (
        "Transform failed with ValueError: preprocessing_fn asked for the feature 'speceis' at "
        "features.py line 13; did you mean 'species'?"
    ) in told
    assert "inputs[name], num_oov_buckets=1" in told  # the user's own line


SPANS = """\
import sys

from trainwright import LocalDagRunner, Pipeline
from trainwright.components import CsvExampleGen, ImportSchemaGen, Transform
from trainwright.types.channel import union

FACTOR = 1.0


def preprocessing_fn(inputs):
    import tensorflow_transform as tft

    return {"mass": tft.scale_to_z_score(inputs["mass"] * FACTOR)}


monday, tuesday = (CsvExampleGen(f"data/{day}").with_id(day) for day in ("monday", "tuesday"))
schema = ImportSchemaGen("schema.pbtxt").outputs["schema"]
schema_gen = schema.producer
first = Transform(
    examples=monday.outputs["examples"], schema=schema, preprocessing_fn=preprocessing_fn
).with_id("first")
both = Transform(
    examples=union([tuesday.outputs["examples"], monday.outputs["examples"]]),
    schema=schema,
    preprocessing_fn=preprocessing_fn,
    analyzer_cache=first.outputs["updated_analyzer_cache"],
).with_id("both")
components = [monday, tuesday, schema_gen, first, both]
pipeline = Pipeline("spans", "root", components=components, enable_cache=True)
runner = LocalDagRunner(observer=lambda event: None)
if not sys.argv[1:]:
    runner.run(pipeline)
for forecast in runner.explain(pipeline):
    print(forecast.node_id, forecast.reason)
"""


def test_functions_of_a_script_and_the_cache_of_another_transform(run_script, tmp_path):
    for day, start in (("monday", 0), ("tuesday", 1000)):
        (tmp_path / "data" / day).mkdir(parents=True)
        rows = "".join(f"{start + number / 2}\n" for number in range(40))
        (tmp_path / "data" / day / "data.csv").write_text("mass\n" + rows)
    (tmp_path / "schema.pbtxt").write_text(
        'feature { name: "mass" type: FLOAT presence { min_fraction: 1 } shape {} }'
    )
    afterwards = run_script(SPANS).stdout
    [log] = (tmp_path / "root/both/.system/executor_execution").glob("*/executor.log")
    analyzed = [line for line in log.read_text().splitlines() if "examples analyzed" in line]
    assert len(analyzed) == 1
    assert "tuesday" in analyzed[0]
    assert "both unchanged since execution" in afterwards
    # The function and what it uses are part of the cache key.
    edited = run_script(SPANS.replace("FACTOR = 1.0", "FACTOR = 2.0"), "--explain").stdout
    assert "monday unchanged since execution" in edited
    assert "first property preprocessing_fn changed" in edited
