"""`trainwright graph`: a pipeline as a picture, without running it."""

import json
import xml.etree.ElementTree as ElementTree

import pytest

SVG = "{http://www.w3.org/2000/svg}"

PIPELINE = """
    print("loading")

    @component
    def fail(total: int):
        raise KeyError("no such penguin")

    def create_pipeline(name="drawn", root="root"):
        counter = count()
        failing = fail(total=counter.outputs["total"])
        after = double(total=counter.outputs["total"]).with_id("after")
        after.add_upstream_node(failing)
        return Pipeline(name, root, components=[counter, failing, after])
"""


@pytest.fixture
def drawn(scene):
    scene.write(PIPELINE)
    return scene


def texts_of(svg):
    return [element.text for element in ElementTree.fromstring(svg).iter() if element.text]


def boxes_of(svg):
    """The class of each box and its last line, by its title."""
    boxes = {}
    for group in ElementTree.fromstring(svg).iter(f"{SVG}g"):
        kind, *look = group.get("class", "none").split()
        if kind == "tw-box":
            lines = [text.text for text in group.findall(f"{SVG}text")]
            boxes[lines[0]] = (look[0], lines[-1])
    return boxes


def test_a_picture_goes_to_a_file_or_to_who_reads_it(drawn):
    piped = drawn.call("graph", "pipeline.py")
    assert piped.returncode == 0, piped.stderr
    texts = texts_of(piped.stdout)
    for text in ("drawn", "count", "fail", "after", "double", "total: Integer"):
        assert text in texts
    assert piped.stderr == "loading\n"

    written = drawn.call("graph", "pipeline.py", "--svg", "out.svg", "--set", "name=other")
    assert written.stdout == ""
    assert f"Wrote {drawn.directory / 'out.svg'}" in written.stderr
    assert "other" in texts_of((drawn.directory / "out.svg").read_text())
    assert not (drawn.directory / "root").exists(), "nothing was run"


def test_on_a_terminal_the_file_is_named_after_the_pipeline(drawn):
    finished = drawn.call_on_terminal("graph", "pipeline.py", "--set", "name=a, b c")
    assert finished.returncode == 0
    assert f"Wrote {drawn.directory / 'a_b_c.svg'}" in finished.stderr
    assert (drawn.directory / "a_b_c.svg").exists()


def test_the_pipeline_as_json(drawn):
    document = json.loads(drawn.call("graph", "pipeline.py", "--json").stdout)
    assert document["pipeline"] == "drawn"
    assert [node["id"] for node in document["nodes"]] == ["count", "fail", "after"]
    assert document["nodes"][2]["type"] == "__main__.double"
    assert document["flows"] == [
        {
            "source": "count",
            "target": target,
            "output_key": "total",
            "input_key": "total",
            "type_name": "Integer",
        }
        for target in ("fail", "after")
    ]
    assert document["waits"] == [{"source": "fail", "target": "after"}]


def test_the_pipeline_for_graphviz(drawn):
    dot = drawn.call("graph", "pipeline.py", "--dot").stdout
    assert 'n2 [label="after\\ndouble"];' in dot
    assert 'n0 -> n1 [label="total: Integer"];' in dot
    assert "n1 -> n2 [style=dashed];" in dot


def test_a_run_colours_the_nodes(drawn):
    none_yet = drawn.call("graph", "pipeline.py", "--run", "latest")
    assert none_yet.returncode == 2
    assert "Pipeline 'drawn' has not run yet" in none_yet.stderr

    assert drawn.call("run", "pipeline.py").returncode == 1
    # Another run, elsewhere, is the last one used: the pipeline's own store is looked into.
    other = ["--set", "name=other", "--set", "root=elsewhere"]
    assert drawn.call("run", "pipeline.py", *other).returncode == 1
    picture = drawn.call("graph", "pipeline.py", "--run", "latest")
    assert picture.returncode == 0, picture.stderr
    boxes = boxes_of(picture.stdout)
    assert boxes["count"][0] == "tw-complete"
    assert boxes["count"][1].startswith("complete, ")
    assert boxes["fail"][0] == "tw-failed"
    assert boxes["after"] == ("tw-idle", "not run")
    states = {
        node["id"]: node["state"]
        for node in json.loads(
            drawn.call("graph", "pipeline.py", "--run", "latest", "--json").stdout
        )["nodes"]
    }
    assert states == {"count": "complete", "fail": "failed", "after": "not run"}

    run_id = json.loads(drawn.call("runs", "--json").stdout)[0]["run_id"]
    foreign = drawn.call(
        "graph", "pipeline.py", "--run", run_id, "--store", "elsewhere/metadata.db"
    )
    assert foreign.returncode == 2
    assert "is one of pipeline 'other', not of 'drawn'" in foreign.stderr


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["nothing.py"], "'nothing.py' does not exist"),
        (["pipeline.py", "--dot", "--svg", "-"], "Choose one of --dot, --svg and --json"),
        (["pipeline.py", "--set", "nmae=x"], "did you mean 'name'?"),
        (["pipeline.py", "--set", "name"], "'name' is not NAME=VALUE"),
    ],
)
def test_what_cannot_be_drawn(drawn, arguments, complaint):
    finished = drawn.call("graph", *arguments)
    assert finished.returncode == 2
    assert complaint in finished.stderr
