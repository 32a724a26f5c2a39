"""The page of an artifact, by its type and where it is."""

from __future__ import annotations

import os

from trainwright import _plugins
from trainwright._markup import Markup
from trainwright.html_views.anomalies_page import anomalies_page
from trainwright.html_views.artifact_files import (
    ANOMALIES,
    EVALUATION,
    EXAMPLES_DIFF,
    PLUGIN_GROUP,
    REWRITE_REPORT,
    SCHEMA,
    STATISTICS,
    TUNER_RESULTS,
    is_of_pairs,
    page_types,
    read_anomalies,
    read_schema,
    read_statistics,
)
from trainwright.html_views.drift_page import drift_page
from trainwright.html_views.schema_page import schema_page
from trainwright.html_views.search.search_page import search_page
from trainwright.html_views.statistics_page import statistics_page


def to_html(
    type_name: str,
    uri: str,
    *,
    title: str | None = None,
    statistics_uri: str | None = None,
    baseline_uri: str | None = None,
) -> Markup:
    """The page of an artifact as text: one HTML file that needs nothing else.

    Args:
        type_name: ExampleStatistics, Schema, ExampleAnomalies, ModelEvaluation, RewriteReport,
            TunerResults, ExamplesDiff, or a type for which an installed package has a view.
        uri: Its directory.
        title: The heading of the page; the type if None.
        statistics_uri: For anomalies, the statistics that were validated: the page then shows the
            distributions of anomalous features.
        baseline_uri: For those of a DistributionValidator, the statistics of the baseline.

    Raises:
        ValueError: The type has no page, or the files are not there or damaged.
        PluginError: The view of an installed package failed.

    Example: `to_html("Schema", "output/SchemaGen/schema/4")`
    """
    heading = title or type_name
    if type_name == STATISTICS:
        return statistics_page(read_statistics(uri), title=heading, subtitle=uri)
    if type_name == SCHEMA:
        return schema_page(read_schema(uri), title=heading, subtitle=uri)
    if type_name == ANOMALIES:
        statistics = read_statistics(statistics_uri) if statistics_uri else None
        anomalies = read_anomalies(uri)
        if is_of_pairs(uri):
            baseline = read_statistics(baseline_uri) if baseline_uri else None
            return drift_page(
                anomalies, statistics=statistics, baseline=baseline, title=heading, subtitle=uri
            )
        return anomalies_page(anomalies, statistics=statistics, title=heading, subtitle=uri)
    if type_name == EVALUATION:
        return _evaluation_page(uri, heading)
    if type_name == REWRITE_REPORT:
        # What compares models needs NumPy, which the other pages do without.
        from trainwright.html_views.parity_page import parity_page

        return parity_page(uri, title=heading)
    if type_name == TUNER_RESULTS:
        return search_page(uri, title=heading)
    if type_name == EXAMPLES_DIFF:
        # What reads records needs more than the other pages do.
        from trainwright.html_views import skew_page

        return skew_page.read_page(uri, title=heading)
    return _page_of_package(type_name, uri)


def _page_of_package(type_name: str, uri: str) -> Markup:
    """The page that an installed package makes; whatever goes wrong there is a PluginError."""
    view = _plugins.find(PLUGIN_GROUP, type_name)
    if view is None:
        raise ValueError(
            f"Artifacts of type {type_name} have no page; those of these types have: "
            f"{', '.join(page_types())}."
        )
    try:
        page = view(uri)
    except (Exception, SystemExit) as error:
        problem = f"which failed for {uri}: {type(error).__name__}: {error}"
        raise _plugins.refuse(PLUGIN_GROUP, type_name, problem) from error
    if not isinstance(page, str):
        problem = f"which returned a {type(page).__name__}: expected the text of an HTML page"
        raise _plugins.refuse(PLUGIN_GROUP, type_name, problem)
    return Markup(page)  # a page is what the contract of a view asks for


def write_html(
    type_name: str,
    uri: str,
    path: str,
    *,
    statistics_uri: str | None = None,
    baseline_uri: str | None = None,
) -> None:
    """Writes the page of an artifact: beside the artifact's directory, never in it.

    Args:
        type_name: ExampleStatistics, Schema, ExampleAnomalies, ModelEvaluation, RewriteReport,
            TunerResults or ExamplesDiff.
        uri: The artifact's directory.
        path: Where to write.
        statistics_uri: For anomalies, the statistics that were validated.
        baseline_uri: For those of a DistributionValidator, the statistics of the baseline.

    Raises:
        ValueError: As `to_html` does, or if the page would be in the artifact's directory.

    Example: `write_html("Schema", "output/SchemaGen/schema/4", "schema.html")`
    """
    check_outside(path, uri)
    text = to_html(type_name, uri, statistics_uri=statistics_uri, baseline_uri=baseline_uri)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def check_outside(path: str, directory: str) -> None:
    """Raises ValueError if a page at the path would be in the artifact's directory.

    >>> check_outside("output/4.html", "output/4")
    """
    inner, outer = os.path.realpath(path), os.path.realpath(directory)
    if os.path.isdir(directory) and os.path.commonpath([inner, outer]) == outer:
        raise ValueError(
            f"{inner} is within the artifact {outer}, whose readers take every file there for "
            "data. Write the page somewhere else."
        )


def _evaluation_page(uri: str, title: str) -> Markup:
    # They need NumPy, which the other pages do without.
    from trainwright.html_views.evaluation_files import read_evaluation
    from trainwright.html_views.evaluation_page import evaluation_page

    files = read_evaluation(uri)
    return evaluation_page(
        files.metrics,
        plots=files.plots,
        validation=files.validation,
        run=files.run,
        title=title,
        subtitle=uri,
    )
