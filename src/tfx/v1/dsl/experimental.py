"""Parts of the DSL that TFX may still change."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.dsl.containers.container_component import (
        create_container_component as create_container_component,
    )
    from trainwright.dsl.resolver_strategy import ResolverStrategy as ResolverStrategy
    from trainwright.dsl.strategies.latest_artifact_strategy import (
        LatestArtifactStrategy as LatestArtifactStrategy,
    )
    from trainwright.dsl.strategies.latest_blessed_model_strategy import (
        LatestBlessedModelStrategy as LatestBlessedModelStrategy,
    )
    from trainwright.dsl.strategies.span_range_strategy import (
        SpanRangeStrategy as SpanRangeStrategy,
    )
    from trainwright.types.runtime_parameter import RuntimeParameter as RuntimeParameter
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.dsl.containers.container_component": ("create_container_component",),
            "trainwright.dsl.resolver_strategy": ("ResolverStrategy",),
            "trainwright.dsl.strategies.latest_artifact_strategy": ("LatestArtifactStrategy",),
            "trainwright.dsl.strategies.latest_blessed_model_strategy": (
                "LatestBlessedModelStrategy",
            ),
            "trainwright.dsl.strategies.span_range_strategy": ("SpanRangeStrategy",),
            "trainwright.types.runtime_parameter": ("RuntimeParameter",),
        },
    )
