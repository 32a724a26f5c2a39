"""Nodes that their conditions skip, as the commands show them."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree

import pytest

CONDITION = "count.outputs['total'][0].value > 2"
REASON = f"{CONDITION} does not hold (it is 1)"

PIPELINE = """
    from trainwright import Cond

    def create_pipeline(start: int = 1):
        counter = count(start=start)
        with Cond(counter.outputs["total"].future()[0].value > 2):
            doubled = double(total=counter.outputs["total"])
        after = double(total=doubled.outputs["twice"]).with_id("after")
        return Pipeline("p", "root", components=[counter, doubled, after], enable_cache=True)
"""


@pytest.fixture(scope="module")
def skipped(shared_scene):
    """A run in which two of three nodes were skipped, with what it printed."""
    shared_scene.write(PIPELINE)
    foreseen = shared_scene.call("run", "pipeline.py", "--explain")
    finished = shared_scene.call("run", "pipeline.py")
    assert finished.returncode == 0, finished.stderr
    return shared_scene, foreseen, finished


def test_the_run_says_why_and_succeeds(skipped):
    _, _, finished = skipped
    assert f"double: skipped: {REASON}\n" in finished.stderr
    because = "its input total is double.outputs['twice'], and double was skipped"
    assert f"after: skipped: {because}\n" in finished.stderr
    assert "p: complete in" in finished.stderr
    assert "(1 complete, 2 skipped)" in finished.stderr
    assert "double." not in finished.stdout


def test_events_for_programs(skipped):
    scene, _, _ = skipped
    finished = scene.call("run", "pipeline.py", "--json")
    assert finished.returncode == 0
    events = [json.loads(line) for line in finished.stdout.splitlines()]
    (told,) = [one for one in events if one["event"] == "node_skipped" and one["node"] == "double"]
    assert told["reason"] == REASON
    assert events[-1]["state"] == "complete"
    assert events[-1]["skipped"]["double"] == REASON


def test_the_live_table_ends_with_the_reasons(skipped):
    from trainwright.orchestration.events import NodeSkipped, RunFinished, RunStarted
    from trainwright.orchestration.reports.live_report import LiveReport

    report = LiveReport()
    started = {"pipeline": "p", "run_id": "r", "root": "/r", "store": "metadata.db"}
    report(RunStarted(**started, enable_cache=True, nodes=["double"]))
    report(NodeSkipped(node="double", reason=REASON))
    ended = {
        "state": "complete",
        "seconds": 1.0,
        "summary": "",
        "states": {"double": "skipped"},
        "skipped": {"double": REASON},
        "notes": [],
        "pages": {},
        "warnings": [],
    }
    report(RunFinished(**ended))
    assert report.closing_lines == ["complete in 1.0 s (1 skipped)", f"double  skipped: {REASON}"]


def test_show_and_runs(skipped):
    scene, _, _ = skipped
    shown = scene.call("show")
    assert shown.returncode == 0, shown.stderr
    text = re.sub(r"\s+", " ", shown.stdout)
    assert f"double skipped {REASON}" in text
    assert re.search(r"p run \S+ complete", text)
    document = json.loads(scene.call("show", "--json").stdout)
    node = document["nodes"][1]
    assert (node["node_id"], node["state"], node["reason"]) == ("double", "skipped", REASON)
    assert node["execution_id"] is None
    one = scene.call("show", "latest", "--node", "double")
    assert one.returncode == 0
    assert REASON in re.sub(r"\s+", " ", one.stdout)
    assert "2 skipped" in scene.call("runs").stdout


def test_explained_before_and_after(skipped):
    scene, foreseen, _ = skipped
    text = re.sub(r"\s+", " ", foreseen.stdout)
    assert f"double run or skip new outputs of count; only if {CONDITION}" in text
    assert "3 of 3 nodes would run, 2 of them only if a condition holds." in text
    now = re.sub(r"\s+", " ", scene.call("explain", "pipeline.py").stdout)
    assert f"double skip {REASON}" in now
    assert "0 of 3 nodes would run." in now
    afterwards = re.sub(r"\s+", " ", scene.call("explain", "latest").stdout)
    assert f"double skipped {REASON}" in afterwards


def test_a_skipped_node_has_no_log(skipped):
    scene, _, _ = skipped
    for follow in ([], ["-f"]):
        finished = scene.call("logs", "double", *follow)
        assert finished.returncode == 2
        assert "double has no log: it was skipped in run " in finished.stderr
        assert REASON in finished.stderr


def test_the_picture_marks_the_condition(skipped):
    scene, _, _ = skipped
    svg = scene.call("graph", "pipeline.py", "--run", "latest").stdout
    groups = list(ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}g"))
    boxes = [group for group in groups if group.get("class", "").startswith("tw-box")]
    marked = [group for group in boxes if "tw-dashed" in group.get("class")]
    assert len(boxes) == 3
    (box,) = marked
    title, *texts = [element.text for element in box if element.text]
    assert title.splitlines()[1:] == [f"runs if {CONDITION}", f"skipped: {REASON}"]
    assert texts == ["double", f"if {CONDITION}", "skipped"]
    assert "condition" in [element.text for element in ElementTree.fromstring(svg).iter()]
    dot = scene.call("graph", "pipeline.py", "--dot").stdout
    assert f'n1 [label="double\\nif {CONDITION}", style="rounded,dashed"];' in dot
    document = json.loads(scene.call("graph", "pipeline.py", "--json").stdout)
    assert [node["conditions"] for node in document["nodes"]] == [[], [CONDITION], []]


def test_a_long_condition_shows_its_end():
    from trainwright.cli.pipeline_picture import _end_of

    text = "Evaluator.outputs['blessing'][0].custom_property('blessed') == 1"
    assert len(_end_of(text)) == 44
    assert _end_of(text).startswith("…")
    assert _end_of(text).endswith("custom_property('blessed') == 1")
