"""Status codes of operations, numbered as `google.rpc.Code`."""

from __future__ import annotations

import enum
from dataclasses import dataclass


@enum.unique
class Code(enum.IntEnum):
    """The codes of `google.rpc.Code`."""

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


@dataclass(frozen=True)
class Status:
    """How an operation ended: one of `Code`, and words about it."""

    code: int
    message: str | None = None


class StatusNotOkError(Exception):
    """An operation that ended with another code than OK."""

    def __init__(self, code: int, message: str) -> None:
        self.code = code
        self.message = message
        super().__init__(f"Error ({code}): {message}")

    def status(self) -> Status:
        return Status(code=self.code, message=self.message)
