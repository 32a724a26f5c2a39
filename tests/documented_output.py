"""Terminal output in documents, and how it is compared with what is printed.

A documented line is one of those printed, but for what no two runs have in common: ids, times,
sizes, digests, versions.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
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
    (r"\b\d+ steps/s", "SPEED"),
    (r"\b(loss|accuracy) [\d.]+", r"\1 VALUE"),
    (r" {2,}", "  "),
)


def page(name: str) -> str:
    return (REPOSITORY / name).read_text(encoding="utf-8")


def blocks(name: str) -> list[str]:
    """The blocks of a page that are in no language: what a terminal shows.

    Each of them has to be held by a test that asks for it with `block` or `blocks_of_commands`.
    """
    found: list[str] = []
    lines: list[str] = []
    fence = None
    for line in page(name).splitlines():
        if line.startswith("```"):
            if fence in ("```", "```console", "```text"):
                found.append("\n".join(lines))
            fence = None if fence else line
            lines = []
        elif fence:
            lines.append(line)
    return found


def block(name: str, beginning: str) -> str:
    """The only block with a line that begins so, without the commands in it."""
    (found,) = [one for one in blocks(name) if _has_line(one, beginning)]
    return "".join(line for line in found.splitlines(True) if not line.startswith("$ "))


def blocks_of_commands(name: str, *commands: str) -> list[tuple[str, str]]:
    """The blocks that begin with `$ trainwright` and one of these: the arguments and the rest."""
    split = [one.partition("\n")[::2] for one in blocks(name)]
    found = []
    for command in commands:
        calls = [(first, shown) for first, shown in split if _is_call(first, command)]
        assert calls, f"{name} shows no `trainwright {command}`"
        found += [(first.removeprefix("$ trainwright "), shown) for first, shown in calls]
    return found


def blocks_that_no_test_holds() -> Iterator[tuple[str, str]]:
    """The page and the block of each that no test under tests/ asks for by what is written there.

    What a test computes is not seen: the page and the beginning have to stand in its file.
    """
    asked = [*_asked_for()]
    for path in (REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").rglob("*.md"))):
        name = str(path.relative_to(REPOSITORY))
        for one in blocks(name):
            first = one.partition("\n")[0]
            if not any(
                name == asked_name
                and (
                    _has_line(one, texts[0])
                    if function == "block"
                    else any(_is_call(first, command) for command in texts)
                )
                for function, asked_name, *texts in asked
            ):
                yield name, one


def _asked_for() -> Iterator[list[str]]:
    """The calls of the two functions in all tests, each with its arguments."""
    for path in (REPOSITORY / "tests").rglob("test_*.py"):
        source = path.read_text(encoding="utf-8")
        if "documented_output" not in source:
            continue
        for node in ast.walk(ast.parse(source)):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in ("block", "blocks_of_commands")
            ):
                texts = [one.value for one in node.args if isinstance(one, ast.Constant)]
                if len(texts) == len(node.args):
                    yield [node.func.id, *texts]


def _has_line(shown: str, beginning: str) -> bool:
    return any(line.startswith(beginning) for line in shown.splitlines())


def _is_call(line: str, command: str) -> bool:
    return f"{line} ".startswith(f"$ trainwright {command} ")


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
    line for the rest of it, as `…` does where a terminal has cut it. `replaced` says what the block
    calls otherwise, such as directories."""
    text = printed if isinstance(printed, str) else "\n".join(printed)
    lines = [masked(line, {}) for line in text.splitlines()]
    for line in filter(None, shown.splitlines()):
        wanted = masked(line, replaced or {})
        if wanted.endswith(("...", "…")):
            found = any(one.startswith(wanted.rstrip(".…").rstrip()) for one in lines)
        else:
            found = wanted in lines
        assert found, f"{wanted!r} is not printed:\n" + "\n".join(lines)


def assert_sentence(shown: str, said: str) -> None:
    """The block is in what is said, however its lines are broken."""
    assert " ".join(shown.split()) in " ".join(said.split())
