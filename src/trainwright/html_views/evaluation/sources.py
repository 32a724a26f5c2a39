"""What was evaluated: which models, on which examples, by which config."""

from __future__ import annotations

from collections.abc import Iterator

from google.protobuf import json_format

from trainwright._markup import Markup, html, join
from trainwright.html_views.text import markup, prose, value
from trainwright.proto.tfma import config_pb2

_LONGEST_PLACE = 200
# What TFMA writes where it was told nothing.
_UNKNOWN = ("", "<unknown>")


def sources_section(run: config_pb2.EvalRun | None) -> Iterator[Markup]:
    """Models, examples and the config, which is folded."""
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
