"""TrialPlace: the directory in which trials outlive an attempt, and the projects that are there.

It is moved from one attempt at the work to the next, so paths in it are noted relative to it. A
tuner of keras_tuner that has a directory of the user's own stays there; that this very work began
the project is noted, so that `overwrite=True` does not throw away the trials of a killed attempt.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
from collections.abc import Iterator

from trainwright.components.tuner.results import write_json

_logger = logging.getLogger(__name__)

_PROJECTS_FILE = "tuner_projects.json"
# The name that keras_tuner gives to a project without one.
_DEFAULT_PROJECT = "untitled_project"


class TrialPlace:
    """Where the trials of one search are, over all attempts at it.

    Args:
        directory: The state directory of the node; it exists.
    """

    def __init__(self, directory: str) -> None:
        self.directory = os.path.abspath(directory)
        os.makedirs(self.directory, exist_ok=True)

    def projects(self) -> Iterator[str]:
        """The directories of the projects of keras_tuner that this work has begun."""
        for noted in self._read():
            yield os.path.normpath(os.path.join(self.directory, noted))

    def claim(
        self, directory: str | None, project_name: str | None, overwrite: bool
    ) -> tuple[str, bool]:
        """Where a tuner keeps its project, and whether it may begin it by removing what is there.

        Args:
            directory: What the user gave; if it is nothing, the project is here.
            project_name: Its name in the directory.
            overwrite: Whether the user wants what is there to be removed.
        """
        directory = str(directory) if directory else self.directory
        if "://" in directory:  # not ours to look at
            return directory, overwrite
        project = os.path.join(directory, project_name or _DEFAULT_PROJECT)
        noted = self._note_of(project)
        known = self._read()
        if noted in known:
            return directory, False
        if overwrite:
            shutil.rmtree(project, ignore_errors=True)
        elif os.path.exists(os.path.join(project, "oracle.json")):
            _logger.warning(
                "%s has trials of another search, which keras_tuner counts as done. Leave out the "
                "tuner's directory (or use fn_args.working_dir), or pass overwrite=True.",
                project,
            )
        write_json(os.path.join(self.directory, _PROJECTS_FILE), [*known, noted])
        return directory, False

    def _note_of(self, project: str) -> str:
        path = os.path.realpath(project)
        here = os.path.realpath(self.directory)
        return os.path.relpath(path, here) if path.startswith(here + os.sep) else path

    def _read(self) -> list[str]:
        try:
            with open(os.path.join(self.directory, _PROJECTS_FILE), encoding="utf-8") as file:
                noted = json.load(file)
        except (OSError, ValueError):
            return []
        return [path for path in noted if isinstance(path, str)]
