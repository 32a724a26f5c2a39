"""Small raw examples, and a Transform executed by hand on them."""

from __future__ import annotations

import itertools
import textwrap
from pathlib import Path

import pytest
from raw_example_files import PRELUDE, SCHEMA, write_examples

from trainwright.components import Transform
from trainwright.components.transform.executor import Executor
from trainwright.dsl.base_executor import ExecutorContext
from trainwright.types.channel import Channel
from trainwright.types.standard_artifacts import Examples, Schema, TransformCache

_numbers = itertools.count()


@pytest.fixture(scope="session")
def examples(tmp_path_factory):
    """Twenty examples to train, in two files, and ten to evaluate."""
    rows = list(range(30))
    directory = tmp_path_factory.mktemp("examples")
    return write_examples(directory, train=[rows[:12], rows[12:20]], eval=[rows[20:]])


class Transformed:
    """The artifacts that a Transform made, and what it said meanwhile."""

    def __init__(self, outputs, progress):
        self.artifacts = outputs
        self.progress = progress

    def __getitem__(self, key) -> Path:
        return Path(self.artifacts[key][0].uri)

    @property
    def graph(self):
        import tensorflow_transform as tft

        return tft.TFTransformOutput(str(self["transform_graph"]))

    def rows(self, split: str) -> list[dict]:
        """The transformed examples of a split, parsed."""
        import tensorflow as tf

        files = sorted(map(str, (self["transformed_examples"] / f"Split-{split}").iterdir()))
        spec = self.graph.transformed_feature_spec()
        return [
            {name: tensor.numpy() for name, tensor in tf.io.parse_single_example(one, spec).items()}
            for one in tf.data.TFRecordDataset(files, "GZIP")
        ]


@pytest.fixture
def transform(tmp_path, examples):
    """Runs a Transform by hand, with a module of this source or with `preprocessing_fn`."""

    def run(
        source=None, *, given=None, caches=(), schema=SCHEMA, engine=None, **arguments
    ) -> Transformed:
        root = tmp_path / f"run{next(_numbers)}"
        schema_artifact = Schema()
        schema_artifact.uri = str(root / "schema")
        (root / "schema").mkdir(parents=True)
        (root / "schema" / "schema.pbtxt").write_text(schema)
        if source is not None:
            # A name of its own: modules are loaded once in a process.
            path = root / f"features{next(_numbers)}.py"
            path.write_text(PRELUDE + textwrap.dedent(source))
            arguments["module_file"] = str(path)
        inputs = {"examples": given or [examples], "schema": [schema_artifact]}
        if caches:
            arguments["analyzer_cache"] = Channel(type=TransformCache)
            inputs["analyzer_cache"] = list(caches)
        component = Transform(
            examples=Channel(type=Examples), schema=Channel(type=Schema), **arguments
        )
        outputs = {}
        for key, channel in component.outputs.items():
            outputs[key] = [channel.type()]
            outputs[key][0].uri = str(root / key)
            (root / key).mkdir()
        progress: list[dict] = []
        context = ExecutorContext(
            tmp_dir=str(root / "tmp"), report_progress=progress.append, engine=engine
        )
        Executor(context).Do(inputs, outputs, dict(component.exec_properties))
        assert not list((root / "tmp").iterdir())
        return Transformed(outputs, progress)

    return run
