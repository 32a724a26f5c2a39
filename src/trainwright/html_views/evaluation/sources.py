"""What was evaluated: which models, on which examples, by which config."""

from __future__ import annotations

from collections.abc import Iterator

from google.protobuf import json_format

from trainwright.html_views.text import markup, prose, value
from trainwright.proto.tfma import config_pb2

_LONGEST_PLACE = 200
# What TFMA writes where it was told nothing.
_UNKNOWN = ("", "<unknown>")


def sources_section(run: config_pb2.EvalRun | None) -> Iterator[str]:
    """Models, examples and the config, which is folded."""
    yield "<section><h2>What was evaluated</h2>"
    if run is None:
        yield "<p>The evaluation has kept no eval_config.json.</p></section>"
        return
    rows = [*_models(run), *_examples(run)]
    if run.version:
        rows.append(("format", f"TFMA {markup(run.version)}"))
    body = "".join(f'<tr><th scope="row">{name}</th><td>{words}</td></tr>' for name, words in rows)
    yield f'<table class="plain facts">{body}</table>' if rows else ""
    config = json_format.MessageToJson(run.eval_config, preserving_proto_field_name=True)
    yield f"<details><summary>The config</summary><pre>{prose(config)}</pre></details></section>"


def _models(run: config_pb2.EvalRun) -> Iterator[tuple[str, str]]:
    specs = {spec.name: spec for spec in run.eval_config.model_specs}
    for name in dict.fromkeys([*specs, *run.model_locations]):
        is_baseline = name in specs and specs[name].is_baseline
        words = "baseline" if is_baseline else "model"
        label = f"{words} <small>{value(name)}</small>" if name and name != words else words
        yield label, _place(run.model_locations.get(name, ""))


def _examples(run: config_pb2.EvalRun) -> Iterator[tuple[str, str]]:
    words = _place(run.data_location)
    if run.file_format not in _UNKNOWN:
        words += f" <small>{markup(run.file_format)}</small>"
    yield "examples", words


def _place(location: str) -> str:
    if location in _UNKNOWN:
        return '<span class="muted">not said</span>'
    return value(location, _LONGEST_PLACE)
