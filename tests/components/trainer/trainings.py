"""Trainings of tests: each test has a module file, and all of a test module are nodes of one run.

TensorFlow is imported once for them. `trains` gives a test the fixture `trained`.
"""

from __future__ import annotations

import dataclasses
import importlib.util
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from trainwright import LocalDagRunner, Pipeline, PipelineRunError
from trainwright.components import CsvExampleGen, ImportSchemaGen, Trainer
from trainwright.metadata.records import ArtifactRecord
from trainwright.orchestration.events import RunEventKind
from trainwright.orchestration.run_result import NodeFailure

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


ROWS = "x,y,note\n" + "\n".join(f"{i / 10},{i / 5},{'abc' if i % 2 else ''}" for i in range(60))


@dataclass(kw_only=True)
class Training:
    """What a test trains with: a module file, what lies beside it, and the node's settings."""

    source: str = ""
    prelude: str = PRELUDE
    schema: str = SCHEMA
    files: dict[str, str] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)
    arguments: dict[str, Any] = field(default_factory=dict)
    needs: str = ""


@dataclass(kw_only=True)
class Trained:
    """What became of it."""

    root: Path
    outputs: Mapping[str, list[ArtifactRecord]]
    failure: NodeFailure | None = None
    progress: list[dict[str, Any]] = field(default_factory=list)

    @property
    def model(self) -> Path:
        assert self.failure is None, self.failure.describe()
        return Path(self.outputs["model"][0].uri, "Format-Serving")

    @property
    def log(self) -> str:
        return next(self.root.glob(".system/executor_execution/*/executor.log")).read_text()


def trains(source: str = "", **options):
    """Gives a test the fixture `trained` for a module file, or for its parameter `source`.

    All tests' Trainers are nodes of one run, so that TensorFlow is imported once for them.
    """

    def mark(function):
        function.training = Training(source=source, **options)
        return function

    return mark


def training_of(item) -> Training:
    training = item.function.training
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    return dataclasses.replace(training, source=parameters.get("source", training.source))


@pytest.fixture(scope="module")
def all_trained(request, tmp_path_factory) -> dict[str, Trained]:
    """One run with a Trainer for each selected test of this module, by the test's name."""
    place = tmp_path_factory.mktemp("trainings")
    items = {
        f"trainer_{index}": item
        for index, item in enumerate(request.session.items)
        if item.path == request.path and hasattr(item.function, "training")
    }
    trainings = {node: training_of(item) for node, item in items.items()}
    trainings = {
        node: training
        for node, training in trainings.items()
        if not training.needs or importlib.util.find_spec(training.needs)
    }
    example_gen = CsvExampleGen(input_base=write_rows(place))
    schemas = {training.schema: None for training in trainings.values()}
    for index, schema in enumerate(schemas):
        (place / f"{index}.pbtxt").write_text(schema)
        schemas[schema] = ImportSchemaGen(str(place / f"{index}.pbtxt")).with_id(f"schema_{index}")
    trainers = [
        make_trainer(place / node, training, example_gen, schemas[training.schema]).with_id(node)
        for node, training in trainings.items()
    ]
    events = []
    pipeline = Pipeline(
        "p", str(place / "root"), components=[example_gen, *schemas.values(), *trainers]
    )
    try:
        result = LocalDagRunner(observer=events.append).run(pipeline)
    except PipelineRunError as error:
        result = error.result
    failures = {failure.node_id: failure for failure in result.failures}
    trained = {}
    for node in trainings:
        trained[items[node].name] = Trained(
            root=place / "root" / node,
            outputs=result.outputs.get(node, {}),
            failure=failures.get(node),
            progress=[
                event.data
                for event in events
                if event.kind is RunEventKind.NODE_PROGRESS and event.node == node
            ],
        )
    return trained


@pytest.fixture
def trained(request, all_trained) -> Trained:
    """What became of the test's own training."""
    pytest.importorskip(training_of(request.node).needs or "os")
    return all_trained[request.node.name]


def write_rows(place: Path) -> str:
    (place / "data").mkdir()
    (place / "data" / "data.csv").write_text(ROWS)
    return str(place / "data")


def make_trainer(place: Path, training: Training, example_gen, schema_gen) -> Trainer:
    files = {"module.py": training.prelude + textwrap.dedent(training.source), **training.files}
    for name, text in files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    arguments = {
        "train_args": {"num_steps": 20},
        "eval_args": {"num_steps": 2},
        **training.arguments,
    }
    return Trainer(
        examples=example_gen.outputs["examples"],
        schema=schema_gen.outputs["schema"],
        module_file=str(place / "module.py"),
        **arguments,
    ).with_environment(**training.environment)
