"""TFX's paths to running in notebooks."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.orchestration.experimental.interactive import (
        interactive_context as interactive_context,
    )
    from tfx.orchestration.experimental.interactive import (
        standard_visualizations as standard_visualizations,
    )
    from tfx.orchestration.experimental.interactive import visualizations as visualizations
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=("interactive_context", "standard_visualizations", "visualizations"),
    )
