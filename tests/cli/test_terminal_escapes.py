r"""Escape sequences in messages, properties, names and logs: shown as `\x1b`, never obeyed."""

from __future__ import annotations

import io
import json
import os
import subprocess

import pytest

from trainwright._printable import PrintableStream, printable, printable_line

EVIL = "\x1b[2J\x1b[31mhidden\x1b]0;title\x07\x9b8m\u202egnp\ud800"
SHOWN = r"\x1b[2J\x1b[31mhidden\x1b]0;title\x07\x9b8m\u202egnp\ud800"

PIPELINE = r"""
    from trainwright import OutputArtifact
    from trainwright.types import standard_artifacts

    EVIL = "\x1b[31mred\x1b]0;title\x07"
    print("loading", EVIL)

    @component
    def make_model(model: OutputArtifact[standard_artifacts.Model], note: Parameter[str]):
        model.set_string_custom_property("note", EVIL)
        model.set_string_custom_property("summary", "summary " + EVIL)
        print("log", EVIL, "two\rthree")

    @component
    def fail(note: Parameter[str]):
        raise ValueError("failed " + EVIL)

    def create_pipeline(failing: bool = True):
        model = make_model(note=EVIL)
        failure = fail(note="fail")
        failure.add_upstream_node(model)
        return Pipeline("evil", "root", components=[model, failure] if failing else [model])
"""


@pytest.fixture(scope="module")
def evil_scene(shared_scene):
    shared_scene.write(PIPELINE)
    options = ("--set", "failing=no", "--store", "other.db")
    shared_scene.good_run = shared_scene.call("run", "pipeline.py", *options)
    shared_scene.bad_run = shared_scene.call("run", "pipeline.py")
    return shared_scene


def assert_escaped(finished, *expected):
    written = finished.stdout + finished.stderr
    assert not {"\x1b", "\x07", "\x9b"} & set(written)
    for text in expected:
        assert text in written


def test_a_run_shows_them_escaped(evil_scene):
    finished = evil_scene.bad_run
    assert finished.returncode == 1
    assert_escaped(
        finished,
        r"loading \x1b[31mred\x1b]0;title\x07",
        r"FAILED with ValueError: failed \x1b[31mred",
        r"fail failed with ValueError: failed \x1b[31mred",
    )
    assert_escaped(evil_scene.good_run, r"make_model: summary \x1b[31mred\x1b]0;title\x07")


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("show", r"fail: ValueError: failed \x1b[31mred"),
        ("show --node make_model", r"note  \x1b[31mred\x1b]0;title\x07"),
        ("artifacts 1", r"note         \x1b[31mred\x1b]0;title\x07"),
        ("logs make_model", "log \\x1b[31mred\\x1b]0;title\\x07 two\nthree\n"),
        ("logs make_model -f", "log \\x1b[31mred\\x1b]0;title\\x07 two\nthree\n"),
        ("logs fail", r"ValueError: failed \x1b[31mred"),
        ("logs \x1b[31m", r"has no node '\x1b[31m'"),
        ("artifacts --node \x1b[31m", r"No node '\x1b[31m'"),
        ("show \x1b[31m", r"'\x1b[31m' is neither a run nor a node"),
        ("run \x1b[31m", r"\x1b[31m"),
    ],
)
def test_commands_show_them_escaped(evil_scene, command, expected):
    assert_escaped(evil_scene.call(*command.split()), expected)


@pytest.fixture
def edited_scene(scene):
    """A store in which names and paths hold escapes, as only another program could write them."""
    import sqlite3

    scene.write("pipeline = make('p', 'root')")
    scene.run_here("pipeline.py")
    with sqlite3.connect(scene.directory / "root/metadata.db") as connection:
        connection.execute("UPDATE artifacts SET uri = uri || '\x1b[31m\nrow', name = '\x1b[32m'")
        connection.execute(
            "UPDATE executions SET custom_properties = replace(custom_properties, 'has not', ?)",
            (json.dumps("\x1b[33m")[1:-1],),
        )
        connection.execute("UPDATE runs SET pipeline = 'p\x1b[34m'")
    return scene


def test_names_paths_and_reasons_from_the_store(edited_scene):
    for command, expected in [
        ("runs", r"p\x1b[34m"),
        ("show", r"it \x1b[33m"),
        ("explain", r"it \x1b[33m"),
        ("artifacts", r"\x1b[31m\nrow"),
        ("artifacts 1", r"\x1b[32m"),
        ("lineage 1", r"\x1b[31m"),
        ("lineage 1 --dot", r"digraph"),
    ]:
        assert_escaped(edited_scene.call(*command.split()), expected)


def test_raw_logs_are_the_bytes_of_the_file(evil_scene):
    log = evil_scene.directory / "root/make_model/.system/executor_execution/1/executor.log"
    content = log.read_bytes()
    assert b"log \x1b[31mred\x1b]0;title\x07 two\rthree\n" in content
    for options in ([], ["-f"]):
        with evil_scene.start("logs", "make_model", "--raw", *options) as process:
            assert os.read(process.stdout.fileno(), 1 << 20) == content
    refused = evil_scene.call("logs", "make_model", "--raw", "--json")
    assert refused.returncode == 2
    assert "--raw and --json" in refused.stderr


def test_on_a_terminal_only_our_own_style_is_sent(evil_scene):
    main, terminal = os.openpty()
    with subprocess.Popen(
        [*evil_scene.command, "artifacts", "1"], stdout=terminal, **evil_scene.options({})
    ) as process:
        process.wait(60)
    os.close(terminal)
    shown = os.read(main, 1 << 16).decode()
    os.close(main)
    assert "\x1b[1mnote" in shown
    assert "\x1b[31m" not in shown
    assert r"\x1b[31mred\x1b]0;title\x07" in shown


def test_every_kind_of_control_character_is_escaped():
    assert printable(EVIL) == SHOWN
    assert printable("tab\there\r\nline\n") == "tab\there\nline\n"
    assert printable_line("a\tb\nc") == r"a\tb\nc"
    harmless = "Grüße, 企鹅, العربية, 👩‍🔬"
    assert printable(harmless) == harmless


def test_a_stream_that_escapes():
    target = io.StringIO()
    print(EVIL, file=PrintableStream(target))
    assert target.getvalue() == SHOWN + "\n"
