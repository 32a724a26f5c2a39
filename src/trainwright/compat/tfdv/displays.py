"""Statistics, schemas and anomalies in a notebook, or as a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from google.protobuf.message import Message
from tensorflow_metadata.proto.v0 import anomalies_pb2, schema_pb2, statistics_pb2

from trainwright._ipython import is_in_notebook
from trainwright._printable import printable_line
from trainwright.compat.tfdv.data_frames import (
    get_anomalies_dataframe,
    get_drift_skew_dataframe,
    get_schema_dataframe,
)
from trainwright.compat.tfdv.feature_path import FeaturePath
from trainwright.compat.tfdv.statistics_views import DatasetListView, feature_path, get_slice_stats
from trainwright.html_views.anomalies_page import anomalies_page
from trainwright.html_views.schema_page import schema_page
from trainwright.html_views.statistics_page import statistics_page

__all__ = [
    "compare_slices",
    "display_anomalies",
    "display_schema",
    "get_anomalies_dataframe",
    "get_drift_skew_dataframe",
    "get_schema_dataframe",
    "get_statistics_html",
    "visualize_statistics",
]

_Statistics: TypeAlias = statistics_pb2.DatasetFeatureStatisticsList


def get_statistics_html(
    lhs_statistics: _Statistics,
    rhs_statistics: _Statistics | None = None,
    lhs_name: str = "lhs_statistics",
    rhs_name: str = "rhs_statistics",
    allowlist_features: Iterable[FeaturePath | str] | None = None,
    denylist_features: Iterable[FeaturePath | str] | None = None,
) -> str:
    """A page with the statistics of one dataset, or of two side by side.

    Args:
        lhs_statistics: Of a dataset; of its slices, the one with all examples is shown.
        rhs_statistics: Of another.
        lhs_name: What the page calls the first.
        rhs_name: What the page calls the second.
        allowlist_features: The features to show, instead of all.
        denylist_features: The features not to show.

    Example: `Path("page.html").write_text(get_statistics_html(train, eval, "train", "eval"))`
    """
    if allowlist_features and denylist_features:
        raise ValueError("Only specify one of allowlist_features and denylist_features.")
    if rhs_statistics is not None and lhs_name == rhs_name:
        lhs_name, rhs_name = "lhs_statistics", "rhs_statistics"
    datasets = {lhs_name: lhs_statistics}
    if rhs_statistics is not None:
        datasets[rhs_name] = rhs_statistics
    allowed = None if allowlist_features is None else {*map(FeaturePath.of, allowlist_features)}
    denied = {*map(FeaturePath.of, denylist_features or ())}
    return statistics_page(
        {name: _choose(name, one, allowed, denied) for name, one in datasets.items()}
    )


def _choose(
    name: str, statistics: _Statistics, allowed: set[FeaturePath] | None, denied: set[FeaturePath]
) -> _Statistics:
    """The statistics of all examples, with the features that are to be shown."""
    _check_type(name, statistics, statistics_pb2.DatasetFeatureStatisticsList)
    chosen = _Statistics(datasets=[DatasetListView(statistics).get_default_slice_or_die().proto()])
    dataset = chosen.datasets[0]
    # The page names a dataset by its split and its slice; this one is all that there is.
    dataset.name = ""

    def is_shown(path: FeaturePath) -> bool:
        return (allowed is None or path in allowed) and path not in denied

    features = [one for one in dataset.features if is_shown(feature_path(one))]
    crosses = [
        one for one in dataset.cross_features if is_shown(FeaturePath.from_proto(one.path_x))
    ]
    for kept, field in ((features, dataset.features), (crosses, dataset.cross_features)):
        del field[:]
        field.extend(kept)
    return chosen


def visualize_statistics(
    lhs_statistics: _Statistics,
    rhs_statistics: _Statistics | None = None,
    lhs_name: str = "lhs_statistics",
    rhs_name: str = "rhs_statistics",
    allowlist_features: Iterable[FeaturePath | str] | None = None,
    denylist_features: Iterable[FeaturePath | str] | None = None,
) -> None:
    """Shows statistics in a notebook; elsewhere, says how many examples and features there are.

    Arguments are those of `get_statistics_html`, which gives the page itself.
    """
    page = get_statistics_html(
        lhs_statistics, rhs_statistics, lhs_name, rhs_name, allowlist_features, denylist_features
    )
    _show(page, lambda: _statistics_text(lhs_statistics))


def compare_slices(statistics: _Statistics, lhs_slice_key: str, rhs_slice_key: str) -> None:
    """Shows the statistics of two slices side by side.

    Example: `compare_slices(statistics, "company_red", "company_blue")`
    """
    lhs, rhs = (get_slice_stats(statistics, key) for key in (lhs_slice_key, rhs_slice_key))
    visualize_statistics(lhs, rhs, lhs_name=lhs_slice_key, rhs_name=rhs_slice_key)


def display_schema(schema: schema_pb2.Schema) -> None:
    """Shows a schema in a notebook; elsewhere, prints it as text."""
    _check_type("schema", schema, schema_pb2.Schema)
    _show(schema_page(schema), lambda: str(schema))


def display_anomalies(anomalies: anomalies_pb2.Anomalies) -> None:
    """Shows anomalies in a notebook; elsewhere, prints a table of them."""
    _check_type("anomalies", anomalies, anomalies_pb2.Anomalies)
    _show(anomalies_page({"anomalies": anomalies}), lambda: _anomalies_text(anomalies))


def _check_type(name: str, value: object, expected: type[Message]) -> None:
    if not isinstance(value, expected):
        raise TypeError(
            f"{name} is of type {type(value).__name__}, should be a {expected.__name__} proto."
        )


def _statistics_text(statistics: _Statistics) -> str:
    return "\n".join(
        f"{printable_line(one.name) or 'all examples'}: {one.num_examples} examples, "
        f"{len(one.features)} features"
        for one in statistics.datasets
    )


def _anomalies_text(anomalies: anomalies_pb2.Anomalies) -> str:
    from trainwright.schemas.anomaly_report import anomaly_table, list_anomalies

    found = list_anomalies(anomalies)
    return anomaly_table(found) if found else "No anomalies found."


def _show(page: str, text: Callable[[], str]) -> None:
    """Puts a page into the notebook that this runs in; elsewhere, prints a summary."""
    from trainwright.notebook.visualizations import show_page

    if is_in_notebook():
        show_page(page)
    else:
        print(text())
