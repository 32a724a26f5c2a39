"""Pages to look at: one HTML file for each output that has one, beside the node's log."""

from __future__ import annotations

import logging
import os

from trainwright._plugins import PluginError
from trainwright.dsl.base_executor import ArtifactDict
from trainwright.html_views.artifact_files import ANOMALIES, STATISTICS, has_page
from trainwright.types.artifact import Artifact
from trainwright.types.standard_component_specs import BASELINE_STATISTICS_KEY
from trainwright.types.value_artifact import ValueArtifact

_logger = logging.getLogger(__name__)


def write_pages(directory: str, input_dict: ArtifactDict, output_dict: ArtifactDict) -> None:
    """Writes `<output>.html` for each output of a type that has a page, of ours or of another
    package.

    They are not in the artifacts, whose readers take every file there for data. A page that cannot
    be written costs a warning and not the node.
    """
    for key, artifacts in output_dict.items():
        shown = [artifact for artifact in artifacts if _may_have_page(artifact)]
        for number, artifact in enumerate(shown):
            path = os.path.join(directory, f"{key}-{number}.html" if number else f"{key}.html")
            try:
                _write_page(path, artifact, input_dict)
            except (OSError, ValueError, PluginError) as error:
                _logger.warning("No page of output %r was written: %s", key, error)
            else:
                _logger.info("A page to look at: %s", path)


def _may_have_page(artifact: Artifact) -> bool:
    """Values, which are many and whose nodes take no time, have none; no package is asked."""
    if isinstance(artifact, ValueArtifact):
        return False
    try:
        return has_page(artifact.type_name)
    except PluginError:
        return True  # writing it says what is wrong


def _write_page(path: str, artifact: Artifact, input_dict: ArtifactDict) -> None:
    from trainwright.html_views.artifact_page import write_html

    validated = baseline = None
    if artifact.type_name == ANOMALIES:
        statistics = {
            key: given.uri
            for key, artifacts in input_dict.items()
            for given in artifacts
            if given.type_name == STATISTICS
        }
        baseline = statistics.pop(BASELINE_STATISTICS_KEY, None)
        validated = next(iter(statistics.values()), None)
    write_html(
        artifact.type_name, artifact.uri, path, statistics_uri=validated, baseline_uri=baseline
    )
