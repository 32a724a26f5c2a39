"""An Evaluator executed by hand on small examples and models."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
import small_models

from trainwright.components import Evaluator
from trainwright.components.evaluator.executor import Executor
from trainwright.data.tfrecord import open_gzip_writer
from trainwright.dsl.base_executor import ExecutorContext
from trainwright.evaluation.tfma_format.reading import load_metrics, load_validation_result
from trainwright.types import standard_artifacts
from trainwright.types.channel import Channel

_numbers = itertools.count(1)


def artifact_of(kind, uri, **properties):
    artifact = getattr(standard_artifacts, kind)()
    artifact.uri = str(uri)
    artifact.id = next(_numbers)
    for name, value in properties.items():
        setattr(artifact, name, value)
    return artifact


class Evaluated:
    """The outputs of an Evaluator, and what it said meanwhile."""

    def __init__(self, outputs, progress):
        self.evaluation = Path(outputs["evaluation"][0].uri)
        self.blessing = outputs["blessing"][0]
        self.progress = progress

    @property
    def blessed(self):
        return self.blessing.get_custom_property("blessed")

    @property
    def blessing_files(self):
        return sorted(path.name for path in Path(self.blessing.uri).iterdir())

    @property
    def validation(self):
        return load_validation_result(self.evaluation)

    def metrics(self, model="", slice_key=(), **others):
        """The numbers of a slice by metric."""
        for found in load_metrics(self.evaluation):
            key = tuple((one.column, _value(one)) for one in found.slice_key.single_slice_keys)
            if key == tuple(slice_key):
                return {
                    one.key.name: one.value.double_value.value
                    for one in found.metric_keys_and_values
                    if one.key.model_name == model
                    and one.key.is_diff == others.get("is_diff", False)
                    and one.key.output_name == others.get("output", "")
                }
        return None

    @property
    def slices(self):
        return [
            tuple((one.column, _value(one)) for one in found.slice_key.single_slice_keys)
            for found in load_metrics(self.evaluation)
        ]


def _value(single):
    kind = single.WhichOneof("kind")
    value = getattr(single, kind)
    return value.decode() if isinstance(value, bytes) else value


@pytest.fixture
def examples(tmp_path):
    """Writes an Examples artifact from rows; several lists are several files."""

    def write(*files, split="eval"):
        directory = tmp_path / f"examples-{next(_numbers)}"
        (directory / f"Split-{split}").mkdir(parents=True)
        for number, rows in enumerate(files):
            records = [small_models.make_example(**row) for row in rows]
            name = f"data_tfrecord-{number:05}-of-{len(files):05}.gz"
            with open_gzip_writer(directory / f"Split-{split}" / name) as write_all:
                write_all(records)
        return artifact_of("Examples", directory, split_names=f'["{split}"]')

    return write


@pytest.fixture
def model_at():
    """Makes a Model artifact of a directory."""
    return lambda directory: artifact_of("Model", directory)


@pytest.fixture
def model(tmp_path):
    """Saves a Model artifact with one of the functions of `small_models`."""

    def save(kind="scorer", where="Format-Serving", **options):
        directory = tmp_path / f"Trainer/model/{next(_numbers)}"
        getattr(small_models, f"save_{kind}")(directory / where, **options)
        return artifact_of("Model", directory)

    return save


@pytest.fixture
def run(tmp_path):
    """Executes an Evaluator, after the checks that come before a pipeline runs."""

    def execute(examples, model=None, baseline=None, schema=None, engine=None, **properties):
        given = {"examples": examples, "model": model, "baseline_model": baseline, "schema": schema}
        inputs = {key: [one] for key, one in given.items() if one is not None}
        component = Evaluator(
            **{key: Channel(type=type(one)) for key, (one,) in inputs.items()}, **properties
        )
        exec_properties = {
            key: value for key, value in component.exec_properties.items() if value is not None
        }
        component.DRIVER_CLASS().check(component, exec_properties)
        number = next(_numbers)
        outputs = {
            "evaluation": [artifact_of("ModelEvaluation", tmp_path / f"Evaluator/e/{number}")],
            "blessing": [artifact_of("ModelBlessing", tmp_path / f"Evaluator/b/{number}")],
        }
        progress = []
        context = ExecutorContext(
            tmp_dir=str(tmp_path / "tmp"), report_progress=progress.append, engine=engine
        )
        Executor(context).Do(inputs, outputs, exec_properties)
        return Evaluated(outputs, progress)

    return execute
