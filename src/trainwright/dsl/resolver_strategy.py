"""ResolverStrategy: how a Resolver chooses among the artifacts that there are."""

from __future__ import annotations

import abc
from collections.abc import Mapping
from typing import Any, ClassVar

from trainwright.types.artifact import Artifact

Artifacts = dict[str, list[Artifact]]


class ResolverStrategy(abc.ABC):
    """Base of strategies. A subclass of your own is given to a Resolver like one of ours:

    >>> class OldestStrategy(ResolverStrategy):
    ...     def resolve_artifacts(self, store, input_dict):
    ...         return {key: found[-1:] for key, found in input_dict.items()}

    A strategy runs in the runner's process, so it should be quick.
    """

    # The name to use instead, if this one is deprecated.
    NEWER_NAME: ClassVar[str | None] = None

    @classmethod  # noqa: B027
    def check_channels(cls, types: Mapping[str, type[Artifact]]) -> None:
        """Refuses channels of types that the strategy has no use for, when they are declared."""

    @abc.abstractmethod
    def resolve_artifacts(self, store: Any, input_dict: Artifacts) -> Artifacts | None:
        """Chooses artifacts for each key.

        Args:
            store: The metadata store, for reading: `get_artifacts`, `get_executions`,
                `get_events`, `get_contexts` and the other questions of `MetadataStore`.
            input_dict: What there is of each channel, newest first: published artifacts of this
                pipeline whose files are whole.

        Returns:
            The chosen artifacts by key. A key that is left out has none; None is none at all.
        """
