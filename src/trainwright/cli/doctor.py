"""`trainwright doctor`: what is installed, what is missing, what to type."""

from __future__ import annotations

import platform
import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import click

from trainwright import __version__
from trainwright._rivals import how_to_remove, installed_rivals
from trainwright._version import TFX_API_VERSION
from trainwright.cli.output import print_json, print_table

# The packages of the base install and of each extra that a user may miss.
PACKAGES = {
    "base": (
        "tensorflow",
        "keras",
        "tf_keras",
        "tensorboard",
        "tensorflow-metadata",
        "protobuf",
        "pyarrow",
        "sqlalchemy",
    ),
    "transform": ("tensorflow-transform", "tfx-bsl"),
}


@dataclass(frozen=True, kw_only=True)
class Diagnosis:
    """One line of the doctor's report; advice is empty where all is well."""

    subject: str
    found: str
    advice: str = ""
    is_problem: bool = False


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def doctor(as_json: bool) -> None:
    """Say what is installed, what is missing and what to type.

    Exit code: 0 if pipelines can run here, 1 if something in the base install is wrong.
    """
    diagnoses = examine()
    if as_json:
        print_json(diagnoses)
    else:
        rows = [(item.subject, item.found, item.advice) for item in diagnoses]
        print_table(("WHAT", "FOUND", "TO DO"), rows)
    if any(item.is_problem for item in diagnoses):
        sys.exit(1)


def examine() -> list[Diagnosis]:
    """Looks at this Python and its packages, without importing any of them."""
    found = [
        Diagnosis(subject="trainwright", found=f"{__version__} (the API of TFX {TFX_API_VERSION})"),
        _examine_python(),
        Diagnosis(subject="system", found=f"{platform.system()} {platform.machine()}"),
    ]
    for extra, packages in PACKAGES.items():
        found += [_examine_package(extra, package) for package in packages]
    found += [_describe_rival(name, version) for name, version in installed_rivals().items()]
    found.append(_examine_last_store())
    return found


def _examine_python() -> Diagnosis:
    supported = (3, 10) <= sys.version_info[:2] <= (3, 13)
    return Diagnosis(
        subject="python",
        found=platform.python_version(),
        advice="" if supported else "use Python 3.10 to 3.13",
        is_problem=not supported,
    )


def _examine_package(extra: str, package: str) -> Diagnosis:
    version = _version(package)
    if version is not None:
        return Diagnosis(subject=package, found=version)
    requirement = "trainwright" if extra == "base" else f"trainwright[{extra}]"
    return Diagnosis(
        subject=package,
        found="not installed",
        advice=f"pip install '{requirement}'",
        is_problem=extra == "base",
    )


def _describe_rival(name: str, version: str) -> Diagnosis:
    return Diagnosis(
        subject=name,
        found=f"{version}, which has the same import name as this project's",
        advice=how_to_remove(name),
        is_problem=True,
    )


def _examine_last_store() -> Diagnosis:
    from trainwright.metadata.connection import sqlite_path
    from trainwright.orchestration import last_store

    url = last_store.recall()
    if url is None:
        return Diagnosis(subject="last store", found="none yet", advice="trainwright run FILE.py")
    exists = Path(sqlite_path(url)).exists()
    return Diagnosis(subject="last store", found=url if exists else f"{url} (gone)")


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
