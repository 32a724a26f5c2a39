"""LatestArtifactStrategy: the newest artifacts of each channel."""

from __future__ import annotations

from typing import Any

from trainwright._checks import check_integer
from trainwright.dsl.resolver_strategy import Artifacts, ResolverStrategy


class LatestArtifactStrategy(ResolverStrategy):
    """Chooses the newest artifacts; nothing at all unless every channel has enough of them.

    Args:
        desired_num_of_artifacts: How many to choose from each channel, newest first.
    """

    def __init__(self, desired_num_of_artifacts: int = 1) -> None:
        self._wanted = check_integer("desired_num_of_artifacts", desired_num_of_artifacts, least=1)

    def resolve_artifacts(self, store: Any, input_dict: Artifacts) -> Artifacts | None:
        if any(len(found) < self._wanted for found in input_dict.values()):
            return None
        return {
            key: sorted(found, key=lambda artifact: artifact.id, reverse=True)[: self._wanted]
            for key, found in input_dict.items()
        }
