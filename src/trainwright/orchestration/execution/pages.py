"""Pages to look at: one HTML file for each output that has one, beside the node's log."""

from __future__ import annotations

import logging
import os

from trainwright.dsl.base_executor import ArtifactDict
from trainwright.html_views.artifact_files import ANOMALIES, FILE_NAMES, STATISTICS
from trainwright.types.artifact import Artifact

_logger = logging.getLogger(__name__)


def write_pages(directory: str, input_dict: ArtifactDict, output_dict: ArtifactDict) -> None:
    """Writes `<output>.html` for statistics, schemas, anomalies and evaluations.

    They are not in the artifacts, whose readers take every file there for data. A page that cannot
    be written costs a warning and not the node.
    """
    for key, artifacts in output_dict.items():
        shown = [artifact for artifact in artifacts if artifact.type_name in FILE_NAMES]
        for number, artifact in enumerate(shown):
            path = os.path.join(directory, f"{key}-{number}.html" if number else f"{key}.html")
            try:
                _write_page(path, artifact, input_dict)
            except (OSError, ValueError) as error:
                _logger.warning("No page of output %r was written: %s", key, error)
            else:
                _logger.info("A page to look at: %s", path)


def _write_page(path: str, artifact: Artifact, input_dict: ArtifactDict) -> None:
    from trainwright.html_views.artifact_page import write_html

    validated = None
    if artifact.type_name == ANOMALIES:
        statistics = [
            given.uri
            for artifacts in input_dict.values()
            for given in artifacts
            if given.type_name == STATISTICS
        ]
        validated = next(iter(statistics), None)
    write_html(artifact.type_name, artifact.uri, path, statistics_uri=validated)
