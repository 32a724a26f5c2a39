"""Reasons why a model could not be validated; TFX's names."""

from __future__ import annotations

from trainwright._errors import TrainwrightError


class InfraValidationError(TrainwrightError, RuntimeError):
    """Base of them all: one attempt at a validation failed."""


class DeadlineExceeded(InfraValidationError):  # noqa: N818  TFX's name
    """The server was not ready in time."""


class JobAborted(InfraValidationError):  # noqa: N818
    """The server ended before it was asked to."""


class ValidationFailed(InfraValidationError):  # noqa: N818
    """The server cannot load the model, or the model does not answer.

    Args:
        message: What the server says.
        is_final: Whether another attempt would end in the same way.
    """

    def __init__(self, message: str, *, is_final: bool = False) -> None:
        super().__init__(message)
        self.is_final = is_final


class GracefulShutdown(InfraValidationError):  # noqa: N818
    """The validation was asked to end."""
