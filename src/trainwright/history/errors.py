"""Errors for what is asked for and not there."""

from __future__ import annotations

from trainwright._errors import TrainwrightError


class NotInHistoryError(TrainwrightError, LookupError):
    """A run, a node, an execution, an artifact or a log that is not there; the message says which
    there are, or what to do."""
