"""LatestArtifactStrategy: the newest artifacts of each channel."""

from __future__ import annotations

from typing import Any

from trainwright.dsl.resolver_strategy import Artifacts, ResolverStrategy


class LatestArtifactStrategy(ResolverStrategy):
    """Chooses the newest artifacts; nothing at all unless every channel has enough of them.

    Args:
        desired_num_of_artifacts: How many to choose from each channel, newest first.
    """

    def __init__(self, desired_num_of_artifacts: int = 1) -> None:
        if not isinstance(desired_num_of_artifacts, int) or desired_num_of_artifacts < 1:
            raise ValueError(
                f"desired_num_of_artifacts must be 1 or more, got {desired_num_of_artifacts!r}."
            )
        self._wanted = desired_num_of_artifacts

    def resolve_artifacts(self, store: Any, input_dict: Artifacts) -> Artifacts | None:
        if any(len(found) < self._wanted for found in input_dict.values()):
            return None
        return {
            key: sorted(found, key=lambda artifact: artifact.id, reverse=True)[: self._wanted]
            for key, found in input_dict.items()
        }
