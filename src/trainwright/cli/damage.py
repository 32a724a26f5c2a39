"""Rows of a store that are damaged: a command names them and goes on with the others."""

from __future__ import annotations

import json
from types import TracebackType

import click

from trainwright.cli import exit_codes
from trainwright.cli.output import echo


class DamageReport:
    """Collects what is damaged; at its end it is told, and the command's exit code is 1.

    Example: `with DamageReport(as_json) as damage: store.get_contexts(on_damaged=damage.note)`
    """

    def __init__(self, as_json: bool) -> None:
        self._as_json = as_json
        self._messages: dict[str, None] = {}  # a row may be read more than once

    def note(self, error: Exception | str) -> None:
        self._messages[str(error)] = None

    def __enter__(self) -> DamageReport:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for message in self._messages:
            document = {"error": message, "exit_code": exit_codes.FAILED}
            echo(json.dumps(document) if self._as_json else message, err=True)
        if self._messages and error is None:
            click.get_current_context().exit(exit_codes.FAILED)
