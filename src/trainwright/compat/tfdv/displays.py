"""Statistics, schemas and anomalies in a notebook, or as a page."""

from __future__ import annotations

import html
import importlib
from collections.abc import Callable
from typing import Any, TypeAlias

from tensorflow_metadata.proto.v0 import anomalies_pb2, schema_pb2, statistics_pb2

from trainwright.html_views.anomalies_page import anomalies_page
from trainwright.html_views.schema_page import schema_page
from trainwright.html_views.statistics_page import statistics_page

_Statistics: TypeAlias = statistics_pb2.DatasetFeatureStatisticsList


def get_statistics_html(
    lhs_statistics: _Statistics,
    rhs_statistics: _Statistics | None = None,
    lhs_name: str = "lhs_statistics",
    rhs_name: str = "rhs_statistics",
) -> str:
    """A page with the statistics of one dataset, or of two side by side."""
    datasets = {lhs_name: lhs_statistics}
    if rhs_statistics is not None:
        datasets[rhs_name] = rhs_statistics
    return statistics_page(datasets)


def visualize_statistics(
    lhs_statistics: _Statistics,
    rhs_statistics: _Statistics | None = None,
    lhs_name: str = "lhs_statistics",
    rhs_name: str = "rhs_statistics",
) -> None:
    """Shows statistics in a notebook; elsewhere, says how many examples and features there are."""
    page = get_statistics_html(lhs_statistics, rhs_statistics, lhs_name, rhs_name)
    _show(page, lambda: _statistics_text(lhs_statistics))


def display_schema(schema: schema_pb2.Schema) -> None:
    """Shows a schema in a notebook; elsewhere, prints it as text."""
    _show(schema_page(schema), lambda: str(schema))


def display_anomalies(anomalies: anomalies_pb2.Anomalies) -> None:
    """Shows anomalies in a notebook; elsewhere, prints a table of them."""
    _show(anomalies_page({"anomalies": anomalies}), lambda: _anomalies_text(anomalies))


def _statistics_text(statistics: _Statistics) -> str:
    return "\n".join(
        f"{one.name or 'all examples'}: {one.num_examples} examples, {len(one.features)} features"
        for one in statistics.datasets
    )


def _anomalies_text(anomalies: anomalies_pb2.Anomalies) -> str:
    from trainwright.schemas.anomaly_report import anomaly_table, list_anomalies

    found = list_anomalies(anomalies)
    return anomaly_table(found) if found else "No anomalies found."


def _show(page: str, text: Callable[[], str]) -> None:
    """Puts a page into the notebook that this runs in, in a frame so that styles stay apart."""
    shell: Any = None
    try:
        from IPython import get_ipython
    except ImportError:
        pass
    else:
        shell = get_ipython()
    if shell is None or not hasattr(shell, "kernel"):
        print(text())
        return
    notebook: Any = importlib.import_module("IPython.display")
    frame = f'<iframe width="100%" height="600" srcdoc="{html.escape(page)}"></iframe>'
    notebook.display(notebook.HTML(frame))
