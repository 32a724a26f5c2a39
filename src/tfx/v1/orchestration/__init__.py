"""How pipelines are run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.orchestration.local.local_dag_runner import LocalDagRunner as LocalDagRunner
    from tfx.v1.orchestration import metadata as metadata
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "LocalDagRunner": "tfx.orchestration.local.local_dag_runner:LocalDagRunner",
            "metadata": "tfx.v1.orchestration.metadata",
        },
        missing=("experimental",),
    )
