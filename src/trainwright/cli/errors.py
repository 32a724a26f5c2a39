"""Errors that end a command with one sentence."""

from __future__ import annotations

import click

from trainwright.cli import exit_codes


class WrongQuestionError(click.ClickException):
    """What was asked for is not there, or the input is wrong; the message says what to do."""

    exit_code = exit_codes.USAGE_ERROR
