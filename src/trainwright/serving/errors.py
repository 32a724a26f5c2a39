"""RequestError: what a client is told, with the status code of TensorFlow Serving."""

from __future__ import annotations

from http import HTTPStatus


class RequestError(Exception):
    """A request that is not answered with a result.

    Args:
        message: What was received, what was expected and how to fix it.
        status: Of the answer; 400 for what the client has to mend.
    """

    def __init__(self, message: str, status: HTTPStatus = HTTPStatus.BAD_REQUEST) -> None:
        super().__init__(message)
        self.status = status


class ModelLoadError(Exception):
    """A version that cannot be served; the message says why."""
