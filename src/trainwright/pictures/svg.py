"""A picture as SVG: readable on light and dark ground, without fonts or scripts from elsewhere."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from trainwright._assets import read_asset
from trainwright._markup import Markup, escape, html, join
from trainwright.pictures.layered_layout import Edge, Layout, Rectangle, Route, Size, lay_out
from trainwright.pictures.picture import Arrow, Box, Picture

_TITLE_SIZE, _LINE_SIZE, _LABEL_SIZE, _HEADING_SIZE = 14.0, 12.0, 11.5, 16.0
_PADDING_X, _PADDING_Y = 14.0, 9.0
_SMALLEST_WIDTH = 96.0
_LONGEST_TITLE, _LONGEST_LINE, _LONGEST_LABEL = 40, 48, 44
_MARGIN = 16.0
_ARROW_HEAD = 7.0

# What XML 1.0 cannot hold, however it is escaped.
_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

# The size of text, near enough: a picture is drawn before its font is known.
_NARROW = frozenset("iljtfrI.,:;'|!()[]{}` ")
_WIDE = frozenset("mwMW@%")
_LINE_HEIGHT = 1.35


def to_svg(picture: Picture) -> Markup:
    """Draws a picture.

    Raises ValueError if its arrows go round in a circle.

    >>> from trainwright.pictures.picture import Box, Picture
    >>> to_svg(Picture(heading="one", boxes=[Box(id="a", title="Trainer")])).startswith("<svg ")
    True
    """
    sizes = {box.id: _box_size(box) for box in picture.boxes}
    edges = [Edge(arrow.source, arrow.target, _label_size(arrow)) for arrow in picture.arrows]
    layout = lay_out(sizes, edges)
    top = _MARGIN + _heading_height(picture)
    width = max(layout.width, _heading_width(picture)) + 2 * _MARGIN
    height = top + layout.height + _MARGIN
    left = (width - layout.width) / 2
    lines = [
        html(
            '<svg xmlns="http://www.w3.org/2000/svg" role="img" class="tw" width="{}" '
            'height="{}" viewBox="0 0 {} {}">',
            _number(width),
            _number(height),
            _number(width),
            _number(height),
        ),
        html("<title>{}</title>", _text(_spoken_title(picture))),
        html("<desc>{}</desc>", _text(_describe(picture))),
        html("<style>{}</style>", Markup(read_asset("trainwright.pictures", "svg.css"))),
        html(
            '<rect class="tw-ground" width="{}" height="{}" rx="10"/>',
            _number(width),
            _number(height),
        ),
        *_draw_heading(picture),
        html('<g transform="translate({} {})">', _number(left), _number(top)),
        *_draw_arrows(picture.arrows, layout),
        *_draw_boxes(picture.boxes, layout),
        html("</g>"),
        html("</svg>"),
    ]
    return join(lines, "\n") + html("\n")


def _box_size(box: Box) -> Size:
    title = text_width(_title(box), _TITLE_SIZE, is_bold=True)
    lines = [text_width(line, _LINE_SIZE) for line in _lines(box)]
    height = _TITLE_SIZE * _LINE_HEIGHT + len(lines) * _LINE_SIZE * _LINE_HEIGHT
    width = max([title, *lines, _SMALLEST_WIDTH - 2 * _PADDING_X])
    return Size(width + 2 * _PADDING_X, height + 2 * _PADDING_Y)


def _label_size(arrow: Arrow) -> Size | None:
    labels = _labels(arrow)
    if not labels:
        return None
    width = max(text_width(label, _LABEL_SIZE) for label in labels)
    return Size(width, len(labels) * _LABEL_SIZE * _LINE_HEIGHT)


def _title(box: Box) -> str:
    return shortened(box.title, _LONGEST_TITLE)


def _lines(box: Box) -> list[str]:
    return [shortened(line, _LONGEST_LINE) for line in box.lines]


def _labels(arrow: Arrow) -> list[str]:
    return [shortened(label, _LONGEST_LABEL) for label in arrow.labels]


def _heading_height(picture: Picture) -> float:
    lines = _HEADING_SIZE * _LINE_HEIGHT
    if picture.subheading:
        lines += _LINE_SIZE * _LINE_HEIGHT
    return lines + _MARGIN


def _heading_width(picture: Picture) -> float:
    return max(
        text_width(picture.heading, _HEADING_SIZE, is_bold=True),
        text_width(picture.subheading, _LINE_SIZE),
    )


def _draw_heading(picture: Picture) -> Iterator[Markup]:
    y = _MARGIN + _HEADING_SIZE
    yield _draw_text(picture.heading, "tw-heading", _MARGIN, y, anchor="start")
    if picture.subheading:
        y += _LINE_SIZE * _LINE_HEIGHT + 2
        yield _draw_text(picture.subheading, "tw-line", _MARGIN, y, anchor="start")


def _draw_boxes(boxes: Iterable[Box], layout: Layout) -> Iterator[Markup]:
    for box in boxes:
        place = layout.nodes[box.id]
        radius = place.height / 2 if box.look == "artifact" else 8
        dashed = " tw-dashed" if box.is_dashed else ""
        yield html('<g class="tw-box tw-{}{}">', box.look, dashed)
        if box.hint:
            yield html("<title>{}</title>", _text(box.hint))
        yield html(
            '<rect x="{}" y="{}" width="{}" height="{}" rx="{}"/>',
            _number(place.x),
            _number(place.y),
            _number(place.width),
            _number(place.height),
            _number(radius),
        )
        y = place.y + _PADDING_Y + _TITLE_SIZE
        yield _draw_text(_title(box), "tw-title", place.center, y)
        for line in _lines(box):
            y += _LINE_SIZE * _LINE_HEIGHT
            yield _draw_text(line, "tw-line", place.center, y)
        yield html("</g>")


def _draw_arrows(arrows: Sequence[Arrow], layout: Layout) -> Iterator[Markup]:
    """All lines first: a label is not crossed out by the line of another arrow."""
    for arrow, route in zip(arrows, layout.routes, strict=True):
        dashed = " tw-dashed" if arrow.is_dashed else ""
        yield html('<g class="tw-arrow{}">', dashed)
        if arrow.hint:
            yield html("<title>{}</title>", _text(arrow.hint))
        yield html('<path d="{}"/>', _path(route))
        yield html('<path class="tw-head" d="{}"/>', _head(route))
        yield html("</g>")
    for arrow, route in zip(arrows, layout.routes, strict=True):
        if route.label is not None:
            yield from _draw_label(_labels(arrow), route.label)


def _draw_label(labels: Sequence[str], place: Rectangle) -> Iterator[Markup]:
    yield html(
        '<rect class="tw-ground" x="{}" y="{}" width="{}" height="{}" rx="3"/>',
        _number(place.x),
        _number(place.y),
        _number(place.width),
        _number(place.height),
    )
    y = place.y
    for label in labels:
        y += _LABEL_SIZE * _LINE_HEIGHT
        yield _draw_text(label, "tw-label", place.center, y - _LABEL_SIZE * 0.35)


def _path(route: Route) -> str:
    """Straight lines within layers, and between them curves that begin and end vertically."""
    points = [*route.points[:-1], (route.points[-1][0], route.points[-1][1] - _ARROW_HEAD)]
    (x, y), *rest = points
    parts = [f"M{_number(x)} {_number(y)}"]
    for next_x, next_y in rest:
        if abs(next_x - x) < 0.05:
            parts.append(f"V{_number(next_y)}")
        else:
            bend = (next_y - y) * 0.55
            parts.append(
                f"C{_number(x)} {_number(y + bend)} {_number(next_x)} {_number(next_y - bend)} "
                f"{_number(next_x)} {_number(next_y)}"
            )
        x, y = next_x, next_y
    return "".join(parts)


def _head(route: Route) -> str:
    x, y = route.points[-1]
    top, half = _number(y - _ARROW_HEAD - 1), _ARROW_HEAD * 0.6
    return f"M{_number(x)} {_number(y)}L{_number(x - half)} {top}H{_number(x + half)}Z"


def _draw_text(text: str, kind: str, x: float, y: float, *, anchor: str = "middle") -> Markup:
    return html(
        '<text class="{}" x="{}" y="{}" text-anchor="{}">{}</text>',
        kind,
        _number(x),
        _number(y),
        anchor,
        _text(text),
    )


def _spoken_title(picture: Picture) -> str:
    return f"{picture.heading}, {picture.subheading}" if picture.subheading else picture.heading


def _describe(picture: Picture) -> str:
    """The picture in words, for who does not see it."""
    titles = {box.id: box.title for box in picture.boxes}
    boxes = "; ".join(", ".join([box.title, *box.lines]) for box in picture.boxes)
    arrows = "; ".join(
        f"{titles[arrow.source]} to {titles[arrow.target]}"
        + (f" ({', '.join(arrow.labels)})" if arrow.labels else "")
        for arrow in picture.arrows
    )
    return f"Boxes: {boxes or 'none'}. Arrows: {arrows or 'none'}."


def _text(text: str) -> Markup:
    return escape(_NOT_IN_XML.sub("\ufffd", text))


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def text_width(text: str, font_size: float, *, is_bold: bool = False) -> float:
    """The width of a line in a usual sans-serif font, rather too wide than too narrow.

    >>> text_width("Trainer", 10) < text_width("CsvExampleGen", 10)
    True
    """
    width = sum(map(_character_width, text))
    return width * font_size * (1.07 if is_bold else 1.0)


def shortened(text: str, longest: int) -> str:
    """The text in one line; what is too long loses its middle, since ends tell names apart.

    >>> shortened("a_very_long_name_of_a_node", 11)
    'a_ver…_node'
    """
    line = " ".join(text.split())
    if len(line) <= longest:
        return line
    end = (longest - 1) // 2
    return f"{line[: longest - 1 - end]}…{line[-end:]}"


def _character_width(character: str) -> float:
    if character in _NARROW:
        return 0.34
    if character in _WIDE:
        return 0.9
    if character.isupper():
        return 0.7
    if unicodedata.east_asian_width(character) in ("W", "F"):
        return 1.05
    return 0.57
