"""deploy/Dockerfile: linted, in the versions of constraints.txt, made of what its context has."""

import fnmatch
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet
from pinned_versions import pins

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = ROOT / "deploy" / "Dockerfile"
IGNORED = ROOT / "deploy" / "Dockerfile.dockerignore"
PAGE = ROOT / "docs" / "kuberay.md"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def lint(dockerfile: str) -> str:
    """What the linter finds in a Dockerfile, one finding in a line."""
    beside_python = Path(sys.executable).parent / "hadolint"
    command = beside_python if beside_python.exists() else shutil.which("hadolint")
    assert command, "hadolint is not installed: pip install -c constraints.txt '.[dev]'"
    return subprocess.run(
        [command, "--no-color", "--config", "/dev/null", "-"],
        input=dockerfile,
        capture_output=True,
        text=True,
        timeout=60,
    ).stdout


@pytest.fixture(scope="module")
def stages():
    """The instructions of each stage by its name, as (name, arguments); "" before the first."""
    text = re.sub(r"^#.*\n", "", DOCKERFILE.read_text(), flags=re.MULTILINE).replace("\\\n", " ")
    found = {"": []}
    stage = ""
    for line in filter(None, text.splitlines()):
        name, arguments = line.split(maxsplit=1)
        if name == "FROM":
            stage = arguments.rpartition(" AS ")[2]
            found[stage] = []
        found[stage].append((name, " ".join(arguments.split())))
    return found


@pytest.fixture(scope="module")
def arguments(stages):
    return dict(value.split("=") for name, value in stages[""] if name == "ARG")


def test_the_linter_finds_nothing():
    assert lint(DOCKERFILE.read_text()) == ""


def test_the_linter_finds_mistakes():
    assert "DL3007" in lint("FROM python:latest\n")


def test_dockerfiles_on_the_page_pass_the_linter_and_have_the_pinned_versions(arguments):
    blocks = re.findall(r"^```dockerfile.*?\n(.*?)^```", PAGE.read_text(), re.M | re.S)
    assert blocks
    pinned = pins(arguments["PYTHON_VERSION"])
    for block in blocks:
        assert lint(block) == ""
        for package, version in re.findall(r"'([\w-]+)(?:\[[\w,-]+\])?==([\d.]+)'", block):
            assert pinned[package] == version


def test_the_versions_are_those_of_the_project(arguments):
    python = arguments["PYTHON_VERSION"]
    assert SpecifierSet(PROJECT["requires-python"]).contains(python)
    assert pins(python)["apache-beam"] == arguments["BEAM_VERSION"]


def test_extras_and_the_command_are_those_of_the_project(stages):
    asked = re.findall(r"\*\.whl\)\[(\w+)\]", DOCKERFILE.read_text())
    (default,) = [value for name, value in stages["base"] if name == "ARG"]
    extras = [*asked, *default.removeprefix("EXTRAS=").split(",")]
    assert set(extras) >= {"ray", "beam"}
    assert set(extras) <= set(PROJECT["optional-dependencies"])
    [entrypoint] = [value for name, value in stages["trainwright"] if name == "ENTRYPOINT"]
    assert entrypoint == '["trainwright"]'
    assert "trainwright" in PROJECT["scripts"]


@pytest.mark.parametrize("target", ["trainwright", "ray"])
def test_the_user_is_not_root(stages, target):
    # A number: Kubernetes refuses a name where it is told that the user must not be root.
    assert [value for name, value in stages[target] if name == "USER"] == ["1000"]


def test_the_target_for_beam_starts_beams_boot_program(stages):
    assert ("ENTRYPOINT", '["/opt/apache/beam/boot"]') in stages["beam"]
    assert ("COPY", "--from=beam-sdk /opt/apache/beam /opt/apache/beam") in stages["beam"]
    [sdk] = [value for name, value in stages["beam-sdk"] if name == "FROM"]
    assert sdk == "apache/beam_python${PYTHON_VERSION}_sdk:${BEAM_VERSION} AS beam-sdk"


def test_all_that_is_installed_is_pinned():
    installs = re.findall(r"pip install [^\n]*(?:\\\n[^\n]*)*", DOCKERFILE.read_text())
    assert len(installs) == 4
    assert all("--constraint" in install for install in installs)


def test_what_is_copied_and_built_is_in_the_context(stages):
    copied = [
        path for name, value in stages["wheel"] if name == "COPY" for path in value.split()[:-1]
    ]
    bound = re.findall(r"type=bind,source=([\w.]+),", DOCKERFILE.read_text())
    allowed = [line[1:] for line in IGNORED.read_text().splitlines() if line.startswith("!")]
    assert sorted(allowed) == sorted(copied)
    assert set(bound) <= set(copied)
    needed = [PROJECT["readme"], *PROJECT["license-files"], "pyproject.toml", "src"]
    assert set(needed) <= set(copied)
    assert all((ROOT / path).exists() for path in copied)


@pytest.mark.parametrize("path", [".git", ".venv", ".env", "examples/penguin/output", "tests"])
def test_nothing_else_of_the_checkout_is_sent_to_the_builder(path):
    lines = [line for line in IGNORED.read_text().splitlines() if line and line[0] != "#"]
    kept = [line[1:] for line in lines if line.startswith("!")]
    assert lines[0] == "*"
    assert not any(fnmatch.fnmatch(path, pattern) for pattern in kept)


def test_no_secret_and_no_address_is_written_down(stages):
    instructions = [one for stage in stages.values() for one in stage]
    assert not [value for name, value in instructions if "://" in value]
    names = [value for name, value in instructions if name in ("ARG", "ENV")]
    assert not [name for name in names if re.search("secret|token|password|key", name, re.I)]
    assert "ADD" not in {name for name, _ in instructions}
