"""The package that Beam's workers on other machines need to load executors."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import io
import logging
import os
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

from trainwright._imports import require
from trainwright._version import __version__

_NAME = "tfx_ephemeral"
_PACKAGES = ("tfx", "trainwright")
_SETUP = """\
import setuptools

setuptools.setup(
    name="{name}",
    version="{version}",
    packages=setuptools.find_namespace_packages(include=["tfx*", "trainwright*"]),
    install_requires={requirements!r},
)
"""
# With one of these the user has said how workers get their packages.
_SUFFICIENT_OPTIONS = (
    "extra_packages",
    "setup_file",
    "requirements_file",
    "worker_harness_container_image",
    "sdk_container_image",
)
_log = logging.getLogger(__name__)


def make_beam_dependency_flags(beam_pipeline_args: list[str]) -> list[str]:
    """Beam's arguments with this package added, unless they name packages or an image already."""
    options = require("apache_beam.options.pipeline_options", "beam")
    given = options.PipelineOptions(flags=beam_pipeline_args).get_all_options()
    if any(given.get(option) for option in _SUFFICIENT_OPTIONS):
        return beam_pipeline_args
    package = build_ephemeral_package()
    _log.info("Beam's workers get the package %s.", package)
    return [*beam_pipeline_args, f"--extra_package={package}"]


def build_ephemeral_package() -> str:
    """Writes a source distribution of what is installed here, and returns its path."""
    directory = os.path.join(tempfile.mkdtemp(), "dist")
    os.makedirs(directory, exist_ok=True)
    root = f"{_NAME}-{__version__}"
    path = os.path.join(directory, f"{root}.tar.gz")
    with tarfile.open(path, "w:gz") as archive:
        _add_text(archive, f"{root}/setup.py", _setup_text())
        _add_text(
            archive,
            f"{root}/PKG-INFO",
            f"Metadata-Version: 2.1\nName: {_NAME}\nVersion: {__version__}\n",
        )
        for package in _PACKAGES:
            for file, name in _source_files(package):
                archive.add(file, arcname=f"{root}/{name}")
    return path


def _setup_text() -> str:
    requirements = [
        requirement
        for requirement in importlib.metadata.requires("trainwright") or ()
        if "extra ==" not in requirement
    ]
    return _SETUP.format(name=_NAME, version=__version__, requirements=requirements)


def _source_files(package: str) -> Iterator[tuple[Path, str]]:
    spec = importlib.util.find_spec(package)
    for location in (spec and spec.submodule_search_locations) or ():
        base = Path(location)
        for file in sorted(base.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                yield file, f"{package}/{file.relative_to(base).as_posix()}"


def _add_text(archive: tarfile.TarFile, name: str, text: str) -> None:
    content = text.encode()
    member = tarfile.TarInfo(name)
    member.size = len(content)
    archive.addfile(member, io.BytesIO(content))
