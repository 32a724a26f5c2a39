"""Errors of a metadata store, with the status codes of gRPC: what programs catch."""

from __future__ import annotations

from typing import ClassVar

OK = 0
CANCELLED = 1
UNKNOWN = 2
INVALID_ARGUMENT = 3
DEADLINE_EXCEEDED = 4
NOT_FOUND = 5
ALREADY_EXISTS = 6
PERMISSION_DENIED = 7
RESOURCE_EXHAUSTED = 8
FAILED_PRECONDITION = 9
ABORTED = 10
OUT_OF_RANGE = 11
UNIMPLEMENTED = 12
INTERNAL = 13
UNAVAILABLE = 14
DATA_LOSS = 15
UNAUTHENTICATED = 16


class StatusError(Exception):
    """What a store could not do: `message` says it, `error_code` is the gRPC status."""

    def __init__(self, message: str, error_code: int) -> None:
        super().__init__(message)
        self.message = message
        self.error_code = error_code

    def __reduce__(self) -> tuple[type[StatusError], tuple[object, ...]]:
        return type(self), (self.message, self.error_code)


class UnknownError(StatusError):
    """The store failed with a status of no class of its own."""

    def __init__(self, message: str, error_code: int = UNKNOWN) -> None:
        super().__init__(message, error_code)


class _OneStatusError(StatusError):
    """Base of the errors that stand for one status: they are made of the message alone."""

    CODE: ClassVar[int]

    def __init__(self, message: str) -> None:
        super().__init__(message, self.CODE)

    def __reduce__(self) -> tuple[type[StatusError], tuple[object, ...]]:
        return type(self), (self.message,)


class CancelledError(_OneStatusError):
    """The operation was cancelled."""

    CODE = CANCELLED


class InvalidArgumentError(_OneStatusError):
    """A request makes no sense to the store: a wrong type, a missing id, a bad query."""

    CODE = INVALID_ARGUMENT


class DeadlineExceededError(_OneStatusError):
    """The operation took longer than it was given."""

    CODE = DEADLINE_EXCEEDED


class NotFoundError(_OneStatusError):
    """Nothing is stored under the id or the name."""

    CODE = NOT_FOUND


class AlreadyExistsError(_OneStatusError):
    """A record with the same name, or a type with other properties, is stored already."""

    CODE = ALREADY_EXISTS


class PermissionDeniedError(_OneStatusError):
    """The store may not be changed by this caller."""

    CODE = PERMISSION_DENIED


class UnauthenticatedError(_OneStatusError):
    """The caller has not said who it is."""

    CODE = UNAUTHENTICATED


class ResourceExhaustedError(_OneStatusError):
    """Something ran out: a quota, a disk."""

    CODE = RESOURCE_EXHAUSTED


class FailedPreconditionError(_OneStatusError):
    """The record has changed since the caller read it, or the store is of another version."""

    CODE = FAILED_PRECONDITION


class AbortedError(_OneStatusError):
    """Another transaction was in the way; trying again may help."""

    CODE = ABORTED


class OutOfRangeError(_OneStatusError):
    """The operation went past the end."""

    CODE = OUT_OF_RANGE


class UnimplementedError(_OneStatusError):
    """The store does not know this operation."""

    CODE = UNIMPLEMENTED


class InternalError(_OneStatusError):
    """The database failed."""

    CODE = INTERNAL


class UnavailableError(_OneStatusError):
    """The store cannot be reached now."""

    CODE = UNAVAILABLE


class DataLossError(_OneStatusError):
    """What is stored is damaged."""

    CODE = DATA_LOSS


_CLASSES: dict[int, type[StatusError]] = {
    UNKNOWN: UnknownError,
    **{one.CODE: one for one in _OneStatusError.__subclasses__()},
}


def exception_type_from_error_code(error_code: int) -> type[StatusError]:
    """The class of a status; KeyError if no class has it."""
    return _CLASSES[error_code]


def make_exception(message: str, error_code: int) -> StatusError:
    """The exception of a status, an UnknownError where no class has it."""
    # All classes in the table can be made of a message.
    return _CLASSES.get(error_code, UnknownError)(message)  # type: ignore[call-arg]
