"""Metrics by slice: slices below each other, metrics beside each other, a baseline in each cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from trainwright.evaluation.metric_keys import MetricKey
from trainwright.html_views.evaluation.checks import Check
from trainwright.html_views.evaluation.dot_strip import Strip, make_strip, strip_scale
from trainwright.html_views.evaluation.found import Found, FoundSlice, Place
from trainwright.html_views.evaluation.metric_columns import MetricColumn, metric_columns
from trainwright.html_views.evaluation.values import Number, change, score, spread, words_of
from trainwright.html_views.numbers import NOTHING, counted, number, percent
from trainwright.html_views.text import hint, markup, value

_LONGEST_SLICE = 80
_LONGEST_METRIC = 60
# From this many on, there is a box to find slices or metrics in.
_MANY = 5


@dataclass(frozen=True)
class _Cells:
    """What the cells of a column have in common.

    Args:
        column: The metric.
        strip: The scale of their pictures; None if there is nothing to compare.
        is_whole: Whether all its numbers are whole.
        is_as_baseline: Whether the baseline has the same number in every slice.
    """

    column: MetricColumn
    strip: Strip | None
    is_whole: bool
    is_as_baseline: bool

    def number(self, shown: float) -> str:
        return number(shown) if self.is_whole else score(shown)


def metrics_section(found: Found, failed: Sequence[Check]) -> Iterator[str]:
    """The table of all slices, with controls; then one of differences between slices, if any."""
    missed = {(check.place, check.key) for check in failed}
    yield f"<section><h2>Metrics by slice <small>{counted(len(found.slices), 'slice')}</small></h2>"
    if not found.slices:
        yield "<p>There are no metrics here.</p></section>"
        return
    cells = _all_cells(found, found.slices)
    has_changes = found.baseline is not None and not all(each.is_as_baseline for each in cells)
    if found.baseline is not None and not has_changes:
        yield "<p>The baseline has the same values: no metric of any slice has changed.</p>"
    yield _legend(found.slices, cells, has_changes=has_changes)
    yield from _controls(found, len(cells), has_changes=has_changes)
    yield from _table(found, found.slices, cells, missed)
    yield "</section>"
    if found.cross_slices:
        yield "<section><h2>Differences between slices</h2>"
        yield "<p>By how much the metrics of the first slice are above those of the second.</p>"
        cells = _all_cells(found, found.cross_slices)
        yield from _table(found, found.cross_slices, cells, missed)
        yield "</section>"


def _all_cells(found: Found, slices: Sequence[FoundSlice]) -> list[_Cells]:
    return [_cells(found, slices, column) for column in metric_columns(found, slices)]


def _legend(slices: Sequence[FoundSlice], cells: Sequence[_Cells], *, has_changes: bool) -> str:
    """How to read a cell; only what there is in some cell."""
    parts = []
    if len(slices) > 1:
        parts.append('<i class="dot"></i> the slice among all slices, its bar from all examples')
    if has_changes:
        parts.append('<i class="tick"></i> the baseline, whose value is below')
    numbers = (one.number(each.column.key) for one in slices for each in cells)
    if any(shown is not None and shown.has_interval for shown in numbers):
        parts.append('<i class="band"></i> confidence interval')
    return f'<p class="legend muted">{" &ensp; ".join(parts)}</p>' if parts else ""


def _controls(found: Found, columns: int, *, has_changes: bool) -> Iterator[str]:
    yield '<div class="controls" hidden>'
    if len(found.slices) > _MANY:
        yield _search("filter", "Filter slices")
    if columns > _MANY:
        yield _search("metrics", "Filter metrics")
    if has_changes:
        yield (
            '<label>Sort by <select id="by"><option value="v">value</option>'
            '<option value="d">change from the baseline</option></select></label>'
        )
    yield '<span class="muted">Click a heading to sort.</span>'
    yield '<span id="found" class="muted" aria-live="polite"></span></div>'


def _search(name: str, words: str) -> str:
    return f'<input type="search" id="{name}" placeholder="{words}" aria-label="{words}">'


def _table(
    found: Found,
    slices: Sequence[FoundSlice],
    cells: Sequence[_Cells],
    missed: set[tuple[Place, MetricKey]],
) -> Iterator[str]:
    scale = strip_scale(len(cells))
    yield f'<div class="scroll"><table class="metrics" style="--wide:{scale:.3g}px">'
    # Who lists no ExampleCount, as with the metrics of the model alone, has no such column.
    is_counted = any(one.examples is not None for one in slices)
    yield from _head(cells, is_counted=is_counted)
    total = next((one.examples for one in slices if not one.key), None)
    yield "<tbody>"
    for one in slices:
        row = "".join(
            _cell(found, one, common, ((one.key, one.is_cross), common.column.key) in missed)
            for common in cells
        )
        examples = _examples_cell(one, total) if is_counted else ""
        look = "" if one.key else ' class="all"'
        yield (
            f'<tr{look}><th scope="row" class="name">{value(one.name, _LONGEST_SLICE)}</th>'
            f"{examples}{row}</tr>"
        )
    yield "</tbody></table></div>"


def _head(cells: Sequence[_Cells], *, is_counted: bool) -> Iterator[str]:
    """Names below their groups; one line if there are no groups."""
    columns = [each.column for each in cells]
    some_changed = not all(each.is_as_baseline for each in cells)
    groups = [(group, len(list(same))) for group, same in groupby(c.group for c in columns)]
    has_groups = any(group for group, _ in groups)
    span = ' rowspan="2"' if has_groups else ""
    yield f'<thead><tr><th scope="col" class="name" data-c="0"{span}>slice</th>'
    if is_counted:
        yield f'<th scope="col" class="n" data-c="1"{span}>examples</th>'
    if has_groups:
        for group, count in groups:
            words = value(group, _LONGEST_METRIC) if group else "whole prediction"
            yield f'<th scope="colgroup" class="group" colspan="{count}"><span>{words}</span></th>'
        yield "</tr><tr>"
    for index, each in enumerate(cells, start=2 if is_counted else 1):
        column = each.column
        # Said once for all rows; where no column has changed, once for the table.
        same = "<small> = baseline</small>" if each.is_as_baseline and some_changed else ""
        yield (
            f'<th scope="col" class="n" data-c="{index}" data-g="{markup(hint(column.group))}">'
            f"{_breakable(column.name)}{same}</th>"
        )
    yield "</tr></thead>"


def _breakable(name: str) -> str:
    """The name of a metric, which may go on in the next line after an underscore."""
    if not name or len(name) > _LONGEST_METRIC:
        return value(name, _LONGEST_METRIC)
    return markup(name).replace("_", "_<wbr>")


def _cells(found: Found, slices: Sequence[FoundSlice], column: MetricColumn) -> _Cells:
    key = column.key
    numbers = [shown for one in slices if (shown := one.number(key)) is not None]
    both = [
        (one, shown, baseline)
        for one in slices
        if (shown := one.number(key)) and (baseline := found.baseline_number(one, key))
    ]
    baselines = [baseline for _, _, baseline in both]
    overall = next((one.number(key) for one in slices if not one.key), None)
    values = [shown.value for shown in (*numbers, *baselines) if shown.is_finite]
    return _Cells(
        column=column,
        strip=make_strip(numbers, baselines, overall),
        is_whole=all(shown.is_integer() for shown in values) and max(values, default=0) > 1,
        is_as_baseline=len(both) == len(numbers) > 0
        and not any(_moved(one, key, shown, baseline) for one, shown, baseline in both),
    )


def _examples_cell(one: FoundSlice, total: float | None) -> str:
    if one.examples is None:
        return f'<td class="n z">{NOTHING}</td>'
    part = ""
    if total and one.key and not one.is_cross:
        part = f"<small>{percent(one.examples / total)}</small>"
    return f'<td class="n" data-v="{one.examples:.9g}">{number(one.examples)}{part}</td>'


def _cell(found: Found, one: FoundSlice, common: _Cells, is_missed: bool) -> str:
    key = common.column.key
    item = one.items.get(key)
    look = "n f" if is_missed else "n"
    if item is None:
        return f'<td class="{look} z">{NOTHING}</td>'
    shown = one.number(key)
    if shown is None:
        return f'<td class="{look} z">{markup(words_of(item.value))}</td>'
    # A baseline that is the same in every row is said in the head.
    baseline = None if common.is_as_baseline else found.baseline_number(one, key)
    mark = "✖ " if is_missed else ""
    strip = common.strip.draw(shown, baseline) if common.strip else ""
    lines = f"{mark}{common.number(shown.value)}{_interval(shown)}{strip}"
    difference = ""
    if baseline is not None:
        moved = _moved(one, key, shown, baseline)
        difference = f' data-d="{moved:.6g}"'
        lines += f"<small>{common.number(baseline.value)} <b>{change(moved)}</b></small>"
    return f'<td class="{look}" data-v="{shown.value:.6g}"{difference}>{lines}</td>'


def _interval(shown: Number) -> str:
    if not shown.has_interval:
        return ""
    ends = f"from {score(shown.low)} to {score(shown.high)}"
    return f'<span class="z" title="{ends}"> ± {spread(shown.half_width)}</span>'


def _moved(one: FoundSlice, key: MetricKey, shown: Number, baseline: Number) -> float:
    stored = one.number(key.diff())
    return shown.value - baseline.value if stored is None else stored.value
