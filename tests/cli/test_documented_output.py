"""The output that docs/command_line.md shows is what the commands print today.

The runs of that page are made once, with a training that takes no time. Other pages show the same
project.
"""

from __future__ import annotations

import io
import re
import shutil
import sys
import textwrap
from pathlib import Path

import pytest
from click.testing import CliRunner
from documented_output import REPOSITORY, assert_lines_are_printed, block, blocks_of_commands

from trainwright.cli.main import cli, main

# fmt: off
BLOCKS = blocks_of_commands(
    "docs/command_line.md",
    "artifacts", "compare", "explain", "gc", "lineage", "logs", "runs", "show",
)
# fmt: on

PIPELINE = """
    from trainwright import Pipeline, sqlite_metadata_connection_config
    from trainwright.components import CsvExampleGen, ImportSchemaGen, Pusher, Trainer


    def create_pipeline(train_steps=100):
        example_gen = CsvExampleGen(input_base="data")
        schema_gen = ImportSchemaGen(schema_file="schema/schema.pbtxt")
        trainer = Trainer(
            module_file="penguin_trainer.py",
            examples=example_gen.outputs["examples"],
            schema=schema_gen.outputs["schema"],
            train_args={"num_steps": train_steps},
            eval_args={"num_steps": 5},
        )
        return Pipeline(
            "penguin",
            "output/artifacts",
            components=[
                Pusher(model=trainer.outputs["model"], push_destination="output/serving_model")
            ],
            enable_cache=True,
            metadata_connection_config=sqlite_metadata_connection_config("output/metadata.db"),
        )
"""
TRAINER = """
    from pathlib import Path


    def run_fn(fn_args):
        if fn_args.train_steps < 0:
            raise ValueError(f"{fn_args.train_steps} steps")
        Path(fn_args.serving_model_dir).mkdir(parents=True)
        Path(fn_args.serving_model_dir, "model.txt").write_text(str(fn_args.train_steps))
"""
# What Keras reports of a training.
MEASURED = re.compile(
    r"MEASURED|(?:Trainer  )?(?:epochs?|steps?|loss|sparse_categorical_accuracy) "
)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The directory of the page's four runs (all new, all reused, one that fails, one with more
    steps), and what the first of them shows on a terminal."""
    directory = tmp_path_factory.mktemp("penguin")
    for name in ("data/penguins.csv", "schema/schema.pbtxt"):
        (directory / name).parent.mkdir()
        shutil.copy(REPOSITORY / "examples" / "penguin" / name, directory / name)
    (directory / "pipeline.py").write_text(textwrap.dedent(PIPELINE))
    module_file = directory / "penguin_trainer.py"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(directory)
        patch.setenv("XDG_STATE_HOME", _state(directory))
        module_file.write_text(textwrap.dedent(TRAINER))
        shown = _run_on_terminal()
        for steps, comment in ((100, ""), (-5, ""), (200, "# changed\n")):
            module_file.write_text(textwrap.dedent(TRAINER) + comment)
            run = ["run", "pipeline.py", "--quiet", "--set", f"train_steps={steps}"]
            finished = CliRunner().invoke(cli, run)
            assert finished.exit_code == (1 if steps < 0 else 0), finished.output
        yield directory, shown


@pytest.fixture(scope="module")
def project(made):
    return made[0]


def _run_on_terminal():
    out, err = Terminal(), Terminal()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["trainwright", "run", "pipeline.py"])
        patch.setenv("TERM", "xterm")
        patch.setenv("COLUMNS", "120")
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        with pytest.raises(SystemExit) as end:
            main()
    assert not end.value.code, err.getvalue()
    return re.sub(r"\x1b(\[[0-9;?]*[A-Za-z]|\]8;.*?\x1b\\)", "", err.getvalue() + out.getvalue())


class Terminal(io.StringIO):
    """What takes the place of a terminal's stream."""

    def isatty(self):
        return True


def _state(directory: Path) -> str:
    """Where the last store is remembered."""
    return str(directory / "state")


@pytest.fixture
def call(project, monkeypatch, capsys):
    def call(*arguments):
        monkeypatch.setattr(sys, "argv", ["trainwright", *arguments])
        with pytest.raises(SystemExit):
            main()
        return "".join(capsys.readouterr())

    monkeypatch.chdir(project)
    monkeypatch.setenv("XDG_STATE_HOME", _state(project))
    return call


@pytest.mark.parametrize(
    ("command", "shown"),
    BLOCKS,
    ids=lambda text: text.splitlines()[0],
)
def test_documented_lines_are_printed(call, project, command, shown):
    # A run of the page that is named is its first one.
    arguments = re.sub(r"\b2026-\S+", lambda _: _first_run(call), command).split()
    lines = [line for line in shown.splitlines() if not MEASURED.match(line)]
    assert_lines_are_printed(
        "\n".join(lines), call(*arguments), {"/home/ada/penguin": str(project)}
    )


def test_a_run_is_shown_on_a_terminal(made):
    directory, printed = made
    shown = block("docs/command_line.md", "✓  CsvExampleGen")
    # Nothing is trained here, of which the table would tell.
    shown = re.sub("epoch .*", "...", shown)
    assert_lines_are_printed(shown, printed, {"/home/ada/penguin": str(directory)})


def test_a_forecast_is_that_of_the_page_on_running(call):
    explained = call("run", "pipeline.py", "--explain", "--set", "train_steps=500")
    # There the last run had 100 steps, and here 200.
    explained = explained.replace("num_steps from 200", "num_steps from 100")
    assert_lines_are_printed(block("docs/running.md", "NODE  "), explained)


def test_a_graph_is_drawn(call, project):
    # Without --svg the picture goes to a standard output that is not a terminal.
    printed = call("graph", "pipeline.py", "--svg", "penguin.svg")
    printed += call("graph", "pipeline.py", "--run", "latest", "--svg", "latest.svg")
    shown = block("docs/command_line.md", "$ trainwright graph")
    assert_lines_are_printed(shown, printed, {"/home/ada/penguin": str(project)})


def test_the_doctor_knows_the_store(call, project):
    *versions, store, space, last = block("docs/command_line.md", "WHAT  ").splitlines()
    printed = call("doctor")
    assert_lines_are_printed(
        "\n".join([store, space, last]), printed, {"/home/ada/penguin": str(project)}
    )
    known = {line.split()[0] for line in printed.splitlines()}
    assert known >= {line.split()[0] for line in versions} - {"..."}


def _first_run(call) -> str:
    return re.findall(r"^\d{4}-\S+", call("runs"), re.MULTILINE)[-1]
