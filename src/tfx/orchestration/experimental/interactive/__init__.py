"""TFX's paths to running in notebooks."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.orchestration.experimental.interactive import execution_result as execution_result
    from tfx.orchestration.experimental.interactive import (
        interactive_context as interactive_context,
    )
    from tfx.orchestration.experimental.interactive import (
        notebook_extensions as notebook_extensions,
    )
    from tfx.orchestration.experimental.interactive import (
        notebook_formatters as notebook_formatters,
    )
    from tfx.orchestration.experimental.interactive import notebook_utils as notebook_utils
    from tfx.orchestration.experimental.interactive import (
        standard_visualizations as standard_visualizations,
    )
    from tfx.orchestration.experimental.interactive import visualizations as visualizations
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=(
            "execution_result",
            "interactive_context",
            "notebook_extensions",
            "notebook_formatters",
            "notebook_utils",
            "standard_visualizations",
            "visualizations",
        ),
    )
