"""Colours and signs of node states in pictures."""

from __future__ import annotations

_LOOKS = {
    "complete": "complete",
    "cached": "cached",
    "running": "running",
    "failed": "failed",
    "died": "failed",
    "canceled": "canceled",
}


def look_of(state: str) -> str:
    """The look of a box for a node in that state; what did not run is `idle`."""
    return _LOOKS.get(state, "idle")
