"""The page of an evaluation: may the model be used, where is it good, and what was looked at."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from trainwright.evaluation.metric_keys import SliceKey
from trainwright.evaluation.slices.slice_matching import matches
from trainwright.html_views.evaluation.checks import failed_checks, passed_checks
from trainwright.html_views.evaluation.found import Found, find_slices
from trainwright.html_views.evaluation.metrics_table import metrics_section
from trainwright.html_views.evaluation.plots import plots_section
from trainwright.html_views.evaluation.script import SCRIPT
from trainwright.html_views.evaluation.sources import sources_section
from trainwright.html_views.evaluation.style import STYLE
from trainwright.html_views.evaluation.verdict import verdict_section
from trainwright.html_views.page import page
from trainwright.proto.tfma import config_pb2, metrics_for_slice_pb2, validation_result_pb2


def evaluation_page(
    metrics: Iterable[metrics_for_slice_pb2.MetricsForSlice],
    *,
    plots: Iterable[metrics_for_slice_pb2.PlotsForSlice] = (),
    validation: validation_result_pb2.ValidationResult | None = None,
    run: config_pb2.EvalRun | None = None,
    title: str = "Evaluation",
    subtitle: str = "",
    metrics_alone: bool = False,
) -> str:
    """One HTML file with the verdict, the metrics of all slices and their curves.

    Args:
        metrics: The metrics of each slice.
        plots: The plots of each slice.
        validation: What came of the thresholds; None if nothing was checked.
        run: The config, and where models and examples were, if that was kept.
        title: The heading of the page, as text.
        subtitle: A line below it, for example where the evaluation is.
        metrics_alone: Whether nothing else is known: thresholds and sources are not spoken of.

    Example: `Path("evaluation.html").write_text(evaluation_page(load_metrics(uri)))`
    """
    config = run.eval_config if run is not None else config_pb2.EvalConfig()
    found = find_slices(metrics, config)
    failed = failed_checks(validation, found) if validation is not None else []
    passed = passed_checks(config, found, failed) if validation is not None else []
    verdict: Iterable[str] = ()
    if not metrics_alone:
        empty_specs = _empty_specs(config, found, validation)
        verdict = verdict_section(validation, failed, passed, empty_specs)
    parts = [
        *verdict,
        *metrics_section(found, failed),
        *plots_section(plots, found),
        *(() if metrics_alone else sources_section(run)),
    ]
    return page(title, subtitle, parts, style=STYLE, script=SCRIPT)


def _empty_specs(
    config: config_pb2.EvalConfig,
    found: Found,
    validation: validation_result_pb2.ValidationResult | None,
) -> list[config_pb2.SlicingSpec]:
    """Slicing specs that no slice belongs to, but for those that the verdict names anyway."""
    named = list(validation.missing_slices) if validation is not None else []
    keys = [cast(SliceKey, one.key) for one in found.slices]
    return [
        spec
        for spec in config.slicing_specs
        if spec not in named and not any(matches(spec, key) for key in keys)
    ]
