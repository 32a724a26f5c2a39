"""Visualizations of artifacts in a notebook."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.notebook.visualizations import ArtifactVisualization as ArtifactVisualization
    from trainwright.notebook.visualizations import (
        ArtifactVisualizationRegistry as ArtifactVisualizationRegistry,
    )
    from trainwright.notebook.visualizations import get_registry as get_registry
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.notebook.visualizations": (
                "ArtifactVisualization",
                "ArtifactVisualizationRegistry",
                "get_registry",
            ),
        },
    )
