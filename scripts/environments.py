"""Helpers of these scripts: Pythons, virtual environments and what an install weighs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CONSTRAINTS = ROOT / "constraints.txt"
PYTHON_VERSIONS = ("3.10", "3.11", "3.12", "3.13")

# What a fresh environment may bring by itself.
_NOT_COUNTED = {"pip", "setuptools", "wheel", "trainwright"}


def find_pythons() -> dict[str, Path]:
    """The interpreter of each supported version that is on this machine.

    Looks at the running one, at `python3.X` on the PATH and at pyenv's. One that cannot make a
    virtual environment counts as absent.
    """
    found = {}
    for version in PYTHON_VERSIONS:
        working = (path for path in _candidates(version) if _is_usable(path, version))
        path = next(working, None)
        if path is not None:
            found[version] = path
    return found


def _candidates(version: str) -> list[Path]:
    directories = [Path(entry) for entry in os.environ.get("PATH", "").split(os.pathsep) if entry]
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    return [
        Path(sys.executable),
        *(directory / f"python{version}" for directory in directories),
        *sorted(pyenv.glob(f"{version}.*/bin/python{version}"), reverse=True),
    ]


def _is_usable(path: Path, version: str) -> bool:
    if not path.exists():
        return False
    # A pyenv shim exists for versions that are not switched on, so only running it tells.
    code = "import ensurepip, sys, venv; print('%d.%d' % sys.version_info[:2])"
    answer = subprocess.run([path, "-c", code], capture_output=True, text=True)
    return answer.returncode == 0 and answer.stdout.strip() == version


@dataclass(frozen=True, kw_only=True)
class Environment:
    """A virtual environment."""

    directory: Path

    @property
    def python(self) -> Path:
        return self.directory / "bin" / "python"

    @classmethod
    def create(cls, directory: Path, *, python: Path) -> Environment:
        """Makes a fresh one in `directory`, which is emptied first."""
        shutil.rmtree(directory, ignore_errors=True)
        run([python, "-m", "venv", directory])
        return cls(directory=directory)

    @classmethod
    def beside_this_one(cls, directory: Path, wheel: Path) -> Environment:
        """One that holds the wheel and, behind it, what is installed in the running Python.

        An editable install of the project in the running Python stays unseen: its .pth file is
        only read where it lies.
        """
        venv.create(directory, with_pip=False)
        environment = cls(directory=directory)
        pip = [sys.executable, "-m", "pip", "--python", environment.python]
        run([*pip, "install", "--quiet", "--no-deps", "--no-index", wheel])
        behind = [entry for entry in sys.path if entry.endswith(("site-packages", "dist-packages"))]
        (environment.site_packages() / "behind.pth").write_text("\n".join(behind) + "\n")
        return environment

    def install(self, requirement: str) -> None:
        """Installs with pip, at the versions in constraints.txt."""
        pip = [self.python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        run([*pip, "--constraint", CONSTRAINTS, requirement])

    def site_packages(self) -> Path:
        return next((self.directory / "lib").glob("python3.*/site-packages"))

    def count_packages(self) -> int:
        """How many packages there are beside pip's own and the project."""
        pip = [self.python, "-m", "pip", "--disable-pip-version-check"]
        listed = json.loads(run([*pip, "list", "--format", "json"]))
        return len({package["name"].lower() for package in listed} - _NOT_COUNTED)

    def megabytes(self) -> int:
        """What site-packages takes on disk."""
        kibibytes = int(run(["du", "-sk", self.site_packages()]).split()[0])
        return round(kibibytes * 1024 / 1e6)


def run(command: list[str | Path], *, cwd: Path | None = None, **variables: str) -> str:
    """Runs a command and returns what it printed; a failure carries all of its output.

    The environment is this process's without what would put other code on Python's path, and with
    `variables`.
    """
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
    }
    done = subprocess.run(
        command, cwd=cwd, env=environment | variables, capture_output=True, text=True
    )
    if done.returncode != 0:
        line = " ".join(map(str, command))
        raise RuntimeError(
            f"`{line}` ended with code {done.returncode}:\n{done.stdout}{done.stderr}"
        )
    return done.stdout


def print_header(*cells: str) -> None:
    """Begins a Markdown table."""
    print_row(*cells)
    print_row(*("---" for _ in cells))


def print_row(*cells: object) -> None:
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)
