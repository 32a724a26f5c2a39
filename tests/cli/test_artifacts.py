"""`trainwright artifacts` and `trainwright lineage`: what is there, and what was made of what."""

import json
import xml.etree.ElementTree as ElementTree

import pytest

# Three runs: all new, all reused, and one with another start, so that both nodes run anew.
RUNS = (3, 3, 4)


@pytest.fixture(scope="module")
def run_ids(shared_scene):
    ids = []
    for start in RUNS:
        shared_scene.write(f"pipeline = make('counting', 'root', start={start})")
        finished = shared_scene.call("run", "pipeline.py", "--json")
        ids.append(json.loads(finished.stdout.splitlines()[0])["run_id"])
    shared_scene.write("pipeline = Pipeline('other', 'other', components=[count()])")
    finished = shared_scene.call(
        "run", "pipeline.py", "--json", TRAINWRIGHT_STORE="root/metadata.db"
    )
    assert finished.returncode == 0, finished.stderr
    return [*ids, json.loads(finished.stdout.splitlines()[0])["run_id"]]


@pytest.fixture
def call(shared_scene, run_ids):
    return lambda *arguments: shared_scene.call(*arguments, TRAINWRIGHT_STORE="root/metadata.db")


def ids_of(finished):
    assert finished.returncode == 0, finished.stderr
    return [artifact["id"] for artifact in json.loads(finished.stdout)]


def test_artifacts_are_listed_with_their_makers(call, shared_scene, run_ids):
    listed = call("artifacts")
    assert listed.returncode == 0
    header, *lines = [line.split(maxsplit=3) for line in listed.stdout.splitlines()]
    assert " ".join(header).split() == ["ID", "TYPE", "STATE", "MADE", "BY", "RUN", "WHEN", "URI"]
    assert [line[:3] for line in lines] == [[str(n), "Integer", "live"] for n in (5, 4, 3, 2, 1)]
    # The one that was reused was made by the first run.
    assert f"double (execution 2)  {run_ids[0]}" in " ".join(lines[3])
    assert f"{shared_scene.directory}/root/double/twice/2/value" in lines[3][-1]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], [5, 4, 3, 2, 1]),
        (["--limit", "2"], [5, 4]),
        (["--pipeline", "counting"], [4, 3, 2, 1]),
        (["--pipeline", "other"], [5]),
        (["--node", "count"], [5, 3, 1]),
        (["--node", "double"], [4, 2]),
        (["--node", "double", "--limit", "1"], [4]),
        (["--node", "count", "--pipeline", "counting"], [3, 1]),
        (["--node", "count", "--type", "Integer", "--state", "live", "--limit", "2"], [5, 3]),
        (["--type", "Model"], []),
        (["--state", "deleted"], []),
    ],
)
def test_artifacts_are_chosen(call, arguments, expected):
    assert ids_of(call("artifacts", *arguments, "--json")) == expected


def test_no_artifacts_are_no_error(call):
    listed = call("artifacts", "--type", "Model")
    assert (listed.returncode, listed.stdout) == (0, "No artifacts like that.\n")


def test_a_misspelt_node_is_an_error(call):
    finished = call("artifacts", "--node", "duble")
    assert finished.returncode == 2
    assert "No node 'duble' has run yet; did you mean 'double'?" in finished.stderr


def test_one_artifact_whole(call, shared_scene, run_ids):
    shown = call("artifacts", "1")
    assert shown.returncode == 0
    facts = dict(line.split("  ", 1) for line in shown.stdout.split("\n\n")[0].splitlines())
    facts = {name.strip(): value.strip() for name, value in facts.items()}
    assert facts["artifact"] == "Integer 1"
    assert facts["state"] == "live"
    assert facts["uri"] == f"{shared_scene.directory}/root/count/total/1/value"
    assert facts["size"] == "1 B"
    assert facts["made by"] == "count (execution 1)"
    assert facts["run"] == run_ids[0]
    assert facts["pipeline"] == "counting"
    assert "CUSTOM PROPERTIES\n" in shown.stdout
    read_by = shown.stdout.split("READ BY\n")[1]
    assert read_by == f"double (execution 2) as total, complete, run {run_ids[0]}\n"

    document = json.loads(call("artifacts", "1", "--json").stdout)
    assert document["size"] == 1
    assert document["made_by"]["node_id"] == "count"
    assert [reader["execution_id"] for reader in document["read_by"]] == [2]
    assert json.loads(call("artifacts", "2", "--json").stdout)["read_by"] == []


@pytest.mark.parametrize("command", ["artifacts", "lineage"])
def test_an_unknown_artifact(call, command):
    finished = call(command, "99")
    assert finished.returncode == 2
    assert "There is no artifact 99 in the store: the newest is 5." in finished.stderr


def test_lineage_goes_up(call, shared_scene, run_ids):
    root = shared_scene.directory / "root"
    shown = call("lineage", "2")
    assert shown.returncode == 0
    lines = [line.strip("├└│─|`- ") for line in shown.stdout.splitlines()]
    assert lines[0] == f"Integer 2  {root}/double/twice/2/value"
    assert lines[1].startswith("made by double (execution 2, complete in ")
    assert f"run {run_ids[0]}" in lines[1]
    assert lines[2] == f"total: Integer 1  {root}/count/total/1/value"
    assert lines[3].startswith("made by count (execution 1, complete in ")
    assert len(lines) == 4


def test_lineage_goes_down_and_names_no_reuse(call):
    shown = call("lineage", "1", "--down")
    lines = [line.strip("├└│─|`- ") for line in shown.stdout.splitlines()]
    assert lines[1].startswith("read by double (execution 2, complete")
    assert lines[1].endswith("as total")
    assert lines[2].startswith("twice: Integer 2  ")
    assert len(lines) == 3


def test_lineage_of_an_execution_and_its_depth(call):
    shown = call("lineage", "--execution", "2").stdout.splitlines()
    assert shown[0].startswith("double (execution 2, complete")
    assert len(shown) == 3
    assert len(call("lineage", "2", "--depth", "1").stdout.splitlines()) == 3
    unknown = call("lineage", "--execution", "99")
    assert unknown.returncode == 2
    assert "There is no execution 99" in unknown.stderr


@pytest.mark.parametrize(
    "arguments", [[], ["1", "--execution", "1"], ["1", "--dot", "--svg", "-"], ["one"], ["0"]]
)
def test_a_question_that_lineage_cannot_answer(call, arguments):
    finished = call("lineage", *arguments)
    assert finished.returncode == 2
    assert "Usage:" in finished.stderr


def test_lineage_as_json(call):
    document = json.loads(call("lineage", "2", "--json").stdout)
    assert [artifact["id"] for artifact in document["artifacts"]] == [1, 2]
    assert [execution["node_id"] for execution in document["executions"]] == ["count", "double"]
    assert {
        (edge["execution_id"], edge["artifact_id"], edge["is_output"], edge["key"])
        for edge in document["edges"]
    } == {(1, 1, True, "total"), (2, 1, False, "total"), (2, 2, True, "twice")}


def test_lineage_as_a_picture(call, tmp_path):
    path = tmp_path / "lineage.svg"
    finished = call("lineage", "2", "--svg", path)
    assert finished.returncode == 0
    assert finished.stdout == ""
    assert finished.stderr.splitlines()[1:] == [f"Wrote {path}"]
    texts = [element.text for element in ElementTree.parse(path).iter() if element.text]
    for text in ("What Integer 2 was made of", "Integer 1", "count", "double", "twice"):
        assert text in texts
    on_stdout = call("lineage", "2", "--svg", "-")
    assert on_stdout.stdout == path.read_text()

    nowhere = call("lineage", "2", "--svg", tmp_path / "no" / "lineage.svg")
    assert nowhere.returncode == 2
    assert "cannot be written: No such file or directory" in nowhere.stderr


def test_lineage_for_graphviz(call):
    dot = call("lineage", "1", "--down", "--dot").stdout
    assert dot.startswith('digraph "What was made of Integer 1" {')
    assert 'label="double\\nexecution 2, complete"' in dot
    assert dot.count("->") == 2


def test_a_diamond_is_drawn_once_and_named_twice(scene):
    scene.write(
        """
        @component
        def add(one: int, other: int) -> OutputDict(total=int):
            return {"total": one + other}

        counter = count()
        left, right = double(total=counter.outputs["total"]), add(
            one=counter.outputs["total"], other=counter.outputs["total"]
        )
        last = add(one=left.outputs["twice"], other=right.outputs["total"]).with_id("last")
        pipeline = Pipeline("diamond", "root", components=[counter, left, right, last])
        """
    )
    scene.run_here("pipeline.py")
    last = json.loads(scene.call("artifacts", "--node", "last", "--json").stdout)[0]["id"]
    shown = scene.call("lineage", last).stdout
    assert shown.count("made by count") == 1
    assert shown.count("(shown above)") == 2
    above, _, below = shown.partition("made by count")
    assert "(shown above)" not in above
    assert "(shown above)" in below


def test_ascii_branches_where_the_output_takes_no_others(shared_scene, run_ids):
    store = {"TRAINWRIGHT_STORE": "root/metadata.db"}
    shown = shared_scene.call_process("lineage", "2", PYTHONIOENCODING="ascii", **store)
    assert shown.stdout.splitlines()[1].startswith("`- made by double")
    shown = shared_scene.call_process("lineage", "2", PYTHONIOENCODING="utf-8", **store)
    assert shown.stdout.splitlines()[1].startswith("└─ made by double")
