"""Two runs compared, one node with what it measured, and the pages of a run."""

from __future__ import annotations

import json
import os
import subprocess

import pytest

from trainwright.cli.commands.compare import comparison_rows
from trainwright.history.run_differences import NodeFacts, compare_runs

PIPELINE = """
    import os

    from trainwright import LocalDagRunner
    from trainwright.components import CsvExampleGen, ImportSchemaGen

    @component
    def load() -> OutputDict(loaded=int):
        import helper

        return {"loaded": helper.VALUE}

    def create_pipeline(start: int = 1):
        counter = count(start=start)
        return Pipeline(
            "compared",
            "root",
            components=[
                CsvExampleGen(input_base="data"),
                ImportSchemaGen(schema_file="schema.pbtxt"),
                counter,
                double(total=counter.outputs["total"]),
                load(),
            ],
            enable_cache=True,
        )
"""


@pytest.fixture(scope="module")
def compared(shared_scene):
    """Two runs; before the second a row was added to the data, and a parameter and a module that a
    node loads were changed."""
    directory = shared_scene.directory
    shared_scene.write(PIPELINE)
    (directory / "data").mkdir()
    (directory / "schema.pbtxt").write_text('feature { name: "a" type: INT }')
    data = directory / "data" / "a.csv"
    data.write_text("a,b\n1,2\n3,4\n")
    (directory / "helper.py").write_text("VALUE = 1")
    shared_scene.first = shared_scene.call("run", "pipeline.py")
    data.write_text("a,b\n1,2\n3,4\n5,6\n7,8\n")
    (directory / "helper.py").write_text("VALUE = 22")
    shared_scene.second = shared_scene.call("run", "pipeline.py", "--set", "start=5")
    assert shared_scene.second.returncode == 0, shared_scene.second.stderr
    runs = json.loads(shared_scene.call("runs", "--json").stdout)
    shared_scene.ids = [run["run_id"] for run in reversed(runs)]
    return shared_scene


def test_what_differs_between_two_runs(compared):
    finished = compared.call("compare", *compared.ids, "--json")
    assert finished.returncode == 0, finished.stderr
    document = json.loads(finished.stdout)
    assert [run["run_id"] for run in document["runs"]] == compared.ids
    nodes = {node["node_id"]: node for node in document["nodes"]}
    assert list(nodes) == ["CsvExampleGen", "ImportSchemaGen", "count", "load", "double"]
    assert nodes["count"]["properties"] == {"start": [1, 5]}
    assert nodes["CsvExampleGen"]["measured"] == {"rows": [2, 4]}
    (before,), (after,) = nodes["CsvExampleGen"]["data"]["examples"]
    assert before["input_fingerprint"] != after["input_fingerprint"]
    assert nodes["double"]["properties"] == {}
    (before,), (after,) = nodes["double"]["data"]["twice"]
    assert before["id"] != after["id"]
    assert nodes["ImportSchemaGen"]["state"] == ["complete", "cached"]
    assert not nodes["ImportSchemaGen"]["data"]
    assert all(seconds > 0 for seconds in nodes["count"]["seconds"])
    assert list(nodes["CsvExampleGen"]["files"]) == ["data/a.csv"]
    assert list(nodes["load"]["files"]) == [str(compared.directory / "helper.py")]
    assert nodes["load"]["code"][0] == nodes["load"]["code"][1]


def test_what_differs_in_words(compared):
    text = compared.call("compare", compared.ids[0]).stdout
    first, second, _, heading, *rows, _, same = text.splitlines()
    assert first.startswith(f"A  {compared.ids[0]}  compared, complete, ")
    assert second.startswith(f"B  {compared.ids[1]}  compared, complete, ")
    assert heading.split() == ["NODE", "WHAT", "A", "B", "CHANGE"]
    cells = [row.split() for row in rows]
    assert ["count", "property", "start", "1", "5", "+400.0%"] in cells
    assert ["CsvExampleGen", "rows", "2", "4", "+100.0%"] in cells
    assert ["CsvExampleGen", "data", "examples", "Examples"] in [row[:4] for row in cells]
    assert [row[:3] + row[5:] for row in cells if row[1] == "file"] == [
        ["CsvExampleGen", "file", "data/a.csv", "changed"],
        ["load", "file", "helper.py", "changed"],
    ]
    assert ["double", "time"] in [row[:2] for row in cells]
    assert same == "The same in both: ImportSchemaGen."


def test_a_run_is_the_same_as_itself(compared):
    text = compared.call("compare", "latest", "latest").stdout
    assert text.splitlines()[3:] == [
        "The same in both: CsvExampleGen, ImportSchemaGen, count, load, double."
    ]
    assert compared.call("compare", "1999").returncode == 2


def test_how_to_name_the_runs(compared):
    finished = compared.call("compare")
    assert finished.returncode == 2
    assert "compare [OPTIONS] RUN [RUN]" in finished.stderr
    assert "Name the RUN to compare the latest with, or two" in finished.stderr


def _config(bound, *, names=("auc",)):
    """A proto as it is stored, long enough not to fit into a cell."""
    specs = [{"metrics": list(names), "thresholds": {"loss": {"value_threshold": bound}}}]
    return json.dumps({"model_specs": [{"label_key": "species" * 8}], "metrics_specs": specs})


ARTIFACT = {"id": 3, "type": "ModelBlessing", "blessed": 1}


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        pytest.param(
            {"properties": {"eval_config": _config(None)}},
            {"properties": {"eval_config": _config(0.5)}},
            [
                (
                    "property eval_config.metrics_specs[0].thresholds.loss.value_threshold",
                    "-",
                    "0.5",
                    "",
                )
            ],
            id="a field of JSON",
        ),
        pytest.param(
            {"properties": {"query": "select " + "a, " * 30 + "b"}},
            {"properties": {"query": "select " + "a, " * 30 + "c"}},
            [("property query", "... a, a, a, a, a, b", "... a, a, a, a, a, c", "")],
            id="the end of a long text",
        ),
        pytest.param(
            {"code": "1234", "files": {"/elsewhere/mod.py": "a" * 64}},
            {"code": "5678", "files": {"/elsewhere/mod.py": "b" * 64, "/elsewhere/new.py": "c"}},
            [
                ("code", "1234", "5678", "changed"),
                ("file /elsewhere/mod.py", "aaaaaaaa", "bbbbbbbb", "changed"),
                ("file /elsewhere/new.py", "-", "c", "new"),
            ],
            id="code and files",
        ),
        pytest.param(
            {"code": "1", "files": {f"{n}.csv": "a" for n in range(7)}},
            {"code": "1", "files": {f"{n}.csv": "b" for n in range(7)}},
            [
                *((f"file {n}.csv", "a", "b", "changed") for n in range(5)),
                ("2 more files", "", "", "changed"),
            ],
            id="many files",
        ),
        pytest.param(
            {"code": "1", "files": {"a.csv": "a"}, "modules": {"m.py": "a"}},
            {"code": "1", "files": {"a.csv": "a"}, "modules": None, "state": "failed"},
            [("state", "complete", "failed", "")],
            id="modules of a node that failed are not known",
        ),
        pytest.param(
            {"code": "1", "environment": {"TOKEN": "a"}},
            {"code": "1", "environment": {"TOKEN": "b", "MODE": "c"}},
            [
                ("environment TOKEN", "set", "set", "changed"),
                ("environment MODE", "-", "set", "new"),
            ],
            id="environment without its values",
        ),
        pytest.param(
            {"data": {"blessing": [ARTIFACT]}},
            {"data": {"blessing": [{**ARTIFACT, "id": 8, "blessed": 0}]}},
            [("data blessing", "ModelBlessing 3 (blessed)", "ModelBlessing 8 (not blessed)", "")],
            id="a blessing",
        ),
        pytest.param(
            {"measured": {"loss": 0.5}, "seconds": 2.0},
            {"measured": {"loss": 0.25}, "state": "cached"},
            [("loss", "0.5", "0.25", "-50.0%"), ("time", "2.0 s", "reused", "")],
            id="the time of a reused node",
        ),
    ],
)
def test_a_row_says_what_differs(first, second, expected):
    defaults = {"state": "complete", "seconds": None}
    facts = [{"Node": NodeFacts(**(defaults | given))} for given in (first, second)]
    (compared,) = compare_runs(*facts)
    assert comparison_rows(compared) == [("Node", *row) for row in expected]


@pytest.mark.parametrize(
    "arguments",
    ["latest CsvExampleGen", "CsvExampleGen latest", "CsvExampleGen", "--node CsvExampleGen"],
)
def test_a_node_in_whatever_order_it_is_asked_for(compared, arguments):
    finished = compared.call("show", *arguments.split(), "--json")
    assert finished.returncode == 0, finished.stderr
    document = json.loads(finished.stdout)
    assert document["node_id"] == "CsvExampleGen"
    assert document["measured"] == {"rows": 4}


def test_the_order_of_the_arguments_of_logs(compared):
    for arguments in (("latest", "count"), ("count", "latest"), (compared.ids[1], "count")):
        finished = compared.call("logs", *arguments, "--json")
        assert json.loads(finished.stdout)["run_id"] == compared.ids[1]
    unknown = compared.call("logs", "latest", "cuont")
    assert "has no node 'cuont'; did you mean 'count'?" in unknown.stderr
    for command in ("show", "logs"):
        misspelt = compared.call(command, "cuont", "double")
        assert misspelt.returncode == 2
        assert "'cuont' is neither a run nor a node of the latest run" in misspelt.stderr
        assert "did you mean 'count'?" in misspelt.stderr
        two = compared.call(command, "count", "double")
        assert "count and double are both nodes: name one of them" in two.stderr
        no_run = compared.call(command, "1999", "count")
        assert "'1999' matches no run" in no_run.stderr
    alone = compared.call("show", "cuont")
    assert "'cuont' is neither a run nor a node of the latest run" in alone.stderr
    assert "did you mean 'count'?" in alone.stderr
    no_node = compared.call("logs", "latest")
    assert no_node.returncode == 2
    assert "latest is a run: name the NODE, too" in no_node.stderr
    assert "CsvExampleGen, ImportSchemaGen, count, load, double." in no_node.stderr
    both = compared.call("show", "latest", "count", "--node", "double")
    assert both.returncode == 2
    assert "Name one node" in both.stderr


def test_what_a_node_measured_and_its_page_are_shown(compared):
    assert "MEASURED\nrows  4\n" in compared.call("show", "latest", "CsvExampleGen").stdout
    page = compared.directory / "root/ImportSchemaGen/.system/executor_execution/2/schema.html"
    assert page.is_file()
    for finished in (compared.first, compared.second):
        assert f"ImportSchemaGen: a page at {page}\n" in finished.stderr
    for arguments in ((), ("latest", "ImportSchemaGen")):
        assert f"ImportSchemaGen  {page}\n" in compared.call("show", *arguments).stdout
    document = json.loads(compared.call("show", "--json").stdout)
    assert [node["pages"] for node in document["nodes"]] == [[], [str(page)], [], [], []]


@pytest.mark.parametrize(("terminal", "is_link"), [("xterm-256color", True), ("dumb", False)])
def test_a_page_is_a_link_in_terminals_that_can(compared, terminal, is_link):
    main, other = os.openpty()
    options = compared.options({"TERM": terminal})
    subprocess.run([*compared.command, "show"], stdout=other, check=True, **options)
    os.close(other)
    shown = os.read(main, 1 << 16).decode()
    os.close(main)
    page = compared.directory / "root/ImportSchemaGen/.system/executor_execution/2/schema.html"
    assert (f"\x1b]8;;{page.as_uri()}\x1b\\{page}\x1b]8;;\x1b\\" in shown) is is_link
    assert str(page) in shown


def test_the_end_of_a_run_is_short(compared):
    root = compared.directory / "root"
    assert compared.first.stdout.splitlines() == [
        f"5 artifacts in {root}",
        "",
        f"trainwright show {compared.ids[0]}",
    ]
