"""Digests of the files that components' passes make of one small dataset on several engines.

    python same_everywhere.py [--light] DIRECTORY ENGINE...

prints a line of JSON: by engine, what was made by name; --light leaves out what needs TensorFlow.
Run by test_same_everywhere.py, inside of a cluster's namespace for Ray.
"""

import hashlib
import json
import os
import sys
from pathlib import Path

import numpy as np

CSV_ROWS = 4000
FILES = 34  # more than are merged at once


def main(directory, *engines, is_light=False):
    directory = Path(directory)
    write_csv(directory / "data.csv")
    examples = write_examples(directory / "examples")
    model = None if is_light else save_model(directory / "model")
    made = {}
    for number, url in enumerate(engines):
        output = directory / f"output-{number}"
        output.mkdir()
        made[url] = {
            "examples": convert(url, directory / "data.csv", output),
            "statistics": statistics(url, examples),
        }
        if not is_light:
            made[url] |= transform(url, examples, output)
            made[url]["evaluation"] = evaluation(url, examples, model)
    print(json.dumps(made))


def write_csv(path):
    source = np.random.default_rng(1)
    rows = [f"{n},{source.random()},word{source.integers(0, 50)}" for n in range(CSV_ROWS)]
    path.write_text("\n".join(["number,size,word", *rows]))


def write_examples(directory):
    from trainwright.data.example_messages import example_class
    from trainwright.data.tfrecord import open_gzip_writer

    directory.mkdir()
    source = np.random.default_rng(2)
    paths = []
    for number in range(FILES):
        records = []
        for _ in range(50):
            example = example_class()()
            features = example.features.feature
            features["x"].float_list.value.append(source.normal())
            features["label"].float_list.value.append(source.integers(0, 2))
            features["town"].bytes_list.value.append(b"town%d" % source.zipf(1.5))
            records.append(example.SerializeToString())
        paths.append(str(directory / f"part-{number:02}.gz"))
        with open_gzip_writer(paths[-1]) as write:
            write(records)
    return paths


def save_model(directory):
    import tensorflow as tf

    class Scaling(tf.Module):
        def __init__(self):
            super().__init__()
            self.factor = tf.Variable(1.5)

        @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
        def serve(self, serialized):
            parsed = tf.io.parse_example(serialized, {"x": tf.io.FixedLenFeature([], tf.float32)})
            return {"outputs": tf.sigmoid(self.factor * parsed["x"])}

    module = Scaling()
    tf.saved_model.save(module, str(directory), {"serving_default": module.serve})
    return str(directory)


def convert(url, path, output):
    from trainwright.data.example_writing.csv_to_examples import convert_csv_to_examples
    from trainwright.data.example_writing.splits import HashSplits
    from trainwright.engine.choice import engine_for_files, open_engine

    splits = HashSplits(buckets=(("train", 2), ("eval", 1)))
    with open_engine(url) as chosen, engine_for_files(chosen) as engine:
        convert_csv_to_examples(
            {"all": [path]},
            output / "examples",
            output_splits=splits,
            block_bytes=20_000,
            engine=engine,
        )
    return digest_of(output / "examples")


def statistics(url, paths):
    from trainwright.engine.choice import open_engine
    from trainwright.statistics.generate import generate_statistics

    with open_engine(url) as engine:
        found = generate_statistics(paths, engine=engine)
    return digest(found.SerializeToString(deterministic=True))


def preprocessing_fn(inputs):
    import tensorflow_transform as tft

    return {
        "x": tft.scale_to_z_score(inputs["x"]),
        "bucket": tft.bucketize(inputs["x"], 5),
        "town": tft.compute_and_apply_vocabulary(inputs["town"], vocab_filename="towns"),
    }


def transform(url, paths, output):
    import tensorflow_transform as tft

    from trainwright.components.transform.request import TransformRequest
    from trainwright.components.transform.splits import SplitFiles
    from trainwright.components.transform.transformation import run_transform
    from trainwright.data.example_reading.example_files import ExampleFiles

    schema = output / "schema.pbtxt"
    kinds = {"x": "FLOAT", "label": "FLOAT", "town": "BYTES"}
    schema.write_text(
        "".join(
            f'feature {{ name: "{name}" type: {kind} presence {{ min_fraction: 1 }} shape {{}} }}'
            for name, kind in kinds.items()
        )
    )
    graph, written, temporary = output / "graph", output / "transformed", output / "temporary"
    temporary.mkdir()
    split = SplitFiles("train", "train", paths)
    request = TransformRequest(
        preprocessing_fn=preprocessing_fn,
        schema_path=str(schema),
        examples=ExampleFiles(),
        to_analyze=[split],
        to_transform=[split],
        graph_directory=str(graph),
        transformed_directory=str(written),
    )
    run_transform(request, str(temporary), lambda progress: None, engine=url)
    vocabulary = tft.TFTransformOutput(str(graph)).vocabulary_file_by_name("towns")
    return {
        "vocabulary": digest(Path(vocabulary).read_bytes()),
        "transformed": digest(repr(list(decoded(written))).encode()),
    }


def decoded(directory):
    """The rows of all files: the order of features in a record is another in every process."""
    from trainwright.data.example_messages import example_class
    from trainwright.data.example_reading.example_files import ExampleFiles

    paths = sorted(map(str, directory.rglob("*.gz")))
    for record in ExampleFiles(paths=paths).records():
        features = example_class().FromString(record).features.feature
        yield [(name, features[name].SerializeToString()) for name in sorted(features)]


def evaluation(url, paths, model):
    from trainwright.engine.choice import open_engine
    from trainwright.evaluation.config.config_completion import complete_eval_config
    from trainwright.evaluation.config.config_reading import read_eval_config
    from trainwright.evaluation.evaluate import evaluate
    from trainwright.evaluation.models.evaluated_model import ModelSource

    config = read_eval_config(
        {
            "model_specs": [{"label_key": "label"}],
            "slicing_specs": [{}, {"feature_keys": ["town"]}],
            "metrics_specs": [
                {"metrics": [{"class_name": "AUC"}, {"class_name": "MeanSquaredError"}]}
            ],
        }
    )
    config = complete_eval_config(config, has_baseline=False, has_model=True)
    models = {config.model_specs[0].name: ModelSource(model)}
    with open_engine(url) as engine:
        found = evaluate(paths, config, models, engine=engine)
    slices = [[str(one.slice_key), one.examples, str(one.metrics)] for one in found.slices]
    return digest(json.dumps(slices).encode())


def digest_of(directory):
    """Of all files below a directory, with their names."""
    return digest(
        b"".join(
            str(path.relative_to(directory)).encode() + path.read_bytes()
            for path in sorted(directory.rglob("*"))
            if path.is_file()
        )
    )


def digest(data):
    return hashlib.sha256(data).hexdigest()[:16]


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(__file__))
    chosen = [argument for argument in sys.argv[1:] if argument != "--light"]
    main(*chosen, is_light="--light" in sys.argv)
