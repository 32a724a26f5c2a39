"""Behaviour common to all commands: help, JSON, exit codes, quiet ends, and a quick start."""

import importlib
import json
import os
import signal
import subprocess
import sys
import time

import click
import pytest

from trainwright._version import __version__
from trainwright.cli.lazy_group import LazyCommand, LazyGroup
from trainwright.cli.main import COMMANDS, cli

PRESENT = [
    name
    for name, command in COMMANDS.items()
    if importlib.util.find_spec(command.source.partition(":")[0]) is not None
]


def test_all_commands_are_there():
    assert set(COMMANDS) == {
        "run", "runs", "show", "artifacts", "lineage", "explain", "logs", "cancel", "gc", "graph",
        "doctor", "completion", "schema", "compare", "new", "import-mlmd", "check", "export",
        "compile", "execute-node", "serve",
    }  # fmt: skip
    assert set(PRESENT) >= set(COMMANDS) - {"explain", "gc"}


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_the_help_lists_the_commands_and_the_exit_codes(trainwright, flag):
    finished = trainwright(flag)
    assert (finished.returncode, finished.stderr) == (0, "")
    for name in PRESENT:
        assert f"\n  {name} " in finished.stdout
    assert "Exit codes, the same for every command:" in finished.stdout
    for code in ("0 ", "1 ", "2 ", "130"):
        assert f"\n    {code}" in finished.stdout


@pytest.mark.parametrize("name", PRESENT)
def test_every_command_has_help_and_json(name):
    command = cli.get_command(click.Context(cli), name)
    for part in command.commands.values() if isinstance(command, click.Group) else [command]:
        options = {option for parameter in part.params for option in parameter.opts}
        assert "--json" in options
        assert part.help
        for parameter in part.params:
            assert isinstance(parameter, click.Argument) or parameter.help or name in ("run", "gc")
        assert part.get_help(click.Context(part, info_name=name))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run", "--help"], ["--set NAME=VALUE", "--json", "--max-parallel", "Exit code"]),
        (["runs", "--help"], ["--store PATH", "--pipeline", "--limit", "--state", "--json"]),
        (["show", "--help"], ["--store PATH", "--json", "latest", "--node"]),
        (["doctor", "--help"], ["--json", "Exit code"]),
        (["lineage", "--help"], ["--down", "--depth", "--dot", "--svg", "--execution"]),
    ],
)
def test_help_of_a_command(trainwright, arguments, words):
    finished = trainwright(*arguments)
    assert (finished.returncode, finished.stderr) == (0, "")
    for word in words:
        assert word in finished.stdout


def test_version(trainwright):
    finished = trainwright("--version")
    assert finished.returncode == 0
    assert finished.stdout == f"trainwright, version {__version__}\n"


@pytest.mark.parametrize("arguments", [[], ["bogus"], ["run"], ["runs", "--limit", "0"]])
def test_a_wrong_command_is_exit_code_2(trainwright, arguments):
    finished = trainwright(*arguments)
    assert finished.returncode == 2
    assert "Usage:" in finished.stderr


def test_a_misspelt_command_is_guessed(trainwright):
    finished = trainwright("lineag")
    assert finished.returncode == 2
    assert "There is no command 'lineag'; did you mean 'lineage'?" in finished.stderr


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["show", "--json"], "No run has been remembered yet"),
        (["runs", "--json", "--limit", "none"], "Invalid value for '--limit'"),
        (["graph", "nothing.py", "--json"], "'nothing.py' does not exist"),
        (["--json", "bogus"], "No such option"),
    ],
)
def test_errors_under_json_are_one_line_of_json_on_standard_error(
    trainwright, arguments, complaint
):
    finished = trainwright(*arguments)
    assert finished.returncode == 2
    assert finished.stdout == ""
    (line,) = finished.stderr.splitlines()
    document = json.loads(line)
    assert complaint in document["error"]
    assert document["exit_code"] == 2


def test_an_error_behind_a_pipeline_s_file_is_json_as_well(scene):
    scene.write("print('loading')\npipeline = make('found', 'root')")
    finished = scene.call("graph", "pipeline.py", "--run", "latest", "--json")
    assert finished.returncode == 2
    assert finished.stdout == ""
    *printed, last = finished.stderr.splitlines()
    assert printed == ["loading"]
    assert "has not run yet" in json.loads(last)["error"]


def test_a_store_that_cannot_be_opened_is_json_as_well(scene):
    (scene.directory / "notes.txt").write_text("not a database " * 100)
    finished = scene.call("runs", "--store", "notes.txt", "--json")
    assert finished.returncode == 2
    assert "is not an SQLite database" in json.loads(finished.stderr)["error"]


def test_a_module_that_is_missing_or_broken_does_not_break_the_others():
    group = LazyGroup(
        "tools",
        commands_by_name={
            "doctor": LazyCommand("trainwright.cli.commands.doctor:doctor", "There."),
            "later": LazyCommand("trainwright.cli.not_written_yet:later", "Not there."),
        },
    )
    context = click.Context(group)
    assert group.list_commands(context) == ["doctor"]
    assert group.get_command(context, "later") is None
    assert "Not there" not in group.get_help(context)


@pytest.mark.parametrize("command", ["runs", "--help", "show --json"])
def test_a_reader_that_goes_away_ends_it_quietly(scene, command):
    scene.write("pipeline = make('found', 'root')")
    scene.run_here("pipeline.py")
    process = scene.start(*command.split())
    process.stdout.close()
    messages = process.stderr.read()
    assert process.wait(timeout=30) == 141
    assert [line.partition(" ")[0] for line in messages.splitlines()] in ([], ["Store:"])


def test_output_is_without_colour_unless_it_is_a_terminal(scene):
    scene.write("pipeline = make('found', 'root')")
    scene.run_here("pipeline.py")
    for command in (["runs"], ["show"], ["show", "--node", "count"], ["lineage", "2"]):
        assert "\x1b" not in scene.call(*command).stdout


LOADED = """
import sys
from trainwright.cli.main import main
command = sys.argv[1]
try:
    main()
finally:
    heavy = {"tensorflow", "keras", "tf_keras", "pandas", "apache_beam", "ray"}
    loaded = {name.partition(".")[0] for name in sys.modules}
    assert not loaded & heavy, loaded & heavy
    if command in ("--help", "--version", "completion"):
        assert not loaded & {"sqlalchemy", "rich", "pyarrow", "numpy"}
        commands = {name for name in sys.modules if name.startswith("trainwright.cli.")}
        assert "trainwright.cli.commands.runs" not in commands
"""


def test_commands_load_only_what_they_need(scene):
    scene.write("pipeline = make('found', 'root')")
    scene.run_here("pipeline.py")
    commands = [
        "runs", "show", "show --node count", "compare latest", "artifacts",
        "artifacts 1", "lineage 2", "lineage 1 --down --dot", "logs count", "graph pipeline.py",
        "graph pipeline.py --run latest", "gc --dry-run", "doctor", "completion bash", "--help",
        "--version",
    ]  # fmt: skip
    for command in commands:
        finished = subprocess.run(
            [sys.executable, "-c", LOADED, *command.split()],
            capture_output=True,
            timeout=60,
            **scene.options({}),
        )
        assert finished.returncode == 0, (command, finished.stderr)
        assert "AssertionError" not in finished.stderr


def test_ctrl_c_is_exit_code_130(scene):
    scene.write(
        """
        import time
        print("loading", flush=True)
        time.sleep(60)
        pipeline = make("slow", "root")
        """
    )
    process = scene.start("graph", "pipeline.py")
    assert process.stderr.readline() == "loading\n"
    time.sleep(0.2)
    os.kill(process.pid, signal.SIGINT)
    output, messages = process.communicate(timeout=30)
    assert process.returncode == 130
    assert (output.strip(), messages.strip()) == ("", "")
