"""The page of an evaluation: may the model be used, where is it good, and what was looked at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from google.protobuf import json_format

from trainwright._assets import read_asset
from trainwright._markup import Markup, html, join
from trainwright.evaluation.metric_keys import SliceKey
from trainwright.evaluation.slices.slice_matching import matches
from trainwright.html_views.evaluation.checks import failed_checks, passed_checks
from trainwright.html_views.evaluation.found import Found, find_slices
from trainwright.html_views.evaluation.metrics_table import metrics_section
from trainwright.html_views.evaluation.plots import plots_section
from trainwright.html_views.evaluation.verdict import verdict_section
from trainwright.html_views.page import page
from trainwright.html_views.text import markup, prose, value
from trainwright.proto.tfma import config_pb2, metrics_for_slice_pb2, validation_result_pb2

_LONGEST_PLACE = 200
# What TFMA writes where it was told nothing.
_UNKNOWN = ("", "<unknown>")


def evaluation_page(
    metrics: Iterable[metrics_for_slice_pb2.MetricsForSlice],
    *,
    plots: Iterable[metrics_for_slice_pb2.PlotsForSlice] = (),
    validation: validation_result_pb2.ValidationResult | None = None,
    run: config_pb2.EvalRun | None = None,
    title: str = "Evaluation",
    subtitle: str = "",
    metrics_alone: bool = False,
) -> Markup:
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
    verdict: Iterable[Markup] = ()
    if not metrics_alone:
        empty_specs = _empty_specs(config, found, validation)
        verdict = verdict_section(validation, failed, passed, empty_specs)
    parts = [
        *verdict,
        *metrics_section(found, failed),
        *plots_section(plots, found),
        *(() if metrics_alone else _sources_section(run)),
    ]
    style, script = (
        read_asset("trainwright.html_views.evaluation", f"evaluation.{kind}")
        for kind in ("css", "js")
    )
    return page(title, subtitle, parts, style=style, script=script)


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


def _sources_section(run: config_pb2.EvalRun | None) -> Iterator[Markup]:
    """What was evaluated: models, examples and the config, which is folded."""
    yield html("<section><h2>What was evaluated</h2>")
    if run is None:
        yield html("<p>The evaluation has kept no eval_config.json.</p></section>")
        return
    rows = [*_models(run), *_examples(run)]
    if run.version:
        rows.append(("format", html("TFMA {}", markup(run.version))))
    body = join(
        html('<tr><th scope="row">{}</th><td>{}</td></tr>', name, words) for name, words in rows
    )
    if rows:
        yield html('<table class="plain facts">{}</table>', body)
    config = json_format.MessageToJson(run.eval_config, preserving_proto_field_name=True)
    yield html(
        "<details><summary>The config</summary><pre>{}</pre></details></section>", prose(config)
    )


def _models(run: config_pb2.EvalRun) -> Iterator[tuple[str, Markup]]:
    specs = {spec.name: spec for spec in run.eval_config.model_specs}
    for name in dict.fromkeys([*specs, *run.model_locations]):
        is_baseline = name in specs and specs[name].is_baseline
        words = "baseline" if is_baseline else "model"
        label = (
            html("{} <small>{}</small>", words, value(name)) if name and name != words else words
        )
        yield label, _place(run.model_locations.get(name, ""))


def _examples(run: config_pb2.EvalRun) -> Iterator[tuple[str, Markup]]:
    words = _place(run.data_location)
    if run.file_format not in _UNKNOWN:
        words += html(" <small>{}</small>", markup(run.file_format))
    yield "examples", words


def _place(location: str) -> Markup:
    if location in _UNKNOWN:
        return html('<span class="muted">not said</span>')
    return value(location, _LONGEST_PLACE)
