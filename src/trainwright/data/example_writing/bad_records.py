"""Records that cannot be used: skipped as long as there are not more than allowed."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from trainwright._errors import TrainwrightError
from trainwright.engine.engine import InvalidInputError

_logger = logging.getLogger(__name__)

_SHOWN = 5


class RecordError(InvalidInputError):
    """A record cannot be used, and no tolerance helps; the message names the file and the place."""


@dataclass(frozen=True, order=True)
class BadRecord:
    """A record, or all that follows it in its file, that was left out.

    Args:
      path: the file.
      position: where in the file: a byte offset or a line.
      problem: the whole story, in a sentence that names both.
    """

    path: str
    position: int
    problem: str

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


class TooManyBadRecordsError(TrainwrightError, ValueError):
    """More records cannot be used than was allowed."""


@dataclass
class BadRecords:
    """Counts what is left out and refuses the record that is one too many.

    Args:
      limit: how many are allowed.
      noun: what they are called, in the plural: `records` or `rows`.
      argument: the argument that sets the limit.
    """

    limit: int
    noun: str = "records"
    argument: str = "max_bad_records"
    found: list[BadRecord] = field(default_factory=list)

    def __post_init__(self) -> None:
        if isinstance(self.limit, bool) or not isinstance(self.limit, int) or self.limit < 0:
            raise ValueError(
                f"{self.argument} is {self.limit!r}: expected how many bad {self.noun} to skip, "
                "0 or more."
            )

    def add(self, records: Iterable[BadRecord]) -> None:
        """Notes bad records; raises TooManyBadRecordsError if they are more than allowed."""
        for record in records:
            _logger.warning("Skipped: %s", record.problem)
            self.found.append(record)
        if len(self.found) > self.limit:
            raise TooManyBadRecordsError(self._complaint())

    def _complaint(self) -> str:
        found = sorted(self.found)
        if self.limit == 0:
            return (
                f"{found[0].problem} To skip a few bad {self.noun}, and have them counted, set "
                f"{self.argument}."
            )
        shown = "\n".join(f"- {record.problem}" for record in found[:_SHOWN])
        return (
            f"{len(found)} bad {self.noun} so far, and {self.argument} allows {self.limit}. The "
            f"first of them:\n{shown}"
        )
