"""QueryBasedExampleGen with an executor of the user's own; spans that stand in queries."""

import os
import sqlite3
from pathlib import Path

import pytest

from trainwright import LocalDagRunner, Pipeline
from trainwright.components import QueryBasedExampleGen
from trainwright.components.example_gen.base_example_gen_executor import BaseExampleGenExecutor
from trainwright.components.example_gen.driver import Driver
from trainwright.components.example_gen.input_processor import (
    FileBasedInputProcessor,
    InputProcessor,
    QueryBasedInputProcessor,
    get_query_for_span,
)
from trainwright.data.example_messages import example_class
from trainwright.data.tfrecord import read_records
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.proto import example_gen_pb2
from trainwright.types.standard_artifacts import Examples

QUERY = "SELECT * FROM trips WHERE day = @span_yyyymmdd_utc"
SPAN_2 = {"static_range": {"start_span_number": 2, "end_span_number": 2}}
LATEST = {"rolling_range": {"num_spans": 1}}


class SqliteExecutor(BaseExampleGenExecutor):
    def read_examples(self, queries, exec_properties):
        [query] = queries
        connection = sqlite3.connect(os.environ["TRIPS"])
        connection.row_factory = sqlite3.Row
        yield from map(dict, connection.execute(query))


class NeedyExecutor(SqliteExecutor):
    REQUIRED_MODULES = {"no_such_package.module": "pip install no-such-package"}


class TableProcessor(QueryBasedInputProcessor):
    def get_latest_span(self):
        return 5

    def get_input_fingerprint(self, span, version):
        return f"table of day {span}"


class TableDriver(Driver):
    def get_input_processor(self, splits, range_config=None, input_base_uri=None):
        return TableProcessor(splits, range_config)


class TableExampleGen(QueryBasedExampleGen):
    EXECUTOR_SPEC = ExecutorClassSpec(SqliteExecutor)
    DRIVER_CLASS = TableDriver


def example_gen(query=QUERY, executor=SqliteExecutor, **arguments):
    return QueryBasedExampleGen(
        input_config={"splits": [{"name": "all", "pattern": query}]},
        custom_executor_spec=ExecutorClassSpec(executor),
        **arguments,
    )


def check(node):
    node.DRIVER_CLASS().check(node, dict(node.exec_properties))


def fares(uri):
    files = sorted(Path(uri).glob("Split-*/*"))
    examples = [
        example_class().FromString(record) for file in files for record in read_records(file)
    ]
    return sorted(example.features.feature["fare"].int64_list.value[0] for example in examples)


@pytest.fixture
def trips(tmp_path, monkeypatch):
    path = tmp_path / "trips.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE trips (day TEXT, fare INTEGER)")
        rows = [("19700102", 0), *(("19700103", fare) for fare in range(20))]
        connection.executemany("INSERT INTO trips VALUES (?, ?)", rows)
    monkeypatch.setenv("TRIPS", str(path))


def test_the_day_of_a_span_is_filled_into_the_query(trips, tmp_path):
    node = example_gen(range_config=SPAN_2)
    result = LocalDagRunner().run(Pipeline("trips", str(tmp_path / "root"), components=[node]))
    [examples] = result.outputs["QueryBasedExampleGen"]["examples"]
    assert fares(examples.uri) == list(range(20))
    assert examples.custom_properties["span"] == 2
    assert "input_fingerprint" not in examples.custom_properties


def test_do_can_be_called_by_hand(trips, tmp_path):
    examples = Examples()
    examples.uri = str(tmp_path / "examples")
    node = example_gen("SELECT * FROM trips")
    SqliteExecutor().Do({}, {"examples": [examples]}, dict(node.exec_properties))
    assert examples.split_names == '["train", "eval"]'
    assert fares(examples.uri) == [0, *range(20)]


def test_a_processor_of_the_user_s_own_knows_the_latest_span_and_what_changed():
    config = {"splits": [{"name": "all", "pattern": QUERY}]}
    node = TableExampleGen(input_config=config, range_config=LATEST)
    check(node)
    resolved = TableDriver().resolve_exec_properties(dict(node.exec_properties))
    assert (resolved["span"], resolved["version"]) == (5, None)
    assert resolved["input_fingerprint"] == "table of day 5"
    assert "day = '19700106'" in resolved["input_config"]


def test_the_latest_span_of_a_query_is_refused_before_the_run():
    with pytest.raises(ValueError, match="latest Span is not supported, please use RangeConfig"):
        check(example_gen(range_config=LATEST))


def test_a_placeholder_without_a_range_is_warned_of(caplog):
    check(example_gen())
    assert "it stands for 1970-01-01" in caplog.text


def test_a_library_that_is_not_installed_is_named_before_the_run():
    with pytest.raises(ValueError, match="QueryBasedExampleGen needs no_such_package.module.*pip "):
        check(example_gen("SELECT 1", NeedyExecutor))


def test_an_executor_without_hooks_is_refused_when_declared():
    with pytest.raises(TypeError, match="does not say how files become examples"):
        QueryBasedExampleGen(input_config={"splits": [{"name": "all", "pattern": "SELECT 1"}]})


def test_seconds_and_days_of_a_span():
    query = "BETWEEN @span_begin_timestamp AND @span_end_timestamp"
    assert get_query_for_span(query, 1) == "BETWEEN 86400 AND 172800"
    assert get_query_for_span("SELECT 1", 1) == "SELECT 1"


class DailyProcessor(InputProcessor):
    def get_latest_span(self):
        return 3

    def get_pattern_for_span_version(self, pattern, span, version):
        return f"{pattern}/{span}"


def splits(*patterns):
    return [
        example_gen_pb2.Input.Split(name=f"s{number}", pattern=pattern)
        for number, pattern in enumerate(patterns)
    ]


def range_config(**fields):
    from trainwright.components.example_gen.span_range import make_range_config

    return make_range_config(fields)


def test_a_start_that_a_processor_cannot_keep_is_refused():
    rolling = range_config(rolling_range={"num_spans": 1, "start_span_number": 2})
    with pytest.raises(ValueError, match=r"start_span_number is not supported by DailyProcessor"):
        DailyProcessor(splits("a"), rolling)
    FileBasedInputProcessor("data", splits("day{SPAN}/*"), rolling)


def test_the_range_decides_which_span_is_read():
    assert DailyProcessor(splits("a")).resolve_span_and_version() == (0, None)
    latest = range_config(**LATEST)
    assert DailyProcessor(splits("a"), latest).resolve_span_and_version() == (3, None)
    assert DailyProcessor(splits("a"), range_config(**SPAN_2)).resolve_span_and_version()[0] == 2


def test_patterns_are_filled_as_the_paths_are_written(tmp_path):
    (tmp_path / "day007" / "v2").mkdir(parents=True)
    (tmp_path / "day007" / "v2" / "a.csv").write_text("a\n1\n")
    pattern = "day{SPAN}/v{VERSION:1}/*"
    processor = FileBasedInputProcessor(str(tmp_path), splits(pattern))
    assert processor.resolve_span_and_version() == (7, 2)
    assert processor.get_pattern_for_span_version(pattern, 7, 2) == "day007/v2/*"
    assert processor.get_pattern_for_span_version("{SPAN:4}/*", 12, None) == "0012/*"
    with pytest.raises(ValueError, match="Spec width is less than number of digits"):
        processor.get_pattern_for_span_version("{SPAN:1}/*", 12, None)
