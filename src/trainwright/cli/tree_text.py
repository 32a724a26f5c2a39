"""A tree as lines of text."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass
class TreeLine:
    """A line, in parts that `echo` takes, and those below it."""

    parts: tuple[str, ...]
    children: list[TreeLine] = field(default_factory=list)


# The branch of a child, of the last child, and what is below each of them.
_DRAWN = ("├─ ", "└─ ", "│  ", "   ")
_TYPED = ("|- ", "`- ", "|  ", "   ")


def tree_lines(root: TreeLine, *, drawn: bool | None = None) -> Iterator[tuple[str, ...]]:
    """The lines of the tree, with the branches that the output can show.

    >>> list(tree_lines(TreeLine(("a",), [TreeLine(("b",)), TreeLine(("c",))]), drawn=False))
    [('a',), ('|- ', 'b'), ('`- ', 'c')]
    """
    if drawn is None:
        drawn = (sys.stdout.encoding or "").lower().startswith("utf")
    middle, last, beside, below = _DRAWN if drawn else _TYPED
    yield root.parts
    # Not recursive: a model that is trained on from another has a long line of ancestors.
    waiting = [(child, "", child is root.children[-1]) for child in reversed(root.children)]
    while waiting:
        line, prefix, is_last = waiting.pop()
        yield prefix + (last if is_last else middle), *line.parts
        deeper = prefix + (below if is_last else beside)
        waiting += [
            (child, deeper, child is line.children[-1]) for child in reversed(line.children)
        ]
