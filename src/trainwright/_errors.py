"""TrainwrightError: the root of the exceptions that are meant for users."""

from __future__ import annotations


class TrainwrightError(Exception):
    """What `except trainwright.TrainwrightError` catches: runs that failed, pipelines that cannot
    run as they are, data, models and stores that cannot be read.

    Each is also of the built-in type that says what it is: a file that is not CSV is a ValueError.
    What is wrong while a pipeline is declared is a plain ValueError or TypeError until it is run.
    """
