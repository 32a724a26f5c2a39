"""Builds the wheel and tries it under each supported Python of this machine.

    python scripts/smoke_wheel.py                 every Python from 3.10 to 3.13 that is here
    python scripts/smoke_wheel.py 3.10 3.13       only these

Each gets a fresh environment with the wheel and its dependencies at the versions in
constraints.txt, runs a small pipeline and the penguin example, and is thrown away. Prints a
Markdown table. Needs the `dev` extra.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from environments import (
    PYTHON_VERSIONS,
    ROOT,
    Environment,
    find_pythons,
    print_header,
    print_row,
    run,
)

PIPELINE = """\
from trainwright import OutputDict, Parameter, Pipeline, component


@component
def count(upto: Parameter[int]) -> OutputDict(total=int):
    return {"total": sum(range(upto))}


@component
def double(number: int) -> OutputDict(twice=int):
    return {"twice": 2 * number}


counted = count(upto=5)
doubled = double(number=counted.outputs["total"])
pipeline = Pipeline("smoke", "output", components=[counted, doubled])
"""

# The package must come from the wheel, with its types marked as such.
IMPORTS = """\
import sys
from pathlib import Path
import ml_metadata.proto, tensorflow_data_validation, tensorflow_model_analysis
import tfx.v1.proto, trainwright
assert Path(trainwright.__file__).is_relative_to(sys.prefix), trainwright.__file__
for package in (trainwright, tfx):
    assert (Path(package.__path__[0]) / "py.typed").is_file(), package
assert ml_metadata.proto.Artifact().SerializeToString() == b""
assert tensorflow_model_analysis.EvalConfig().SerializeToString() == b""
assert "tensorflow" not in sys.modules
"""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Try the wheel under each supported Python.")
    parser.add_argument("versions", nargs="*", default=PYTHON_VERSIONS, metavar="PYTHON")
    versions = parser.parse_args(arguments).versions

    pythons = find_pythons()
    failures = {}
    with tempfile.TemporaryDirectory() as directory:
        wheel = build_wheel(Path(directory) / "dist")
        print_header("Python", "result", "packages", "MB", "install, s", "checks, s")
        for version in versions:
            if version not in pythons:
                print_row(version, "not on this machine", "", "", "", "")
                continue
            try:
                measures = _try_wheel(wheel, pythons[version])
                print_row(version, "works", *measures)
            except RuntimeError as error:
                print_row(version, "FAILS", "", "", "", "")
                failures[version] = error
    for version, error in failures.items():
        print(f"\nPython {version}: {error}", file=sys.stderr)
    return 1 if failures else 0


def build_wheel(directory: Path) -> Path:
    """Builds a source distribution and, from that, the wheel, so that both are tried."""
    run([sys.executable, "-m", "build", "--no-isolation", "--outdir", directory, ROOT])
    return next(directory.glob("*.whl"))


def _try_wheel(wheel: Path, python: Path) -> tuple[int, int, int, int]:
    """Packages, megabytes, seconds to install and seconds to check."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        environment = Environment.create(directory / "venv", python=python)
        start = time.monotonic()
        environment.install(str(wheel))
        installed = time.monotonic()
        check(environment, directory)
        train_penguin(environment, directory)
        seconds = round(installed - start), round(time.monotonic() - installed)
        return environment.count_packages(), environment.megabytes(), *seconds


def check(environment: Environment, directory: Path) -> None:
    """Imports the packages, and runs and lists a pipeline of two nodes in `directory`.

    Raises:
        RuntimeError: with the output of the first command that went wrong.
    """
    (directory / "pipeline.py").write_text(PIPELINE)
    run([environment.python, "-c", IMPORTS], cwd=directory)
    _trainwright(environment, directory, "run", "pipeline.py", expect="2 artifacts in")
    values = [path.read_text() for path in directory.glob("output/double/twice/*/value")]
    if values != ["20"]:
        raise RuntimeError(f"The pipeline should have made the value 20, and made {values}.")
    _trainwright(environment, directory, "runs", expect="smoke")
    _trainwright(environment, directory, "doctor", expect="tensorflow")
    _trainwright(environment, directory, "new", "project", expect="trainwright.toml")
    arguments = ["--model=taxi", "--pipeline_name=smoke", "--destination_path=taxi"]
    run([environment.python.parent / "tfx", "template", "copy", *arguments], cwd=directory)
    if not (directory / "taxi" / "data" / "data.csv").is_file():
        raise RuntimeError("`tfx template copy` has copied no data.")


def train_penguin(environment: Environment, directory: Path) -> None:
    """Runs the example, which trains a model; raises RuntimeError as `check` does."""
    example = ROOT / "examples" / "penguin" / "pipeline.py"
    output = directory / "penguin"
    arguments = ["run", str(example), "--set", f"output={output}", "--set", "train_steps=10"]
    _trainwright(environment, directory, *arguments)
    if not list(output.glob("serving_model/*/saved_model.pb")):
        raise RuntimeError(f"The penguin pipeline pushed no model to {output}/serving_model.")


def _trainwright(environment: Environment, cwd: Path, *arguments: str, expect: str = "") -> None:
    """Runs the installed command; it must name what is expected in what it prints."""
    command = [environment.python.parent / "trainwright", *arguments]
    printed = run(command, cwd=cwd, XDG_STATE_HOME=str(cwd / "state"))
    if expect not in printed:
        line = " ".join(arguments)
        raise RuntimeError(f"`trainwright {line}` did not mention {expect!r}:\n{printed}")


if __name__ == "__main__":
    sys.exit(main())
