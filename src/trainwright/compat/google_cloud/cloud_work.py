"""What is said where a pipeline asks for work on Google Cloud."""

from __future__ import annotations


def needs_google_cloud(work: str, instead: str) -> str:
    """Why something cannot be done here, and what can.

    Args:
        work: What is asked for, with its verb.
        instead: What to use, as a sentence.
    """
    return (
        f"{work} needs Google Cloud, TFX and an account there; Trainwright works on this machine. "
        f"{instead}"
    )
