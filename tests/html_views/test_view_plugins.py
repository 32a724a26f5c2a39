"""Views of other packages, which entry points name by the type of the artifact."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainwright import LocalDagRunner, OutputArtifact, OutputDict, Pipeline, component
from trainwright._plugins import PluginError
from trainwright.cli.main import _exit_code
from trainwright.html_views.artifact_page import to_html
from trainwright.metadata.artifact_records import from_record
from trainwright.notebook import visualizations
from trainwright.orchestration.run_result import NodeState
from trainwright.types.artifact import Artifact
from trainwright.types.standard_artifacts import Integer

LETTERS = """
    import html
    import os

    def letter(uri):
        with open(os.path.join(uri, "letter.txt")) as file:
            return f"<!doctype html><p>{html.escape(file.read())}</p>"

    def burn(uri):
        raise SystemExit("it burnt")

    def nothing(uri):
        return None
"""


class Letter(Artifact):
    TYPE_NAME = "Letter"


class Secret(Artifact):
    TYPE_NAME = "Secret"


class Blank(Artifact):
    TYPE_NAME = "Blank"


@component
def write(
    letter: OutputArtifact[Letter], secret: OutputArtifact[Secret], blank: OutputArtifact[Blank]
) -> OutputDict(length=int):
    Path(letter.uri, "letter.txt").write_text("Dear <you>")
    return {"length": 10}


@pytest.fixture
def letters(install_package):
    offered = {"Letter": "letters:letter", "Secret": "letters:burn", "Blank": "letters:nothing"}
    install_package("letter-views", {"trainwright.views": offered}, letters=LETTERS)


@pytest.fixture
def result(letters, tmp_path):
    pipeline = Pipeline("letters", str(tmp_path / "root"), components=[write()])
    return LocalDagRunner(observer=lambda event: None).run(pipeline)


PAGE = "<!doctype html><p>Dear &lt;you&gt;</p>"


def test_a_node_leaves_the_page_and_a_view_that_fails_costs_a_warning(result, tmp_path):
    assert result.states == {"write": NodeState.COMPLETE}
    (page,) = (tmp_path / "root").rglob("*.html")
    assert (page.name, page.read_text()) == ("letter.html", PAGE)
    log = page.with_name("executor.log").read_text()
    assert (
        "No page of output 'secret' was written: 'Secret' of the entry points trainwright.views is "
        "letters:burn of letter-views, which failed" in log
    )
    assert "SystemExit: it burnt" in log
    assert "which returned a NoneType: expected the text of an HTML page" in log


def test_the_command_shows_it_by_id_and_by_directory(result, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (letter,), (secret,) = (result.outputs["write"][key] for key in ("letter", "secret"))
    store = ["--store", str(tmp_path / "root" / "metadata.db")]
    assert _exit_code(["show", str(letter.id), "--html", *store]) == 0
    assert Path(f"Letter-{letter.id}.html").read_text() == PAGE
    assert _exit_code(["show", letter.uri, "--html", "-", "--type", "Letter"]) == 0
    assert capsys.readouterr().out == PAGE
    assert _exit_code(["show", str(secret.id), "--html", *store]) == 2
    assert "letters:burn of letter-views, which failed" in capsys.readouterr().err
    assert _exit_code(["show", "latest", "--html", *store]) == 2
    assert f", Letter {letter.id}, " in capsys.readouterr().err


def test_a_notebook_shows_it(result, monkeypatch):
    shown = []
    monkeypatch.setattr(visualizations, "show_page", shown.append)
    (letter,), (length,) = (result.outputs["write"][key] for key in ("letter", "length"))
    visualizations.show_artifact(from_record(letter, Letter))
    visualizations.show_artifact(from_record(length, Integer))  # nothing to see
    assert shown == [PAGE]


def test_a_type_that_nobody_has_a_view_of_names_those_that_have(letters, tmp_path):
    with pytest.raises(
        ValueError, match="type Poem have no page.*RewriteReport, .*ExamplesDiff, Blank, Letter"
    ):
        to_html("Poem", str(tmp_path))


def test_two_packages_with_a_view_of_one_type_are_named(letters, install_package, tmp_path):
    install_package("other-letters", {"trainwright.views": {"Letter": "letters:nothing"}})
    with pytest.raises(PluginError, match="by letter-views .* and other-letters "):
        to_html("Letter", str(tmp_path))
