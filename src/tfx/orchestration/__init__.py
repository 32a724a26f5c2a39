"""How pipelines are run, under TFX's older paths."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.orchestration import data_types as data_types
    from tfx.orchestration import local as local
    from tfx.orchestration import metadata as metadata
    from tfx.orchestration import pipeline as pipeline
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=("data_types", "local", "metadata", "pipeline"),
    )
