"""Parts of the DSL that TFX may still change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.types.runtime_parameter import RuntimeParameter as RuntimeParameter
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "RuntimeParameter": "trainwright.types.runtime_parameter:RuntimeParameter",
        },
        missing=(
            "LatestArtifactStrategy",
            "LatestBlessedModelStrategy",
            "ResolverStrategy",
            "SpanRangeStrategy",
            "create_container_component",
        ),
    )
