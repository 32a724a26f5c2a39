"""The code in the documents runs as it stands.

The blocks of a document are one script, in order; a block with a title is a file beside it. The
package of a pyproject.toml is installed there.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from documented_output import assert_lines_are_printed, block, blocks_that_no_test_holds

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

pytestmark = pytest.mark.usefixtures("warm_scripts")

REPOSITORY = Path(__file__).resolve().parent.parent
DOCUMENTS = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md"))]
BLOCK = re.compile(r'^```python(?: title="([^"]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)


# Pages that show what their own code prints, and what they call the directory.
PRINTED = {
    "cloud_training.md": (block("docs/cloud_training.md", "Nothing was submitted"), "/home/me"),
    "conditions.md": (block("docs/conditions.md", "14:02:11 push: skipped"), ""),
    "example_diff.md": (block("docs/example_diff.md", "ExampleDiff: train_train"), ""),
}

PACKAGE = re.compile(r'^```toml title="pyproject.toml"\n(.*?)^```$', re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_code_blocks_run(document, run_script, write_package, tmp_path):
    example = REPOSITORY / "examples" / "penguin"
    (tmp_path / "data").mkdir()
    shutil.copy(example / "data" / "penguins.csv", tmp_path / "data")
    shutil.copytree(example / "schema", tmp_path / "schema")
    script = []
    for title, code in BLOCK.findall(document.read_text()):
        if title:
            (tmp_path / title).write_text(code)
        else:
            script.append(code)
    for package in map(tomllib.loads, PACKAGE.findall(document.read_text())):
        write_package(tmp_path, package["project"]["name"], package["project"]["entry-points"])
    if not script:
        pytest.skip("no code to run")
    finished = run_script("\n".join(script))
    if document.name in PRINTED:
        shown, home = PRINTED[document.name]
        printed = finished.stderr + finished.stdout.replace(
            "Trainer failed with RuntimeError: ", ""
        )
        assert_lines_are_printed(shown, printed, {home: str(tmp_path)} if home else {})


def test_a_first_model_takes_fewer_than_40_lines():
    blocks = BLOCK.findall((REPOSITORY / "README.md").read_text())
    assert sum(len(code.splitlines()) for _, code in blocks) < 40


def test_a_command_of_another_package_is_one_of_trainwright(install_package):
    page = (REPOSITORY / "docs" / "extending.md").read_text()
    (offered,) = map(tomllib.loads, PACKAGE.findall(page))
    code = dict(BLOCK.findall(page))["acme_commands.py"]
    install_package("acme", offered["project"]["entry-points"], acme_commands=code)
    from trainwright.cli.main import cli

    printed = CliRunner().invoke(cli, ["hello"]).output
    assert_lines_are_printed(block("docs/extending.md", "Hello, world!"), printed)


def test_what_documents_show_of_a_terminal_is_held_by_tests():
    """A block in no language is output: a test has to ask for it (documented_output.py) and compare
    it with what is printed. Commands alone are ```bash, other files say their language."""
    assert [*blocks_that_no_test_holds()] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document):
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", document.read_text()):
        if "://" not in target:
            assert (document.parent / target).exists(), target


def test_the_tests_that_documents_name_are_there():
    for document in DOCUMENTS:
        for path in re.findall(r"`(tests/[\w/.]+)`", document.read_text()):
            assert (REPOSITORY / path).exists(), f"{document.name}: {path}"
