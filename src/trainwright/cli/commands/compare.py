"""`trainwright compare`: what differs between two runs."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from typing import Any

import click

from trainwright.cli.completions import complete_run
from trainwright.cli.output import Bold, echo, json_option, print_json, print_table
from trainwright.cli.phrases import describe_duration, describe_number, describe_time
from trainwright.cli.run_arguments import run_document
from trainwright.cli.store_option import open_existing_store, store_option
from trainwright.history.run_differences import (
    SHOWN_DIGEST,
    NodeComparison,
    Pair,
    compare_runs,
    differences,
    read_facts,
)
from trainwright.history.run_view import RunView, find_run_view

# Of a longer value up to this much is shown around what differs; all of it is in `show RUN NODE`.
_LONGEST_CELL = 48
_BEFORE_DIFFERENCE = 16
# More files of a node than these are counted: an ExampleGen may read thousands.
_MOST_FILES = 5


@click.command()
@click.argument("first", metavar="RUN", required=False, shell_complete=complete_run)
@click.argument("second", metavar="[RUN]", default="latest", shell_complete=complete_run)
@store_option
@json_option
def compare(first: str | None, second: str, store: str | None, as_json: bool) -> None:
    """Show what differs between two runs: properties, code, files, data, metrics and times of each
    node.

    A RUN is an id from `trainwright runs`, the beginning of it, or `latest`. The second may be left
    out: then it is the latest.

    \b
    trainwright compare 2026-11-16T00:11
    trainwright compare 2026-11-16T00:11 2026-11-16T00:12
    """
    if first is None:
        raise click.UsageError(
            "Name the RUN to compare the latest with, or two: an id from `trainwright runs`, or "
            "the beginning of one, as in `trainwright compare 2026-11-16T00:11`."
        )
    with open_existing_store(store) as opened:
        views = find_run_view(opened, first), find_run_view(opened, second)
        facts = [read_facts(opened, view) for view in views]
    compared = compare_runs(*facts)
    if as_json:
        print_json({"runs": [run_document(view) for view in views], "nodes": compared})
    else:
        _print(views, compared)


def _print(views: tuple[RunView, RunView], compared: list[NodeComparison]) -> None:
    for letter, view in zip("AB", views, strict=True):
        run = view.run
        took = describe_duration(view.seconds)
        facts = (run.pipeline, run.state, took, f"started {describe_time(run.started_at)}")
        echo(Bold(letter), f"  {run.run_id}  {', '.join(fact for fact in facts if fact)}")
    rows = [row for node in compared for row in comparison_rows(node)]
    echo()
    if rows:
        print_table(("NODE", "WHAT", "A", "B", "CHANGE"), rows)
    same = [node.node_id for node in compared if node.is_same]
    if same:
        separator = "\n" if rows else ""
        echo(f"{separator}The same in both: {', '.join(same)}.")


def comparison_rows(node: NodeComparison) -> list[tuple[str, ...]]:
    """A row for each difference: the node, what differs, both values, and by how much."""
    rows: list[tuple[str, ...]] = [] if node.has_states_alike else [("state", *node.state, "")]
    for name, pair in node.properties.items():
        rows += [
            (f"property {what}", *_cells(one), _change(one)) for what, one in _fields(name, pair)
        ]
    if node.has_new_code:
        rows.append(("code", *node.code, "changed"))
    rows += _file_rows(node.files)
    rows += [
        (f"environment {name}", *_cells(pair), _presence(pair))
        for name, pair in node.environment.items()
    ]
    for key, pair in node.data.items():
        rows += [(what, *_cells(one), "") for what, one in _data_pairs(key, pair)]
    rows += [(name, *_cells(pair), _change(pair)) for name, pair in node.measured.items()]
    if not node.is_same and any(value is not None for value in node.seconds):
        rows.append(("time", *_times(node), _change(node.seconds)))
    return [(node.node_id, *row) for row in rows]


def _fields(name: str, pair: Pair) -> list[tuple[str, Pair]]:
    """A property, or the fields of it that differ: `eval_config.metrics_specs[0].thresholds`."""
    from trainwright.metadata.cache_key import field_differences

    fields = field_differences(*pair)
    return [(f"{name}.{path}", (old, new)) for path, old, new in fields] or [(name, pair)]


def _file_rows(files: Mapping[str, Pair]) -> list[tuple[str, ...]]:
    rows = [
        (
            f"file {_short_path(path)}",
            *(_cell(one)[:SHOWN_DIGEST] for one in pair),
            _presence(pair),
        )
        for path, pair in list(files.items())[:_MOST_FILES]
    ]
    more = len(files) - len(rows)
    return [*rows, (f"{more} more files", "", "", "changed")] if more > 0 else rows


def _short_path(path: str) -> str:
    """A path below the working directory as it is called from there."""
    below = os.path.relpath(path)
    return path if below.startswith(os.pardir) else below


def _presence(pair: Pair) -> str:
    """What became of something whose value says nothing to people."""
    first, second = pair
    return "new" if first is None else "gone" if second is None else "changed"


def _data_pairs(key: str, pair: Pair) -> list[tuple[str, Pair]]:
    """An output in its artifacts, and the properties of these that differ; but for the ids, by
    which two artifacts always do, and the blessing, which is named with its artifact."""
    names = tuple(", ".join(map(_name_artifact, made)) if made else None for made in pair)
    pairs: list[tuple[str, Pair]] = [(f"data {key}", (names[0], names[1]))]
    if all(made is not None and len(made) == 1 for made in pair):
        (first,), (second,) = pair
        pairs += [
            (f"data {key} {name}", differing)
            for name, differing in differences(first, second).items()
            if name not in ("id", "blessed")
        ]
    return pairs


def _name_artifact(artifact: Mapping[str, Any]) -> str:
    named = f"{artifact['type']} {artifact['id']}"
    if "blessed" not in artifact:
        return named
    return f"{named} ({'blessed' if artifact['blessed'] else 'not blessed'})"


def _times(node: NodeComparison) -> list[str]:
    return [
        "reused" if state == "cached" else describe_duration(seconds) or "-"
        for state, seconds in zip(node.state, node.seconds, strict=True)
    ]


def _cells(pair: Pair) -> tuple[str, str]:
    """Two values as text. Of long ones the part around the first difference is shown, so that what
    is cut off is not what differs."""
    first, second = map(_cell, pair)
    if max(len(first), len(second)) <= _LONGEST_CELL:
        return first, second
    pairs = enumerate(zip(first, second, strict=False))
    shorter = min(len(first), len(second))
    differs_at = next((index for index, (one, other) in pairs if one != other), shorter)
    is_near = differs_at + _BEFORE_DIFFERENCE < _LONGEST_CELL
    begin = 0 if is_near else differs_at - _BEFORE_DIFFERENCE
    return _cut(first, begin), _cut(second, begin)


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    return json.dumps(value) if isinstance(value, (dict, list)) else describe_number(value)


def _cut(text: str, begin: int) -> str:
    shown = f"...{text[begin:]}" if begin else text
    return shown if len(shown) <= _LONGEST_CELL else f"{shown[: _LONGEST_CELL - 3]}..."


def _change(pair: Pair) -> str:
    """By how much a number has changed, in percent of the first."""
    first, second = pair
    if not all(isinstance(one, (int, float)) and not isinstance(one, bool) for one in pair):
        return ""
    if not first or not all(map(math.isfinite, pair)):
        return ""
    return f"{(second - first) / abs(first):+.1%}"
