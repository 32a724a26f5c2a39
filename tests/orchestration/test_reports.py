"""Reports of a run: lines in a log, a live table on a terminal."""

from __future__ import annotations

import io
import os
import pty
import re
import select
import signal
import subprocess
import sys
import textwrap
import time

import pytest
from rich.console import Console

from trainwright import (
    LocalDagRunner,
    OutputArtifact,
    OutputDict,
    Pipeline,
    PipelineRunError,
    component,
)
from trainwright.orchestration.events import NodeCompleted, NodeStarted, RunStarted
from trainwright.orchestration.reports.live_report import LiveReport, describe_progress
from trainwright.orchestration.reports.reports import LineReport, pages
from trainwright.types import standard_artifacts

SCRIPT = """
    import sys, time
    from trainwright import LocalDagRunner, OutputDict, Parameter, Pipeline, component

    @component
    def first() -> OutputDict(x=int):
        return {"x": 1}

    @component
    def second(x: int, mode: Parameter[str]):
        if mode == "fail":
            raise ValueError("mode is fail")
        if mode == "wait":
            open("waiting", "w").close()
            time.sleep(600)

    one = first()
    nodes = [one, second(x=one.outputs["x"], mode=sys.argv[1])]
    LocalDagRunner().run(Pipeline("shown", "root", components=nodes, enable_cache=True))
"""


def run_on_terminal(tmp_path, mode: str, after_start=None, script=SCRIPT) -> tuple[str, int]:
    """Runs the script with a terminal as its standard error; returns the text and exit code."""
    path = tmp_path / "script.py"
    path.write_text(textwrap.dedent(script))
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, str(path), mode],
        cwd=tmp_path,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
    )
    os.close(theirs)
    shown = b""
    deadline = time.time() + 60
    while process.poll() is None or select.select([ours], [], [], 0)[0]:
        assert time.time() < deadline
        if after_start:
            after_start = after_start(process)
        if select.select([ours], [], [], 0.05)[0]:
            try:
                shown += os.read(ours, 65536)
            except OSError:  # how Linux says that the other end is closed
                break
    os.close(ours)
    plain = re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", shown).decode()
    return plain, process.wait()


def test_live_table_shows_states_and_the_outcome(tmp_path):
    shown, code = run_on_terminal(tmp_path, "go")
    assert code == 0
    assert re.search(r"✓\s+first\s+\d+\.\d s", shown)
    assert re.search(r"✓\s+second\s+\d+\.\d s", shown)
    assert "complete in" in shown
    assert shown.rstrip().endswith("What nodes printed: trainwright logs NODE")
    again, _ = run_on_terminal(tmp_path, "go")
    assert re.search(r"=\s+second\s+reuses execution 2", again)
    assert "What nodes printed" not in again


def test_live_table_of_a_failure(tmp_path):
    shown, code = run_on_terminal(tmp_path, "fail")
    assert code == 1
    assert re.search(r"✗\s+second\s+\d+\.\d s\s+ValueError: mode is fail", shown)
    assert "failed in" in shown


def test_one_line_for_all_pages_of_a_node():
    found = {
        "SchemaGen": ["/root/SchemaGen/2/schema.html"],
        "Transform": [f"/root/Transform/3/{name}.html" for name in ("post_schema", "pre_schema")],
    }
    assert pages({"pages": found}) == [
        ("SchemaGen: a page at ", "/root/SchemaGen/2/schema.html"),
        ("Transform: 2 pages in ", "/root/Transform/3"),
    ]


def test_live_table_says_how_to_go_on_after_ctrl_c(tmp_path):
    def interrupt(process):
        if (tmp_path / "waiting").exists():
            process.send_signal(signal.SIGINT)
            return None
        return interrupt

    shown, code = run_on_terminal(tmp_path, "wait", interrupt)
    assert code != 0
    assert re.search(r"■\s+second", shown)
    assert "Run the same command again to go on: finished nodes are reused." in shown


def test_lines_for_a_log(tmp_path):
    @component
    def one() -> OutputDict(x=int):
        return {"x": 1}

    @component
    def two(x: int):
        raise ValueError("no")

    @component
    def three(x: int):
        pass

    first = one()
    second = two(x=first.outputs["x"])
    third = three(x=first.outputs["x"])
    third.add_upstream_node(second)
    stream = io.StringIO()
    pipeline = Pipeline("p", str(tmp_path), components=[first, second, third], enable_cache=True)
    for _ in range(2):
        with pytest.raises(PipelineRunError):
            LocalDagRunner(observer=LineReport(stream)).run(pipeline)
    lines = [line[9:] for line in stream.getvalue().splitlines()]
    assert lines[1] == "one: started (execution 1): it has not run before"
    assert re.fullmatch(r"one: done in \d+\.\d s", lines[2])
    assert "two: FAILED with ValueError: no" in lines
    assert "three: skipped because of two" in lines
    assert "one: cached, reuses execution 1" in lines
    assert re.fullmatch(r"p: failed in \d+\.\d s \(1 cached, 1 failed, 1 skipped\)", lines[-1])


def test_progress_in_words():
    progress = {
        "epoch": 1,
        "epochs": 3,
        "step": 20,
        "steps": 100,
        "steps_per_second": 34.7,
        "loss": 0.41234,
    }
    assert describe_progress(progress) == "epoch 1/3  step 20/100  35 steps/s  loss 0.4123"
    assert describe_progress({"rows": 342}) == "rows 342"
    assert describe_progress({"steps_per_second": "many"}) == "steps_per_second many"


def test_what_a_node_wants_to_be_read_stands_at_the_end(tmp_path):
    @component
    def look(found: OutputArtifact[standard_artifacts.ExampleAnomalies]):
        found.set_string_custom_property("summary", "anomalies in train: none")

    stream = io.StringIO()
    pipeline = Pipeline("p", str(tmp_path), components=[look()], enable_cache=True)
    for _ in range(2):  # also if it is reused
        LocalDagRunner(observer=LineReport(stream)).run(pipeline)
        assert stream.getvalue().endswith("\nlook: anomalies in train: none\n")


def test_where_there_is_little_room_the_details_are_cut():
    report = LiveReport()
    nodes = ["CsvExampleGen", "LatestBlessedModel"]
    started = {"pipeline": "p", "run_id": "r", "root": "/r", "store": "metadata.db"}
    report(RunStarted(**started, enable_cache=True, nodes=nodes))
    begun = {"execution_id": 1, "log": "x"}
    report(NodeStarted(node=nodes[0], reason="it has not run before", **begun))
    done = {"execution_id": 1, "seconds": 0.0, "outputs": {}}
    report(NodeCompleted(node=nodes[0], **done))
    report(NodeCompleted(node=nodes[1], reason="x" * 300, **done))
    console = Console(width=60, file=io.StringIO(), force_terminal=False)
    console.print(report.render())
    lines = console.file.getvalue().splitlines()
    assert lines[1].startswith("✓  CsvExampleGen       0.0 s  because")
    assert lines[2].startswith("✓  LatestBlessedModel         xxx")
    assert lines[2].rstrip().endswith("…")


def test_escape_sequences_in_a_message_do_not_reach_the_terminal(tmp_path):
    script = SCRIPT.replace('"mode is fail"', r'"\x1b]0;title\x07[red]mode[/red]"')
    shown, code = run_on_terminal(tmp_path, "fail", script=script)
    assert code == 1
    assert "\x1b]0;" not in shown
    assert "\x07" not in shown
    assert r"ValueError: \x1b]0;title\x07[red]mode[/red]" in shown
