"""The table of a run in a notebook cell."""

from __future__ import annotations

from trainwright.orchestration.events import RunEvent, RunEventKind, RunStarted
from trainwright.orchestration.reports.notebook_report import NotebookReport

STARTED = {
    "pipeline": "p<1>",
    "run_id": "2026",
    "root": "/root",
    "store": "metadata.db",
    "enable_cache": True,
    "nodes": ["Trainer", "Pusher"],
}
FAILED = {"error": "ValueError", "traceback": "", "log": None, "kept": []}


def make_report():
    drawn: list[str] = []
    report = NotebookReport(drawn.append)
    report(RunStarted(**STARTED))
    return report, drawn


def tell(report, kind, **data):
    report(RunEvent.of(kind, "Trainer", data))


def test_every_change_of_a_state_is_drawn():
    report, drawn = make_report()
    tell(report, RunEventKind.NODE_STARTED, execution_id=1, reason="it is new", log="x")
    assert ">running</span>" in drawn[-1]
    assert ">waiting</span>" in drawn[-1], "the Pusher"
    tell(report, RunEventKind.NODE_FAILED, headline="ValueError: <b>no</b>", **FAILED)
    assert ">failed</span>" in drawn[-1]
    assert len(drawn) == 3


def test_progress_is_drawn_a_few_times_a_second():
    report, drawn = make_report()
    for step in range(1000):
        tell(report, RunEventKind.NODE_PROGRESS, step=step, steps=1000)
    assert 1 <= len(drawn) < 100
    tell(report, RunEventKind.NODE_COMPLETED, execution_id=1, seconds=1.0, outputs={})
    assert "step 999/1000" in drawn[-1]


def test_what_user_code_says_is_escaped():
    report, drawn = make_report()
    assert "p&lt;1&gt;" in drawn[-1]
    tell(report, RunEventKind.NODE_FAILED, headline="<script>alert(1)</script>", **FAILED)
    assert "<script" not in drawn[-1]
    assert "&lt;script&gt;" in drawn[-1]
