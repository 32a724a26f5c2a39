"""Picture: boxes and the arrows between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

# The looks that a box can have; the words are the states of nodes and artifacts.
LOOKS = (
    "plain",
    "complete",
    "cached",
    "running",
    "failed",
    "canceled",
    "idle",
    "artifact",
)


@dataclass(frozen=True, kw_only=True)
class Box:
    """One box of a picture.

    Args:
        id: What arrows name it by.
        title: Its first line.
        lines: Smaller lines below the title.
        look: One of `LOOKS`: how it is coloured.
        is_dashed: Whether its border is dashed.
        hint: What is shown when the mouse rests on it.
    """

    id: str
    title: str
    lines: tuple[str, ...] = ()
    look: str = "plain"
    is_dashed: bool = False
    hint: str = ""

    def __post_init__(self) -> None:
        if self.look not in LOOKS:
            raise ValueError(f"look must be one of {', '.join(LOOKS)}, got {self.look!r}.")


@dataclass(frozen=True, kw_only=True)
class Arrow:
    """An arrow from one box to another, with a line of text for each thing that goes along it."""

    source: str
    target: str
    labels: tuple[str, ...] = ()
    is_dashed: bool = False
    hint: str = ""


@dataclass(frozen=True, kw_only=True)
class Picture:
    """Boxes and arrows under a heading; the arrows must not go round in a circle.

    Example:
        >>> Picture(
        ...     heading="penguin",
        ...     boxes=(Box(id="a", title="Trainer"), Box(id="b", title="Pusher")),
        ...     arrows=(Arrow(source="a", target="b", labels=("model",)),),
        ... ).heading
        'penguin'
    """

    heading: str
    boxes: Sequence[Box]
    arrows: Sequence[Arrow] = ()
    subheading: str = ""

    def __post_init__(self) -> None:
        known = {box.id for box in self.boxes}
        if len(known) != len(self.boxes):
            raise ValueError("The ids of boxes must differ.")
        for arrow in self.arrows:
            for end in (arrow.source, arrow.target):
                if end not in known:
                    raise ValueError(f"An arrow names the box {end!r}, which is not there.")
