"""Numbers beyond float32, which is all that a tf.Example has: they become infinite, and are told.

TFX writes them as infinities, too, and says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

_SHOWN = 5


@dataclass
class Overflows:
    """How many numbers of each feature became infinite, and one of them with its place."""

    found: dict[str, tuple[int, str]] = field(default_factory=dict)

    def add(self, feature: str, count: int, example: str) -> None:
        before, first = self.found.get(feature, (0, example))
        self.found[feature] = before + count, first

    def merge(self, other: Overflows) -> None:
        for feature, (count, example) in other.found.items():
            self.add(feature, count, example)

    def in_words(self) -> Iterator[str]:
        """A sentence for each of the first features, and one for the others."""
        for name in sorted(self.found)[:_SHOWN]:
            count, example = self.found[name]
            numbers = "1 number is" if count == 1 else f"{count} numbers are"
            yield (
                f"Feature {name!r}: {numbers} too large for float32, which ends at 3.4e38, and "
                f"became infinite: for example {example}. Scale the column, or leave such values "
                "empty."
            )
        if len(self.found) > _SHOWN:
            yield f"Numbers of {len(self.found) - _SHOWN} more features became infinite as well."

    def to_json(self) -> dict[str, Any]:
        return dict(self.found)

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Overflows:
        return cls({feature: (count, example) for feature, (count, example) in fields.items()})
