"""Output of nodes is shown while they run, line by line, with the node that it comes from."""

from __future__ import annotations

import io
import os
import pty
import sys
import time

import pytest

from trainwright import LocalDagRunner, Parameter, Pipeline, component
from trainwright.orchestration.events import NodeCompleted, NodeStarted, RunEvent
from trainwright.orchestration.reports import node_output
from trainwright.orchestration.reports.node_output import with_node_output
from trainwright.orchestration.reports.reports import default_report

BAR_OF_KERAS_2 = "".join(
    "\b" * 30 + f"\r{step}/3 [{'=' * step:.<3}] - loss: 0.{step}" for step in (1, 2, 3)
)
BAR_OF_KERAS_3 = "".join(
    f"\r\x1b[1m{step}/3\x1b[0m \x1b[32m{'━' * step}\x1b[0m - loss: 0.{step}" for step in (1, 2, 3)
)


class Following:
    """A report with the output of one node, whose log the test writes."""

    def __init__(self, path) -> None:
        self._path = path
        self._path.touch()
        self.seen: list[str] = []

    def run(self, *pieces: bytes | list[str]) -> list[str]:
        """Writes pieces to the log; where there is a list, waits until these lines were shown."""
        with with_node_output(self._note, self.seen.append) as observe:
            observe(NodeStarted(node="a", execution_id=1, reason="", log=str(self._path)))
            for piece in pieces:
                if isinstance(piece, bytes):
                    with self._path.open("ab") as file:
                        file.write(piece)
                else:
                    self._wait_for(piece)
            observe(NodeCompleted(node="a", execution_id=1, seconds=1.0, outputs={}))
            with self._path.open("ab") as file:
                file.write(b"after its end\n")
        return self.seen

    def _note(self, event: RunEvent) -> None:
        self.seen.append(event.kind.value)

    def _wait_for(self, lines: list[str]) -> None:
        deadline = time.monotonic() + 30
        while self.seen[1:] != lines:
            assert time.monotonic() < deadline, self.seen
            time.sleep(0.01)


@pytest.fixture
def following(tmp_path):
    return Following(tmp_path / "log")


def test_lines_are_shown_as_they_are_finished_between_start_and_end(following):
    shown = following.run(b"one\ntw", ["a | one"], b"o\nlast", ["a | one", "a | two"])
    assert shown == ["node_started", "a | one", "a | two", "a | last", "node_completed"]


@pytest.mark.parametrize(
    ("written", "line"),
    [
        (BAR_OF_KERAS_2, "3/3 [===] - loss: 0.3"),
        (BAR_OF_KERAS_3, "3/3 ━━━ - loss: 0.3"),
        ("\x1b]0;title\x07\x1b[2Jgone", "\\x1b]0;title\\x07\\x1b[2Jgone"),
        ("windows\r", "windows"),
        ("", ""),
    ],
)
def test_a_line_is_shown_as_it_looks_in_the_end(following, written, line):
    assert following.run(written.encode() + b"\n")[1:-1] == [f"a | {line}"]


def test_a_progress_bar_is_shown_now_and_then(following, monkeypatch):
    monkeypatch.setattr(node_output, "_SECONDS_BETWEEN_REWRITES", 0.0)
    shown = following.run(b"\r1/9", ["a | 1/9"], b"\r9/9\n")
    assert shown[1:-1] == ["a | 1/9", "a | 9/9"]


def test_of_very_much_output_the_end_is_shown_and_the_rest_named(following, monkeypatch):
    monkeypatch.setattr(node_output, "_SHOWN_AT_ONCE", 1000)
    monkeypatch.setattr(node_output, "_SECONDS_BETWEEN_LOOKS", 600.0)
    lines = [f"line {number}" for number in range(10_000)]
    shown = following.run("\n".join(lines).encode())[1:-1]
    assert shown[0].startswith("a | ... 9")
    assert shown[0].endswith("bytes are left out here; all of it is in " + str(following._path))
    assert 50 < len(shown) < 110
    assert shown[1:] == [f"a | {line}" for line in lines[-len(shown) + 1 :]]


@component
def say(what: Parameter[str]):
    print(what)
    os.system("echo from a program")
    print("on standard error", file=sys.stderr)


@component
def stumble():
    print("nearly there")
    raise ValueError("stumbled")


SAID = ["say | hello", "say | from a program", "say | on standard error"]


def test_a_run_shows_output_where_there_is_no_table(tmp_path, capsys):
    pipeline = Pipeline("p", str(tmp_path), components=[say(what="hello"), stumble()])
    with pytest.raises(ValueError, match="stumbled"):
        LocalDagRunner().run(pipeline)
    lines = capsys.readouterr().err.splitlines()
    assert [line for line in lines if line.startswith("say | ")] == SAID
    # The failure is told once, and the log has it, too.
    assert [line for line in lines if line.startswith("stumble | ")] == ["stumble | nearly there"]
    (log,) = tmp_path.glob("stumble/.system/executor_execution/*/executor.log")
    assert log.read_text().startswith("nearly there\nTraceback (most recent call last):\n")
    assert log.read_text().endswith("\nValueError: stumbled\n")
    started, *_, done = [line[9:] for line in lines if " say" in line[8:13]]
    assert started.startswith("say: started")
    assert done.startswith("say: done")
    with pytest.raises(ValueError, match="stumbled"):
        LocalDagRunner(show_output=False).run(pipeline)
    assert " | " not in capsys.readouterr().err


def test_an_observer_of_the_users_decides_by_itself(tmp_path):
    with pytest.raises(ValueError, match=r"Give one of the two\."):
        LocalDagRunner(observer=print, show_output=True)


@pytest.mark.parametrize("show_output", [None, True])
def test_beside_a_live_table_it_is_shown_if_asked_for(tmp_path, show_output):
    ours, theirs = pty.openpty()
    with open(theirs, "w") as terminal:
        with default_report(terminal, show_output=show_output) as report:
            pipeline = Pipeline("p", str(tmp_path), components=[say(what="hello")])
            LocalDagRunner(observer=report).run(pipeline)
        shown = os.read(ours, 1 << 20).decode()
    os.close(ours)
    assert ("say | hello\r\n" in shown) is (show_output is True)


def test_a_stream_that_nobody_reads_any_more_does_not_end_the_run(tmp_path):
    class Gone(io.StringIO):
        def write(self, text):
            raise BrokenPipeError

    with default_report(Gone()) as report:
        pipeline = Pipeline("p", str(tmp_path), components=[say(what="hello")])
        assert LocalDagRunner(observer=report).run(pipeline).is_success
