"""Guesses for misspelt names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

# A longer list hides the guess.
_MOST_BESIDE_A_GUESS = 20


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of an error message about an unknown name: the nearest, and all if they are few or
    none is near.

    >>> did_you_mean("num_step", ["num_steps", "splits"])
    "; did you mean 'num_steps'? Known are 'num_steps', 'splits'."
    """
    candidates = sorted(known)
    nearest = difflib.get_close_matches(name, candidates, n=1)
    guess = f"; did you mean {nearest[0]!r}?" if nearest else "."
    if nearest and len(candidates) > _MOST_BESIDE_A_GUESS:
        return guess
    return f"{guess} Known are {', '.join(map(repr, candidates)) or 'none'}."
