"""A BulkInferrer executed by hand on small examples and models."""

from __future__ import annotations

import json
from pathlib import Path

import bulk_models
import pytest

from trainwright.components.bulk_inferrer.executor import Executor
from trainwright.data.example_messages import example_class
from trainwright.data.tfrecord import open_gzip_writer, read_records
from trainwright.dsl.base_executor import ExecutorContext
from trainwright.types import standard_artifacts

ROWS = [{"x": number / 4 - 3, "kind": "even" if number % 2 else "odd"} for number in range(30)]


def make_example(**features):
    example = example_class()()
    for name, value in features.items():
        feature = example.features.feature[name]
        if isinstance(value, float):
            feature.float_list.value.append(value)
        else:
            feature.bytes_list.value.append(value.encode())
    return example.SerializeToString(deterministic=True)


def artifact_of(kind, uri, split_names=(), **custom):
    artifact = getattr(standard_artifacts, kind)()
    artifact.uri = str(uri)
    if split_names:
        artifact.split_names = json.dumps(list(split_names))
    for name, value in custom.items():
        artifact.set_int_custom_property(name, value)
    return artifact


def write_examples(directory, records_by_file):
    """Writes `Split-<split>/<file>` for each key `split/file`."""
    names = []
    for key, records in records_by_file.items():
        split, file = key.split("/")
        names.append(split)
        path = Path(directory) / f"Split-{split}" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        with open_gzip_writer(path) as write:
            write(records)
    return artifact_of("Examples", directory, dict.fromkeys(names))


class Inferred:
    """The outputs of a BulkInferrer, and what it said meanwhile."""

    def __init__(self, outputs, progress):
        self.outputs = {key: one for key, (one,) in outputs.items()}
        self.progress = progress

    @property
    def summary(self):
        return next(iter(self.outputs.values())).get_string_custom_property("summary")

    def files(self, key="inference_result"):
        root = Path(self.outputs[key].uri)
        return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())

    def records(self, key="inference_result", below=""):
        root = Path(self.outputs[key].uri)
        return [
            record
            for name in self.files(key)
            if name.startswith(below)
            for record in read_records(root / name)
        ]

    @property
    def logs(self):
        from tensorflow_serving.apis import prediction_log_pb2

        return [prediction_log_pb2.PredictionLog.FromString(one) for one in self.records()]

    def examples(self, below=""):
        return [example_class().FromString(one) for one in self.records("output_examples", below)]


@pytest.fixture(scope="session")
def examples(tmp_path_factory):
    """Two files of `train` and one of `eval`."""
    records = [make_example(**row) for row in ROWS]
    return write_examples(
        tmp_path_factory.mktemp("examples"),
        {"train/a.gz": records[:10], "train/b.gz": records[10:18], "eval/a.gz": records[18:]},
    )


@pytest.fixture(scope="session")
def model(tmp_path_factory):
    """Gives a Model artifact with one of the functions of `bulk_models`, saved once."""
    saved = {}

    def give(kind, **options):
        key = (kind, *sorted(options.items()))
        if key not in saved:
            directory = tmp_path_factory.mktemp(kind)
            getattr(bulk_models, f"save_{kind}")(directory / "Format-Serving", **options)
            saved[key] = artifact_of("Model", directory)
        return saved[key]

    return give


@pytest.fixture
def infer(tmp_path, examples):
    """Executes a BulkInferrer: `infer(model, columns={...}, model_spec={...}, both=False)`."""

    def run(asked, *, given=None, both=False, blessing=None, engine=None, **specs):
        inputs = {"examples": [given or examples], "model": [asked]}
        if blessing is not None:
            inputs["model_blessing"] = [blessing]
        has_columns = "output_example_spec" in specs
        keys = ["output_examples"] if has_columns else ["inference_result"]
        if both:
            keys = ["inference_result", "output_examples"]
        kinds = {"inference_result": "InferenceResult", "output_examples": "Examples"}
        outputs = {key: [artifact_of(kinds[key], tmp_path / key)] for key in keys}
        progress = []
        executor = Executor(ExecutorContext(report_progress=progress.append, engine=engine))
        executor.Do(inputs, outputs, {key: json.dumps(value) for key, value in specs.items()})
        return Inferred(outputs, progress)

    return run
