"""`trainwright completion`: the scripts, and what bash makes of one."""

import json
import os
import shutil
import stat
import subprocess
import sys

import pytest

BASH = shutil.which("bash")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_for_each_shell(trainwright, shell):
    finished = trainwright("completion", shell)
    assert (finished.returncode, finished.stderr) == (0, "")
    assert f"_TRAINWRIGHT_COMPLETE={shell}_complete" in finished.stdout
    document = json.loads(trainwright("completion", shell, "--json").stdout)
    assert document == {"shell": shell, "script": finished.stdout}


def test_an_unknown_shell(trainwright):
    finished = trainwright("completion", "cmd")
    assert finished.returncode == 2
    assert "'bash', 'zsh', 'fish'" in finished.stderr


@pytest.fixture
def complete(scene):
    """What bash offers when the tabulator is pressed behind a line."""
    if BASH is None:
        pytest.skip("no bash here")
    programs = scene.directory / "programs"
    programs.mkdir()
    command = programs / "trainwright"
    command.write_text(f"#!{sys.executable}\nfrom trainwright.cli.main import main\nmain()\n")
    command.chmod(command.stat().st_mode | stat.S_IXUSR)

    def ask(line):
        script = """
            eval "$(trainwright completion bash)"
            COMP_LINE="$1" COMP_POINT=${#1}
            # As bash splits it, at colons too; the script must not rely on that.
            COMP_WORDS=(${1//:/ : }) COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            compopt() { echo "compopt $*"; }
            _trainwright_completion trainwright
            printf '%s\\n' "${COMPREPLY[@]}"
        """
        path = f"{programs}{os.pathsep}{os.environ['PATH']}"
        finished = subprocess.run(
            [BASH, "-c", script, "bash", line],
            capture_output=True,
            check=True,
            timeout=60,
            **scene.options({"PATH": path}),
        )
        assert finished.stderr == ""
        return finished.stdout.split()

    return ask


def test_bash_completes_commands_and_options(complete):
    assert complete("trainwright ru") == ["run", "runs"]
    assert "lineage" in complete("trainwright ")
    assert complete("trainwright runs --st") == ["--store", "--state"]
    assert "failed" in complete("trainwright runs --state ")
    assert complete("trainwright run pipe") == ["compopt", "-o", "default"]


def test_bash_completes_runs_and_nodes(complete, scene):
    assert complete("trainwright show ") == ["latest"], "no store, no error"

    scene.write("pipeline = make('found', 'root')")
    ids = []
    for _ in range(2):
        finished = scene.call("run", "pipeline.py", "--json")
        ids.insert(0, json.loads(finished.stdout.splitlines()[0])["run_id"])
    assert complete("trainwright show ") == ["latest", *ids]
    day = ids[0][:11]
    assert complete(f"trainwright show {day}") == ids
    # Bash breaks words at colons: what it takes for the word begins behind the last one.
    until_colon = ids[0][:14]
    assert complete(f"trainwright show {until_colon}") == [run_id[14:] for run_id in ids]
    assert complete("trainwright show --node ") == ["count", "double"]
    assert complete("trainwright show latest ") == ["count", "double"]
    assert complete("trainwright logs d") == ["double"]
    assert complete("trainwright logs latest d") == ["double"]
    assert complete("trainwright compare latest ") == ["latest", *ids]
    assert complete("trainwright runs --pipeline ") == ["found"]
    store = scene.directory / "root" / "metadata.db"
    assert complete(f"trainwright logs --store {store} c") == ["count"]


def test_commands_of_other_packages_are_offered_and_a_broken_one_is_not(complete, install_package):
    offered = {"greet": "greetings:greet", "graft": "greetings:no_such_command"}
    code = """
        import click

        @click.command()
        def greet():
            "Greet."
    """
    install_package("greetings", {"trainwright.commands": offered}, greetings=code)
    assert complete("trainwright gr") == ["graph", "greet"]
