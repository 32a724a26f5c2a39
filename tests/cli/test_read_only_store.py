"""A store that may only be read answers every question, and says why it takes no orders."""

import os

import pytest
from click.testing import CliRunner

from trainwright import LocalDagRunner, OutputDict, Pipeline, component
from trainwright.cli.main import cli
from trainwright.history.project_store import find_project_store
from trainwright.metadata.store import MetadataError


@component
def one() -> OutputDict(total=int):
    return {"total": 1}


@pytest.fixture
def root(open_directory):
    root = open_directory / "root"
    LocalDagRunner(observer=lambda event: None).run(
        Pipeline("p", str(root), components=[one()], enable_cache=True)
    )
    return root


def call(*arguments):
    return CliRunner().invoke(cli, [*arguments, "--json"])


QUESTIONS = (
    ("runs",),
    ("show", "latest"),
    ("artifacts",),
    ("lineage", "1"),
    ("logs", "one"),
    ("gc", "--dry-run"),
)


def test_every_question_is_answered_as_with_write_access(root, only_reading):
    store = ("--store", str(root / "metadata.db"))
    # Asked before, too, so that nobody need read the modules of the commands.
    before = [call(*question, *store) for question in QUESTIONS]
    with only_reading(root):
        after = [call(*question, *store) for question in QUESTIONS]
    for question, first, second in zip(QUESTIONS, before, after, strict=True):
        assert first.exit_code == 0, (question, first.output)
        assert second.output == first.output, question


def test_what_must_write_says_that_it_cannot(root, only_reading):
    store = ("--store", str(root / "metadata.db"))
    pipeline = Pipeline("p", str(root), components=[one().with_cache(False)])
    LocalDagRunner(observer=lambda event: None).run(pipeline)
    call("gc", "--dry-run", *store)
    with only_reading(root):
        refused = call("gc", "--keep", "0", "--yes", *store)
    assert isinstance(refused.exception, MetadataError)  # which `main` tells as one sentence
    assert "cannot be written: no write access to" in str(refused.exception)


def test_the_store_of_a_project_that_may_only_be_read_is_found(root, only_reading):
    before = sorted(os.listdir(root))
    assert before == [".system", "metadata.db", "one"]
    with only_reading(root):
        assert find_project_store(str(root.parent)) is not None
    assert sorted(os.listdir(root)) == before
