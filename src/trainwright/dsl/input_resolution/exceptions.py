"""Exceptions of operators and strategies that cannot choose inputs, or will not.

The numbers are those of gRPC's status codes, by which TFX's orchestrators tell the errors apart.
"""

from __future__ import annotations

import enum
from typing import ClassVar


class StatusCode(enum.Enum):
    """The status codes of gRPC that errors here have, with gRPC's names and values."""

    UNKNOWN = (2, "unknown")
    INVALID_ARGUMENT = (3, "invalid argument")
    FAILED_PRECONDITION = (9, "failed precondition")
    UNIMPLEMENTED = (12, "unimplemented")
    INTERNAL = (13, "internal")


class InputResolutionError(Exception):
    """Inputs could not be chosen."""

    grpc_code: ClassVar[StatusCode] = StatusCode.UNKNOWN

    @property
    def grpc_code_value(self) -> int:
        return self.grpc_code.value[0]


class InvalidArgument(InputResolutionError):  # noqa: N818, TFX's name
    """A value that the user gave is not possible."""

    grpc_code = StatusCode.INVALID_ARGUMENT


class FailedPreconditionError(InputResolutionError):
    """Something that must hold before does not."""

    grpc_code = StatusCode.FAILED_PRECONDITION


class InsufficientInputError(FailedPreconditionError):
    """There are fewer artifacts than needed."""


class InternalError(InputResolutionError):
    """Something else went wrong on the way."""

    grpc_code = StatusCode.INTERNAL


class UnimplementedError(InputResolutionError):
    """The graph asks for what is not there."""

    grpc_code = StatusCode.UNIMPLEMENTED


class InputResolutionSignal(Exception):  # noqa: N818, TFX's name
    """Not an error: the inputs are left out on purpose."""


class SkipSignal(InputResolutionSignal):
    """The node is to be skipped, as under a condition that does not hold."""
