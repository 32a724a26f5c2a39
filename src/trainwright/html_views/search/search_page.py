"""The page of a TunerResults: the best trial, pictures of the search, and all trials."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from trainwright._assets import read_asset
from trainwright._markup import Markup, html, join
from trainwright.html_views.numbers import NOTHING, counted, number
from trainwright.html_views.page import page, plain_table
from trainwright.html_views.search.charts import (
    MOST_LINES,
    parallel_coordinates,
    score_by_parameter,
    score_by_trial,
)
from trainwright.html_views.search.search_files import ShownSearch, ShownTrial, read_search
from trainwright.html_views.text import markup, prose, value

# Pictures and columns for more hyperparameters than these would be too many to look at.
_MOST_PICTURES, _MOST_AXES, _MOST_COLUMNS = 24, 8, 40
_MOST_ROWS = 1000
# Whole numbers from here on are written as they are.
_LARGEST_WHOLE = 10**15
_WORDS = {"min": "the smaller, the better", "max": "the larger, the better"}


def search_page(uri: str, *, title: str = "Hyperparameters") -> Markup:
    """One HTML file: the best so far, score by trial and by hyperparameter, and a table.

    Args:
        uri: The directory of a TunerResults, or TFX's file of it.
        title: The heading.

    Raises:
        ValueError: if there are no results, or they are damaged.
    """
    search = read_search(uri)
    style = read_asset("trainwright.html_views.search", "search.css")
    return page(title, uri, _parts(search), style=style, script="")


def _parts(search: ShownSearch) -> Iterator[Markup]:
    yield html("<p>{}</p>", markup(_counts(search)))
    if not search.ranked:
        yield html("<p>No trial has a score.</p>")
        yield from _table(search)
        return
    best = search.ranked[0]
    yield html("<h2>The best so far: trial {}</h2>", markup(best.trial_id))
    yield html(
        "<p><b>{}</b> {}, {}</p>",
        markup(search.objective),
        number(best.score or 0.0),
        _WORDS[search.direction],
    )
    values = [[markup(name), _cell(one)] for name, one in best.values.items()]
    yield plain_table(["hyperparameter", "value"], values, name="best hyperparameters")
    yield html("<h2>Score by trial</h2><div class='wide'>{}</div>", score_by_trial(search))
    varied = [name for name in search.parameters if _varies(search, name)]
    if varied:
        shown = join(score_by_parameter(search, name) for name in varied[:_MOST_PICTURES])
        yield html("<h2>Score by hyperparameter</h2><div class='pictures'>{}</div>", shown)
        yield html(
            "<h2>Parallel coordinates</h2><p class='muted'>{}</p><div class='wide'>{}</div>",
            _words_on_lines(search, len(varied)),
            parallel_coordinates(search, varied[:_MOST_AXES]),
        )
    yield from _table(search)


def _counts(search: ShownSearch) -> str:
    counts: dict[str, int] = {}
    for trial in search.trials:
        counts[trial.status] = counts.get(trial.status, 0) + 1
    parts = ", ".join(f"{number(count)} {status}" for status, count in counts.items())
    return f"{counted(len(search.trials), 'trial')}: {parts or 'nothing'}."


def _words_on_lines(search: ShownSearch, varied: int) -> str:
    words = ["A line is a trial; the best is drawn strongest."]
    if len(search.ranked) > MOST_LINES:
        words.append(f"The {MOST_LINES} best of {number(len(search.ranked))} are shown.")
    if varied > _MOST_AXES:
        words.append(f"The first {_MOST_AXES} of {varied} hyperparameters are shown.")
    return " ".join(words)


def _varies(search: ShownSearch, name: str) -> bool:
    return len({str(trial.values.get(name)) for trial in search.ranked}) > 1


def _table(search: ShownSearch) -> Iterator[Markup]:
    """All trials, the best first, then those without a score."""
    ranked = search.ranked
    others = [trial for trial in search.trials if trial not in ranked]
    rows = [*ranked, *others]
    names = search.parameters[:_MOST_COLUMNS]
    yield html("<h2>Trials</h2>")
    if len(rows) > _MOST_ROWS:
        yield html("<p class='muted'>The first {} are shown.</p>", number(_MOST_ROWS))
    headings = ["trial", markup(search.objective), *map(markup, names), ""]
    cells = [_row(trial, trial.values, names) for trial in rows[:_MOST_ROWS]]
    yield html("<div class='wide'>{}</div>", plain_table(headings, cells, name="trials"))


def _row(trial: ShownTrial, values: Mapping[str, Any], names: list[str]) -> list[str]:
    score = NOTHING if trial.score is None else number(trial.score)
    remark: str = ""
    if trial.status != "finished":
        words = f"{trial.status}{f': {trial.message}' if trial.message else ''}"
        remark = html("<span class='failed'>{}</span>", prose(words))
    return [
        markup(trial.trial_id),
        score,
        *(_cell(values[name]) if name in values else NOTHING for name in names),
        remark,
    ]


def _cell(shown: Any) -> Markup:
    return value(number(shown) if _has_few_digits(shown) else str(shown))


def _has_few_digits(shown: Any) -> bool:
    is_number = isinstance(shown, int | float) and not isinstance(shown, bool)
    return is_number and (isinstance(shown, float) or abs(shown) < _LARGEST_WHOLE)
