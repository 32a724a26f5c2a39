"""`trainwright doctor`: what is installed, what is missing, what to type."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from dataclasses import dataclass
from importlib import metadata

import click

from trainwright import __version__
from trainwright._rivals import how_to_remove, installed_rivals
from trainwright._version import TFX_API_VERSION
from trainwright.cli import exit_codes
from trainwright.cli.output import json_option, print_json, print_table
from trainwright.cli.phrases import describe_size
from trainwright.cli.store_option import (
    find_store,
    store_option,
)
from trainwright.history.store_choice import StoreChoice

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
    "serve": ("starlette", "uvicorn", "prometheus-client", "tensorflow-serving-api"),
    "postgres": ("psycopg",),
}

# Below the first a run will soon fail, below the second one should know.
_TOO_LITTLE_SPACE, _LITTLE_SPACE = 200 * 10**6, 2 * 10**9


@dataclass(frozen=True, kw_only=True)
class Diagnosis:
    """One line of the doctor's report; advice is empty where all is well."""

    subject: str
    found: str
    advice: str = ""
    is_problem: bool = False


@click.command()
@store_option
@json_option
def doctor(store: str | None, as_json: bool) -> None:
    """Say what is installed, what is missing and what to type.

    Exit code: 0 if pipelines can run here, 1 if something in the base install is wrong or the store
    cannot be opened.
    """
    diagnoses = examine(store)
    if as_json:
        print_json(diagnoses)
    else:
        rows = [(item.subject, item.found, item.advice) for item in diagnoses]
        print_table(("WHAT", "FOUND", "TO DO"), rows)
    if any(item.is_problem for item in diagnoses):
        click.get_current_context().exit(exit_codes.FAILED)


def examine(store: str | None = None) -> list[Diagnosis]:
    """Looks at this Python, its packages (without importing them) and the store."""
    found = [
        Diagnosis(subject="trainwright", found=f"{__version__} (the API of TFX {TFX_API_VERSION})"),
        _examine_python(),
        Diagnosis(subject="system", found=f"{platform.system()} {platform.machine()}"),
        _examine_fork(),
    ]
    for extra, packages in PACKAGES.items():
        found += [_examine_package(extra, package) for package in packages]
    found += [_describe_rival(name, version) for name, version in installed_rivals().items()]
    found += _examine_store(store)
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


def _examine_fork() -> Diagnosis:
    """Whether a process can be forked, which is how nodes are started on Linux."""
    if sys.platform != "linux":
        return Diagnosis(subject="fork", found="not used here; every node starts an interpreter")
    try:
        pid = os.fork()
    except OSError as error:
        return Diagnosis(
            subject="fork",
            found=f"fails: {error.strerror}",
            advice="raise the limit of processes (ulimit -u) or free memory",
            is_problem=True,
        )
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return Diagnosis(subject="fork", found="works")


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


def _examine_store(address: str | None) -> list[Diagnosis]:
    """The store that commands use, whether it opens, and the room that is left for it."""
    from trainwright.metadata.store import MetadataError

    try:
        chosen = find_store(address)
        if chosen is None:
            return [Diagnosis(subject="store", found="none yet", advice="trainwright run FILE.py")]
        diagnoses = [_examine_opening(chosen)]
    except (click.ClickException, MetadataError) as error:
        message = error.format_message() if isinstance(error, click.ClickException) else str(error)
        return [Diagnosis(subject="store", found=message, is_problem=True)]
    space = _examine_space(chosen)
    return [*diagnoses, space] if space else diagnoses


def _examine_opening(chosen: StoreChoice) -> Diagnosis:
    from trainwright.metadata.connection import open_store
    from trainwright.metadata.store import MetadataError, StoreNotFoundError

    named = f"{chosen.shown}, named by {chosen.source}"
    try:
        with open_store(chosen.url, create=False) as store:
            # Here, because SQLAlchemy comes with it.
            from trainwright.metadata.migrations import SCHEMA_VERSION

            opens = "may only be read" if store.is_read_only else "opens"
            return Diagnosis(
                subject="store", found=f"{named}; {opens}, schema version {SCHEMA_VERSION}"
            )
    except StoreNotFoundError:
        # The next run makes it: only who looks into it has a problem.
        advice = "trainwright run FILE.py"
        return Diagnosis(subject="store", found=f"{named} (not there)", advice=advice)
    except (ModuleNotFoundError, MetadataError) as error:
        return Diagnosis(subject="store", found=named, advice=str(error), is_problem=True)


def _examine_space(chosen: StoreChoice) -> Diagnosis | None:
    """The free space where the store's file is; of a database server nothing is known."""
    if chosen.path is None:
        return None
    directory = os.path.dirname(chosen.path)
    while not os.path.isdir(directory):
        directory = os.path.dirname(directory)
    free = shutil.disk_usage(directory).free
    return Diagnosis(
        subject="disk space",
        found=f"{describe_size(free)} free in {directory}",
        advice="make room, for example with trainwright gc" if free < _LITTLE_SPACE else "",
        is_problem=free < _TOO_LITTLE_SPACE,
    )


def _examine_last_store() -> Diagnosis:
    from trainwright.metadata.store import MetadataError
    from trainwright.orchestration import last_store

    url = last_store.recall()
    if url is None:
        return Diagnosis(subject="last store", found="none yet", advice="trainwright run FILE.py")
    last = StoreChoice(url=url, source="the last run")
    try:
        is_gone = last.path is not None and not os.path.exists(last.path)
    except MetadataError as error:
        return Diagnosis(subject="last store", found=str(error))
    return Diagnosis(subject="last store", found=f"{last.shown} (gone)" if is_gone else last.shown)


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
