"""Pictures of a search: scores by trial and by hyperparameter, and parallel coordinates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trainwright._markup import EMPTY, Markup, html, join
from trainwright.html_views.numbers import number
from trainwright.html_views.search.axis import Axis, axis_of
from trainwright.html_views.search.search_files import ShownSearch, ShownTrial
from trainwright.html_views.svg_parts import Size, coordinate, draw_svg, draw_text
from trainwright.html_views.text import hint, markup

_HISTORY = Size(720, 240)
_SCATTER = Size(300, 190)
_HEIGHT_OF_LINES = 300
_AXIS_STEP, _WIDEST = 150, 1200
_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 14, 24, 34
_LONGEST_LABEL, _LONGEST_NAME = 10, 20
# More lines or dots than these hide each other; the best are drawn.
MOST_LINES, _MOST_DOTS = 200, 500
# What a dot says has no more values than these.
_MOST_VALUES = 8


def score_by_trial(search: ShownSearch) -> Markup:
    """Each score at the place of its trial, and a line that follows the best so far."""
    scores = axis_of([trial.score for trial in search.trials if trial.status != "failed"])
    last = max(len(search.trials) - 1, 1)
    box = _Box(_HISTORY)
    dots, line = [], ""
    best: float | None = None
    for index, trial in enumerate(search.trials):
        x = box.x(index / last)
        if trial.score is None or trial.status == "failed":
            dots.append(_cross(x, box.bottom, trial))
            continue
        dots.append(_dot(x, box.y(scores.place(trial.score)), trial, search.objective))
        if trial.status == "finished" and _is_better(trial.score, best, search.direction):
            best = trial.score
            y = coordinate(box.y(scores.place(best)))
            line += f"V{y}" if line else f"M{coordinate(x)} {y}"
        if line:
            line += f"H{coordinate(x)}"
    content = [
        html('<path class="best" d="{}"/>', line) if line else EMPTY,
        *dots,
        *_frame(box, scores, search.objective),
        draw_text("trial", box.right, _HISTORY.height - 6, "muted", anchor="end"),
    ]
    return draw_svg(join(content), _HISTORY, title="Score by trial", look="s0 search")


def score_by_parameter(search: ShownSearch, name: str) -> Markup:
    """Each score over the value of one hyperparameter."""
    trials = [trial for trial in search.ranked if name in trial.values][:_MOST_DOTS]
    values = axis_of([trial.values[name] for trial in trials])
    scores = axis_of([trial.score for trial in search.ranked])
    box = _Box(_SCATTER)
    dots = []
    for trial in trials:
        place = values.place(trial.values[name])
        if place is not None:
            y = box.y(scores.place(trial.score))
            dots.append(_dot(box.x(place), y, trial, search.objective))
    labels = [
        draw_text(
            text, box.x(place), box.bottom + 15, anchor=_anchor(place), longest=_LONGEST_LABEL
        )
        for place, text in _sparse(values.labels)
    ]
    scale = ", logarithmic" if values.is_logarithmic else ""
    caption = draw_text(f"{name}{scale}", box.left, _SCATTER.height - 4, "muted", longest=44)
    content = [*dots, *_frame(box, scores, search.objective), *labels, caption]
    return draw_svg(join(content), _SCATTER, title=f"Score by {name}", look="s0 search")


def parallel_coordinates(search: ShownSearch, names: Sequence[str]) -> Markup:
    """A line for each of the best trials through its values, which ends at its score."""
    trials = search.ranked[:MOST_LINES]
    axes = [axis_of([trial.values.get(name) for trial in trials]) for name in names]
    axes.append(axis_of([trial.score for trial in trials]))
    step = min(_AXIS_STEP, _WIDEST / len(axes))
    size = Size(int(_LEFT + step * (len(axes) - 1) + _LEFT + _RIGHT), _HEIGHT_OF_LINES)
    box = _Box(size)
    lines = []
    # The best comes last: it lies above the others.
    for rank, trial in reversed(list(enumerate(trials))):
        values = [*(trial.values.get(name) for name in names), trial.score]
        places = [axis.place(value) for axis, value in zip(axes, values, strict=True)]
        path = "".join(_line_to(index, place, step, box) for index, place in enumerate(places))
        if path:
            look = "chosen" if rank == 0 else f"rank{min(rank * 4 // max(len(trials), 1), 3)}"
            words = markup(hint(_words(trial, search.objective)))
            path = f"M{path[1:]}"  # wherever it begins
            lines.append(
                html('<path class="{}" d="{}"><title>{}</title></path>', look, path, words)
            )
    content = [*lines]
    for index, (name, axis) in enumerate(zip([*names, search.objective], axes, strict=True)):
        content += _upright(box, _LEFT + index * step, name, axis)
    return draw_svg(join(content), size, title="Parallel coordinates", look="s0 lines")


class _Box:
    """The part of a picture in which values have their places."""

    def __init__(self, size: Size) -> None:
        self.left, self.right = _LEFT, size.width - _RIGHT
        self.top, self.bottom = _TOP, size.height - _BOTTOM

    def x(self, place: float) -> float:
        return self.left + place * (self.right - self.left)

    def y(self, place: float | None) -> float:
        return self.bottom - (place or 0.0) * (self.bottom - self.top)


def _frame(box: _Box, scores: Axis, objective: str) -> Iterator[Markup]:
    yield html(
        '<path class="axis" d="M{} {}V{}H{}"/>', box.left - 4, box.top, box.bottom + 3, box.right
    )
    for place, text in scores.labels:
        yield draw_text(text, box.left - 8, box.y(place) + 4, anchor="end", longest=_LONGEST_LABEL)
    scale = ", logarithmic" if scores.is_logarithmic else ""
    yield draw_text(f"{objective}{scale}", 2, 11, "muted", longest=44)


def _upright(box: _Box, x: float, name: str, axis: Axis) -> Iterator[Markup]:
    yield html('<path class="axis" d="M{} {}V{}"/>', coordinate(x), box.top, box.bottom)
    for place, text in axis.labels:
        label = draw_text(text, x - 5, box.y(place) + 4, anchor="end", longest=_LONGEST_LABEL)
        yield label
    yield draw_text(name, x, box.bottom + 22, "muted", anchor="middle", longest=_LONGEST_NAME)


def _line_to(index: int, place: float | None, step: float, box: _Box) -> str:
    if place is None:
        return ""
    return f"L{coordinate(_LEFT + index * step)} {coordinate(box.y(place))}"


def _dot(x: float, y: float, trial: ShownTrial, objective: str) -> Markup:
    look = "pruned" if trial.status == "pruned" else "dot"
    words = markup(hint(_words(trial, objective)))
    return html(
        '<circle class="{}" cx="{}" cy="{}" r="4"><title>{}</title></circle>',
        look,
        coordinate(x),
        coordinate(y),
        words,
    )


def _cross(x: float, y: float, trial: ShownTrial) -> Markup:
    words = markup(hint(f"trial {trial.trial_id}: {trial.status}. {trial.message}"))
    left, top = coordinate(x - 4), coordinate(y - 4)
    path = f"M{left} {top}l8 8m-8 0l8 -8"
    return html('<path class="cross" d="{}"><title>{}</title></path>', path, words)


def _words(trial: ShownTrial, objective: str) -> str:
    shown = list(trial.values.items())[:_MOST_VALUES]
    values = ", ".join(f"{name}={value}" for name, value in shown)
    values += ", …" if len(trial.values) > len(shown) else ""
    score = "" if trial.score is None else f"{objective} {number(trial.score)}; "
    return f"trial {trial.trial_id}: {score}{values}"


def _sparse(labels: Sequence[tuple[float, str]]) -> list[tuple[float, str]]:
    """The labels that find room below a small picture."""
    return list(labels) if len(labels) <= 4 else [labels[0], labels[-1]]


def _anchor(place: float) -> str:
    return "start" if place < 0.2 else "end" if place > 0.8 else "middle"


def _is_better(score: float, best: float | None, direction: str) -> bool:
    return best is None or (score > best if direction == "max" else score < best)
