"""RequestError: what a client is told, with the status code of TensorFlow Serving."""

from __future__ import annotations

from http import HTTPStatus

from trainwright._errors import TrainwrightError

# How much of a part of a request an error repeats.
_LONGEST_REPEATED = 100


class RequestError(TrainwrightError, ValueError):
    """A request that is not answered with a result.

    Args:
        message: What was received, what was expected and how to fix it.
        status: Of the answer; 400 for what the client has to mend.
    """

    def __init__(self, message: str, status: HTTPStatus = HTTPStatus.BAD_REQUEST) -> None:
        super().__init__(message)
        self.status = status


def cut(text: str) -> str:
    """A part of a request as an error may repeat it: clients send what they like."""
    return text if len(text) <= _LONGEST_REPEATED else f"{text[:_LONGEST_REPEATED]}..."


class ModelLoadError(TrainwrightError, ValueError):
    """A version that cannot be served; the message says why."""
