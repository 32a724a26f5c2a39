"""`trainwright.types.placeholders.artifact_placeholder` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.types.placeholders.artifact_placeholder import (
        ArtifactPlaceholder as ArtifactPlaceholder,
    )
    from trainwright.types.placeholders.artifact_placeholder import input as input
    from trainwright.types.placeholders.artifact_placeholder import output as output
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.types.placeholders.artifact_placeholder": (
                "ArtifactPlaceholder",
                "input",
                "output",
            ),
        },
    )
