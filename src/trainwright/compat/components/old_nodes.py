"""ResolverNode and ImporterNode: what Resolver and Importer were called before TFX 0.30."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trainwright._deprecation import warn_deprecated
from trainwright.dsl.importer import Importer
from trainwright.dsl.resolver import Resolver
from trainwright.dsl.resolver_strategy import ResolverStrategy
from trainwright.types.channel import BaseChannel


class ResolverNode(Resolver):
    """A Resolver with the arguments that it had before TFX 0.30.

    Args:
        instance_name: The node's id.
        resolver_class: The strategy.
        resolver_configs: The arguments of its constructor.
        **kwargs: The channels.

    Example:
        ```python
        ResolverNode(
            instance_name="latest_blessed_model_resolver",
            resolver_class=LatestBlessedModelResolver,
            model=Channel(type=Model),
            model_blessing=Channel(type=ModelBlessing),
        )
        ```
    """

    def __init__(
        self,
        instance_name: str | None = None,
        resolver_class: type[ResolverStrategy] | None = None,
        resolver_configs: Mapping[str, Any] | None = None,
        **kwargs: BaseChannel,
    ) -> None:
        warn_deprecated("ResolverNode is of TFX before 0.30; use Resolver.")
        named: dict[str, Any] = {} if instance_name is None else {"instance_name": instance_name}
        super().__init__(resolver_class, resolver_configs, **named, **kwargs)


class ImporterNode(Importer):
    """An Importer under the name that it had before TFX 0.30, with the id as first argument.

    Example: `ImporterNode("schema", source_uri="schema", artifact_type=Schema)`
    """

    def __init__(
        self,
        instance_name: str | None = None,
        source_uri: Any = None,
        artifact_type: Any = None,
        reimport: bool = False,
        properties: Mapping[str, Any] | None = None,
        custom_properties: Mapping[str, Any] | None = None,
    ) -> None:
        warn_deprecated("ImporterNode is of TFX before 0.30; use Importer.")
        super().__init__(
            source_uri=source_uri,
            artifact_type=artifact_type,
            reimport=reimport,
            properties=properties,
            custom_properties=custom_properties,
            instance_name=instance_name,
        )
