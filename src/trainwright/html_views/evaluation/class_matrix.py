"""A confusion matrix of several classes as a table: the darker, the more of a class went there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from trainwright._markup import EMPTY, Markup, html, join
from trainwright.html_views.numbers import number, percent
from trainwright.html_views.text import markup
from trainwright.proto.tfma import metrics_for_slice_pb2

# More classes than these are put together in the last one.
MOST_CLASSES = 20

_NO_CLASS = -1
_DARKEST = 62
# Behind all classes, whose numbers are not negative.
_OTHERS = "others"

_Matrix = metrics_for_slice_pb2.MultiClassConfusionMatrixAtThresholds.MultiClassConfusionMatrix
_Counts = dict[tuple[int | str, int | str], float]


def class_matrix(matrix: _Matrix, *, name: str) -> Markup:
    """The matrix as a table: actual classes below each other, predicted ones beside each other.

    Example: `class_matrix(data.multi_class_confusion_matrix_at_thresholds.matrices[0], name="")`
    """
    counts = _counts(matrix)
    if not counts:
        return EMPTY
    rows = sorted({actual for actual, _ in counts}, key=_order)
    columns = sorted({predicted for _, predicted in counts} | set(rows), key=_order)
    heads = join(
        html('<th scope="col" class="n">{}</th>', _class_name(column)) for column in columns
    )
    lines = [
        html(
            '<table class="heat" aria-label="{}"><thead><tr><th scope="col">actual ↓ '
            'predicted →</th>{}<th scope="col" class="n">right</th></tr></thead><tbody>',
            markup(name),
            heads,
        )
    ]
    for row in rows:
        total = sum(counts.get((row, column), 0.0) for column in columns)
        cells = join(
            _cell(counts.get((row, column), 0.0), total, is_right=row == column)
            for column in columns
        )
        right = percent(counts.get((row, row), 0.0) / total) if total else ""
        lines.append(
            html(
                '<tr><th scope="row">{}</th>{}<td class="n z">{}</td></tr>',
                _class_name(row),
                cells,
                right,
            )
        )
    return join([*lines, html("</tbody></table>")])


def _cell(count: float, total: float, *, is_right: bool) -> Markup:
    look = "n right" if is_right else "n"
    if not count or not total:
        return html('<td class="{} z">{}</td>', look, number(count))
    share = count / total
    heat = round(max(share, 0.0) * _DARKEST)
    return html(
        '<td class="{}" style="--h:{}%" title="{} of the class">{}</td>',
        look,
        heat,
        percent(share),
        number(round(count, 2)),
    )


def _counts(matrix: _Matrix) -> _Counts:
    """How many examples of a class were taken for which; of many classes, the largest."""
    sizes: Mapping[int, float] = defaultdict(float)
    for entry in matrix.entries:
        sizes[entry.actual_class_id] += entry.num_weighted_examples  # type: ignore[index]
    largest = sorted(sizes, key=lambda size: (-sizes[size], size))
    shown = set(largest) if len(largest) <= MOST_CLASSES else set(largest[: MOST_CLASSES - 1])
    shown.add(_NO_CLASS)
    known = shown | (set() if len(largest) > MOST_CLASSES else _predicted(matrix))
    counts: _Counts = defaultdict(float)
    for entry in matrix.entries:
        actual = entry.actual_class_id if entry.actual_class_id in known else _OTHERS
        predicted = entry.predicted_class_id if entry.predicted_class_id in known else _OTHERS
        counts[actual, predicted] += entry.num_weighted_examples
    return dict(counts)


def _predicted(matrix: _Matrix) -> set[int]:
    found = {entry.predicted_class_id for entry in matrix.entries}
    return found if len(found) <= 2 * MOST_CLASSES else set()


def _order(name: int | str) -> tuple[bool, int]:
    if isinstance(name, str):
        return True, 1
    return name == _NO_CLASS, name


def _class_name(name: int | str) -> str:
    return "none" if name == _NO_CLASS else str(name)


def matrices_of(
    plots: metrics_for_slice_pb2.MultiClassConfusionMatrixAtThresholds,
) -> Iterator[tuple[str, _Matrix]]:
    """The matrices, with the threshold in words if there are several.

    Example: `for words, matrix in matrices_of(plots): class_matrix(matrix, name=words)`
    """
    for matrix in plots.matrices:
        is_alone = len(plots.matrices) == 1
        yield "" if is_alone else f"threshold {number(matrix.threshold)}", matrix
