"""What documents show of a terminal, and how it is held against what is printed.

A documented line is one of those printed, but for what no two runs have in common: ids, times,
sizes, digests, versions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
MASKS = (
    (r"\d{4}-\d\d-\d\dT[\d:.]+", "RUN"),
    (r"(?:RUN, )+RUN", "RUN"),
    (r"\d{4}-\d\d-\d\d [\d:,]+", "TIME"),
    (r"^\d\d:\d\d:\d\d ", "CLOCK "),
    (r"\b[\d.]+ (?:s|min) ago\b|\bjust now\b", "AGO"),
    (r"\b[\d.]+ (?:ms|s|min|h)\b", "TIME"),
    (r"[-+][\d.]+%", "CHANGE"),
    (r"[\d.,]+ [kMG]?B\b", "SIZE"),
    (r"\b[0-9a-f]{8}\b", "DIGEST"),
    (r"\b1[78]\d{8}\b", "VERSION"),
    (r" {2,}", "  "),
)


def page(name: str) -> str:
    return (REPOSITORY / name).read_text(encoding="utf-8")


def blocks(name: str) -> list[str]:
    """The blocks of a page that are in no language: what a terminal shows."""
    found: list[str] = []
    lines: list[str] = []
    fence = None
    for line in page(name).splitlines():
        if line.startswith("```"):
            if fence == "```":
                found.append("\n".join(lines))
            fence = None if fence else line
            lines = []
        elif fence:
            lines.append(line)
    return found


def block(name: str, beginning: str) -> str:
    """The only block with a line that begins so, without the commands in it."""
    (found,) = [
        one for one in blocks(name) if any(line.startswith(beginning) for line in one.splitlines())
    ]
    return "".join(line for line in found.splitlines(True) if not line.startswith("$ "))


def masked(line: str, replaced: dict[str, str]) -> str:
    """The line without what differs from run to run."""
    for shown, actual in replaced.items():
        line = line.replace(shown, actual)
    for pattern, mask in MASKS:
        line = re.sub(pattern, mask, line)
    return line.strip()


def assert_lines_are_printed(
    shown: str, printed: str | Iterable[str], replaced: dict[str, str] | None = None
) -> None:
    """Each line of a block is one of those printed; `...` stands for any others, at the end of a
    line for the rest of it. `replaced` says what the block calls otherwise, such as directories."""
    text = printed if isinstance(printed, str) else "\n".join(printed)
    lines = [masked(line, {}) for line in text.splitlines()]
    for line in filter(None, shown.splitlines()):
        wanted = masked(line, replaced or {})
        if wanted.endswith("..."):
            found = any(one.startswith(wanted.removesuffix("...").rstrip()) for one in lines)
        else:
            found = wanted in lines
        assert found, f"{wanted!r} is not printed:\n" + "\n".join(lines)


def assert_sentence(shown: str, said: str) -> None:
    """The block is in what is said, however its lines are broken."""
    assert " ".join(shown.split()) in " ".join(said.split())
