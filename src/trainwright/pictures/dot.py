"""A picture as text for Graphviz, for whoever wants to lay it out or to style it anew."""

from __future__ import annotations

from trainwright.pictures.picture import Picture

_COLOURS = {
    "complete": "#2f9e5a",
    "cached": "#3b7dd8",
    "running": "#d39a1f",
    "failed": "#cf3a3a",
    "canceled": "#9a59b0",
    "idle": "#b4bac4",
    "artifact": "#b59a5b",
}


def to_dot(picture: Picture) -> str:
    """The picture in Graphviz's language.

    >>> from trainwright.pictures.picture import Box, Picture
    >>> print(to_dot(Picture(heading="one", boxes=[Box(id="a", title="Trainer")])))
    digraph "one" {
      label="one"; labelloc=t; fontname="sans-serif";
      node [shape=box, style=rounded, fontname="sans-serif"];
      edge [fontname="sans-serif", fontsize=10];
      n0 [label="Trainer"];
    }
    <BLANKLINE>
    """
    # Names of our own: what a box is called may be a word of the language.
    names = {box.id: f"n{number}" for number, box in enumerate(picture.boxes)}
    heading = [picture.heading, *([picture.subheading] if picture.subheading else [])]
    lines = [
        f"digraph {_quoted(picture.heading)} {{",
        f'  label={_quoted(*heading)}; labelloc=t; fontname="sans-serif";',
        '  node [shape=box, style=rounded, fontname="sans-serif"];',
        '  edge [fontname="sans-serif", fontsize=10];',
    ]
    for box in picture.boxes:
        attributes = [f"label={_quoted(box.title, *box.lines)}"]
        if box.look in _COLOURS:
            attributes.append(f'color="{_COLOURS[box.look]}"')
        if box.look == "artifact":
            attributes.append("shape=ellipse")
        if box.is_dashed:
            attributes.append('style="rounded,dashed"')
        lines.append(f"  {names[box.id]} [{', '.join(attributes)}];")
    for arrow in picture.arrows:
        attributes = [f"label={_quoted(*arrow.labels)}"] if arrow.labels else []
        if arrow.is_dashed:
            attributes.append("style=dashed")
        suffix = f" [{', '.join(attributes)}]" if attributes else ""
        lines.append(f"  {names[arrow.source]} -> {names[arrow.target]}{suffix};")
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(*lines: str) -> str:
    escaped = (
        " ".join(_readable(line).split()).replace("\\", "\\\\").replace('"', '\\"')
        for line in lines
    )
    return '"' + "\\n".join(escaped) + '"'


def _readable(text: str) -> str:
    """Text that can be written as UTF-8, without the character that ends a string for Graphviz."""
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")
