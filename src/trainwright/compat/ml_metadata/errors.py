"""Errors of a metadata store, with the status codes of gRPC: what programs catch."""

from __future__ import annotations

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
        # Subclasses take the message alone.
        simple = type(self) not in (StatusError, UnknownError)
        return type(self), (self.message,) if simple else (self.message, self.error_code)


class UnknownError(StatusError):
    """The store failed with a status of no class of its own."""

    def __init__(self, message: str, error_code: int = UNKNOWN) -> None:
        super().__init__(message, error_code)


class CancelledError(StatusError):
    """The operation was cancelled."""

    def __init__(self, message: str) -> None:
        super().__init__(message, CANCELLED)


class InvalidArgumentError(StatusError):
    """A request makes no sense to the store: a wrong type, a missing id, a bad query."""

    def __init__(self, message: str) -> None:
        super().__init__(message, INVALID_ARGUMENT)


class DeadlineExceededError(StatusError):
    """The operation took longer than it was given."""

    def __init__(self, message: str) -> None:
        super().__init__(message, DEADLINE_EXCEEDED)


class NotFoundError(StatusError):
    """Nothing is stored under the id or the name."""

    def __init__(self, message: str) -> None:
        super().__init__(message, NOT_FOUND)


class AlreadyExistsError(StatusError):
    """A record with the same name, or a type with other properties, is stored already."""

    def __init__(self, message: str) -> None:
        super().__init__(message, ALREADY_EXISTS)


class PermissionDeniedError(StatusError):
    """The store may not be changed by this caller."""

    def __init__(self, message: str) -> None:
        super().__init__(message, PERMISSION_DENIED)


class UnauthenticatedError(StatusError):
    """The caller has not said who it is."""

    def __init__(self, message: str) -> None:
        super().__init__(message, UNAUTHENTICATED)


class ResourceExhaustedError(StatusError):
    """Something ran out: a quota, a disk."""

    def __init__(self, message: str) -> None:
        super().__init__(message, RESOURCE_EXHAUSTED)


class FailedPreconditionError(StatusError):
    """The record has changed since the caller read it, or the store is of another version."""

    def __init__(self, message: str) -> None:
        super().__init__(message, FAILED_PRECONDITION)


class AbortedError(StatusError):
    """Another transaction was in the way; trying again may help."""

    def __init__(self, message: str) -> None:
        super().__init__(message, ABORTED)


class OutOfRangeError(StatusError):
    """The operation went past the end."""

    def __init__(self, message: str) -> None:
        super().__init__(message, OUT_OF_RANGE)


class UnimplementedError(StatusError):
    """The store does not know this operation."""

    def __init__(self, message: str) -> None:
        super().__init__(message, UNIMPLEMENTED)


class InternalError(StatusError):
    """The database failed."""

    def __init__(self, message: str) -> None:
        super().__init__(message, INTERNAL)


class UnavailableError(StatusError):
    """The store cannot be reached now."""

    def __init__(self, message: str) -> None:
        super().__init__(message, UNAVAILABLE)


class DataLossError(StatusError):
    """What is stored is damaged."""

    def __init__(self, message: str) -> None:
        super().__init__(message, DATA_LOSS)


_CLASSES: dict[int, type[StatusError]] = {
    CANCELLED: CancelledError,
    UNKNOWN: UnknownError,
    INVALID_ARGUMENT: InvalidArgumentError,
    DEADLINE_EXCEEDED: DeadlineExceededError,
    NOT_FOUND: NotFoundError,
    ALREADY_EXISTS: AlreadyExistsError,
    PERMISSION_DENIED: PermissionDeniedError,
    RESOURCE_EXHAUSTED: ResourceExhaustedError,
    FAILED_PRECONDITION: FailedPreconditionError,
    ABORTED: AbortedError,
    OUT_OF_RANGE: OutOfRangeError,
    UNIMPLEMENTED: UnimplementedError,
    INTERNAL: InternalError,
    UNAVAILABLE: UnavailableError,
    DATA_LOSS: DataLossError,
    UNAUTHENTICATED: UnauthenticatedError,
}


def exception_type_from_error_code(error_code: int) -> type[StatusError]:
    """The class of a status; KeyError if no class has it."""
    return _CLASSES[error_code]


def make_exception(message: str, error_code: int) -> StatusError:
    """The exception of a status, an UnknownError where no class has it."""
    # All classes in the table can be made of a message.
    return _CLASSES.get(error_code, UnknownError)(message)  # type: ignore[call-arg]
