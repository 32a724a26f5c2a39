"""`trainwright check`: what of a TFX project is here, without running any of it."""

from __future__ import annotations

import collections
import os
import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from trainwright import _keras_choice
from trainwright._printable import printable_line
from trainwright.cli import exit_codes
from trainwright.cli.errors import WrongQuestionError
from trainwright.cli.output import WIDTH, echo, json_option, print_heading, print_json

if TYPE_CHECKING:
    from trainwright.compat.project_check.file_check import Finding


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(), metavar="FILE...")
@click.option("--problems", is_flag=True, help="Leave out what is here.")
@json_option
def check(paths: tuple[str, ...], problems: bool, as_json: bool) -> None:
    """Say what TFX code takes from TFX, and whether it is here.

    Reads .py files and notebooks, also all in a directory, and runs none of their code. Each line
    of the table is a name, an argument or a path that a file uses, and what to do about it.

    \b
    trainwright check pipeline.py trainer_module.py
    trainwright check --problems my_project/

    Exit code: 0 if everything is here, 1 if something is not, 2 if a path cannot be read.
    """
    from trainwright.compat.project_check.file_check import check_file
    from trainwright.compat.project_check.source_files import find_sources

    try:
        sources = find_sources(paths)
    except (OSError, ValueError) as error:
        raise WrongQuestionError(str(error)) from error
    if not sources:
        raise WrongQuestionError("There are no .py files and no notebooks in what was given.")
    # Or `tfx`, whose modules are asked, would say which Keras it has chosen.
    os.environ.setdefault(_keras_choice.VARIABLE, _keras_choice.choice_for_workers())
    own = {os.path.splitext(os.path.basename(path))[0] for path in sources}
    found = {path: check_file(path, own) for path in sources}
    count = sum(one.verdict.is_problem for findings in found.values() for one in findings)
    shown = {
        path: [one for one in findings if one.verdict.is_problem or not problems]
        for path, findings in found.items()
    }
    if as_json:
        print_json({"files": shown, "problems": count})
    else:
        _show(shown)
        _summarize(found, count)
    if count:
        click.get_current_context().exit(exit_codes.FAILED)


def _show(found: Mapping[str, list[Finding]]) -> None:
    for path, findings in found.items():
        if findings:
            print_heading(path)
            _print_findings(findings)


def _print_findings(findings: list[Finding]) -> None:
    """A table whose advice stands below what it is about: names are long, and so is advice."""
    line_width = max(len("LINE"), *(len(one.line) for one in findings))
    verdict_width = max(len("VERDICT"), *(len(one.verdict.value) for one in findings))

    def row(line: str, verdict: str, rest: str) -> str:
        return f"{line.ljust(line_width)}  {verdict.ljust(verdict_width)}  {rest}"

    echo(row("LINE", "VERDICT", "WHAT, AND WHAT TO DO"), bold=True)
    indent = row("", "", "  ")
    told: dict[str, str] = {}  # the line at which each advice stands
    for one in findings:
        echo(row(one.line, one.verdict.value, printable_line(one.what)))
        advice = printable_line(one.advice)
        if advice in told:
            echo(f"{indent}As in {told[advice]}.")
        elif advice:
            told[advice] = f"line {one.line}" if one.line.isdigit() else one.line
            echo(textwrap.fill(advice, WIDTH, initial_indent=indent, subsequent_indent=indent))


def _summarize(found: Mapping[str, list[Finding]], problems: int) -> None:
    from trainwright.compat.project_check.file_check import SupportStatus

    counted = collections.Counter(one.verdict for listed in found.values() for one in listed)
    parts = [f"{counted[one]} {one.value}" for one in SupportStatus if counted[one]]
    counts = ", ".join(parts) or "it takes nothing from TFX"
    files = f"{len(found)} file{'s' if len(found) != 1 else ''}"
    ending = "" if problems else " Nothing stands in the way."
    echo(f"\n{files}: {counts}.{ending}")
