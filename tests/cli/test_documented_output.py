"""The output that docs/command_line.md shows is what the commands print today.

The runs of that page are made once, with a training that takes no time. A documented line is one of
those printed, but for what no two runs have in common: ids, times, sizes, digests.
"""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from pathlib import Path

import pytest
from click.testing import CliRunner

from trainwright.cli.main import cli, main

REPOSITORY = Path(__file__).resolve().parents[2]
PAGE = (REPOSITORY / "docs" / "command_line.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```\n\$ trainwright (.*?)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
COMMANDS = ("artifacts", "compare", "explain", "gc", "lineage", "logs", "runs", "show")

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
MASKS = (
    (r"\d{4}-\d\d-\d\dT[\d:.]+", "RUN"),
    (r"(?:RUN, )+RUN", "RUN"),
    (r"\d{4}-\d\d-\d\d [\d:,]+", "TIME"),
    (r"^\d\d:\d\d:\d\d ", "CLOCK "),
    (r"\b[\d.]+ (?:s|min) ago\b|\bjust now\b", "AGO"),
    (r"\b[\d.]+ (?:ms|s|min|h)\b", "TIME"),
    (r"[-+][\d.]+%", "CHANGE"),
    (r"[\d.,]+ [kM]?B\b", "SIZE"),
    (r"\b[0-9a-f]{8}\b", "DIGEST"),
    (r"\b1[78]\d{8}\b", "VERSION"),
    (r" {2,}", "  "),
)


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """The four runs of the page: all new, all reused, one that fails, one with more steps."""
    directory = tmp_path_factory.mktemp("penguin")
    for name in ("data/penguins.csv", "schema/schema.pbtxt"):
        (directory / name).parent.mkdir()
        shutil.copy(REPOSITORY / "examples" / "penguin" / name, directory / name)
    (directory / "pipeline.py").write_text(textwrap.dedent(PIPELINE))
    module_file = directory / "penguin_trainer.py"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(directory)
        patch.setenv("XDG_STATE_HOME", _state(directory))
        for steps, comment in ((100, ""), (100, ""), (-5, ""), (200, "# changed\n")):
            module_file.write_text(textwrap.dedent(TRAINER) + comment)
            run = ["run", "pipeline.py", "--quiet", "--set", f"train_steps={steps}"]
            finished = CliRunner().invoke(cli, run)
            assert finished.exit_code == (1 if steps < 0 else 0), finished.output
        yield directory


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
    [block for block in BLOCKS if block[0].split()[0] in COMMANDS],
    ids=lambda text: text.splitlines()[0],
)
def test_documented_lines_are_printed(call, project, command, shown):
    # A run of the page that is named is its first one.
    arguments = re.sub(r"\b2026-\S+", lambda _: _first_run(call), command).split()
    printed = {_masked(line, project) for line in call(*arguments).splitlines()}
    for line in shown.splitlines():
        if line != "..." and not MEASURED.match(line):
            assert _masked(line, project) in printed


def test_the_page_has_such_blocks():
    assert {command.split()[0] for command, _ in BLOCKS} >= set(COMMANDS)


def _first_run(call) -> str:
    return re.findall(r"^\d{4}-\S+", call("runs"), re.MULTILINE)[-1]


def _masked(line: str, project: Path) -> str:
    line = line.replace("/home/ada/penguin", str(project))
    for pattern, mask in MASKS:
        line = re.sub(pattern, mask, line)
    return line.strip()
