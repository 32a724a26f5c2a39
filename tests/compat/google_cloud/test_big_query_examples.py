"""BigQueryExampleGen asks Google's client library, and says when it is not installed."""

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from tfx.extensions.google_cloud_big_query.example_gen.component import BigQueryExampleGen
from tfx.extensions.google_cloud_big_query.example_gen.executor import Executor
from tfx.extensions.google_cloud_big_query.experimental.elwc_example_gen.component import (
    component as elwc_component,
)
from tfx.extensions.google_cloud_big_query.experimental.elwc_example_gen.component import (
    executor as elwc_executor,
)
from tfx.extensions.google_cloud_big_query.experimental.elwc_example_gen.proto import (
    elwc_config_pb2,
)
from trainwright.compat.google_cloud.big_query_examples import parse_gcp_project, row_to_dict
from trainwright.data.example_messages import example_class
from trainwright.data.tfrecord import read_records
from trainwright.types.standard_artifacts import Examples

TYPES = {"id": "INTEGER", "name": "STRING", "paid": "BOOLEAN", "fares": "FLOAT"}
ROWS = [
    {"id": number, "name": f"n{number % 2}", "paid": True, "fares": [0.5, 1]} for number in range(9)
]


class Result(list):
    schema = [SimpleNamespace(name=name, field_type=kind) for name, kind in TYPES.items()]


@pytest.fixture
def asked(monkeypatch):
    """The queries that a client library is asked, which stands in for Google's."""
    queries = []

    class Client:
        def __init__(self, project):
            self.project = project

        def query(self, text):
            queries.append((self.project, text))
            return SimpleNamespace(result=lambda: Result(ROWS))

    module = ModuleType("google.cloud.bigquery")
    module.Client = Client
    monkeypatch.setitem(sys.modules, "google.cloud.bigquery", module)
    return queries


def do(executor, node, tmp_path):
    examples = Examples()
    examples.uri = str(tmp_path / "out")
    executor.Do({}, {"examples": [examples]}, dict(node.exec_properties))
    files = sorted(Path(examples.uri).glob("Split-*/*"))
    return examples, [record for file in files for record in read_records(file)]


def test_rows_become_examples(asked, tmp_path):
    context = Executor.Context(beam_pipeline_args=["--project=p"])
    node = BigQueryExampleGen(query="SELECT * FROM t")
    examples, records = do(Executor(context), node, tmp_path)
    assert asked == [("p", "SELECT * FROM t")]
    assert examples.split_names == '["train", "eval"]'
    found = [example_class().FromString(record).features.feature for record in records]
    assert sorted(features["id"].int64_list.value[0] for features in found) == list(range(9))
    assert found[0]["paid"].int64_list.value == [1]
    assert found[0]["fares"].float_list.value == [0.5, 1.0]


def test_a_library_that_is_not_installed_is_named_before_the_run(monkeypatch):
    monkeypatch.setitem(sys.modules, "google.cloud", None)
    monkeypatch.setitem(sys.modules, "google.cloud.bigquery", None)
    node = BigQueryExampleGen(query="SELECT 1")
    with pytest.raises(ValueError, match="pip install google-cloud-bigquery"):
        node.DRIVER_CLASS().check(node, dict(node.exec_properties))


def test_a_query_or_a_config_is_needed():
    with pytest.raises(RuntimeError, match="Exactly one of query and input_config"):
        BigQueryExampleGen()


def test_columns_of_other_types_are_refused():
    with pytest.raises(RuntimeError, match='column "time" has non-supported type TIMESTAMP'):
        row_to_dict({"time": "TIMESTAMP"}, {"time": 1})
    assert row_to_dict({"time": "TIMESTAMP"}, {"time": None}) == {"time": None}
    assert parse_gcp_project(["--runner", "DirectRunner"]) is None


def test_rows_of_one_context_become_one_message(asked, tmp_path):
    node = elwc_component.BigQueryToElwcExampleGen(
        query="SELECT * FROM t",
        elwc_config=elwc_config_pb2.ElwcConfig(context_feature_fields=["name"]),
    )
    _, records = do(elwc_executor.Executor(), node, tmp_path)
    assert len(records) == 2
    serving = pytest.importorskip("tensorflow_serving.apis.input_pb2")
    messages = [serving.ExampleListWithContext.FromString(record) for record in records]
    by_name = {m.context.features.feature["name"].bytes_list.value[0]: m for m in messages}
    assert len(by_name[b"n0"].examples) == 5
    assert sorted(by_name[b"n1"].examples[0].features.feature) == ["fares", "id", "paid"]
