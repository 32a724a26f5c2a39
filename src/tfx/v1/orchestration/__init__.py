"""Runners of pipelines."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.v1.orchestration import experimental as experimental
    from tfx.v1.orchestration import metadata as metadata
    from trainwright.compat.runners.dag_runners import LocalDagRunner as LocalDagRunner
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.runners.dag_runners": ("LocalDagRunner",),
        },
        public_modules=("experimental", "metadata"),
    )
