"""Visualizations of the standard artifacts."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.notebook.visualizations import (
        STANDARD_VISUALIZATIONS as STANDARD_VISUALIZATIONS,
    )
    from trainwright.notebook.visualizations import (
        ExampleAnomaliesVisualization as ExampleAnomaliesVisualization,
    )
    from trainwright.notebook.visualizations import (
        ExampleStatisticsVisualization as ExampleStatisticsVisualization,
    )
    from trainwright.notebook.visualizations import (
        ModelEvaluationVisualization as ModelEvaluationVisualization,
    )
    from trainwright.notebook.visualizations import SchemaVisualization as SchemaVisualization
    from trainwright.notebook.visualizations import (
        register_standard_visualizations as register_standard_visualizations,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.notebook.visualizations": (
                "ExampleAnomaliesVisualization",
                "ExampleStatisticsVisualization",
                "ModelEvaluationVisualization",
                "STANDARD_VISUALIZATIONS",
                "SchemaVisualization",
                "register_standard_visualizations",
            ),
        },
    )
