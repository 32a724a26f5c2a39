"""`trainwright.compat.components.transform_executor_utils` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.components.transform_executor_utils import (
        GetCachePathEntry as GetCachePathEntry,
    )
    from trainwright.compat.components.transform_executor_utils import (
        GetSplitPaths as GetSplitPaths,
    )
    from trainwright.compat.components.transform_executor_utils import (
        GetStatsOutputPathEntries as GetStatsOutputPathEntries,
    )
    from trainwright.compat.components.transform_executor_utils import (
        MatchNumberOfTransformedExamplesArtifacts as MatchNumberOfTransformedExamplesArtifacts,
    )
    from trainwright.compat.components.transform_executor_utils import (
        MaybeBindCustomConfig as MaybeBindCustomConfig,
    )
    from trainwright.compat.components.transform_executor_utils import (
        ResolveSplitsConfig as ResolveSplitsConfig,
    )
    from trainwright.compat.components.transform_executor_utils import (
        SetSplitNames as SetSplitNames,
    )
    from trainwright.compat.components.transform_executor_utils import (
        ValidateOnlyOneSpecified as ValidateOnlyOneSpecified,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.components.transform_executor_utils": (
                "GetCachePathEntry",
                "GetSplitPaths",
                "GetStatsOutputPathEntries",
                "MatchNumberOfTransformedExamplesArtifacts",
                "MaybeBindCustomConfig",
                "ResolveSplitsConfig",
                "SetSplitNames",
                "ValidateOnlyOneSpecified",
            ),
        },
    )
