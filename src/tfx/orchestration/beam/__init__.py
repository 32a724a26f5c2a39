"""TFX's paths to BeamDagRunner."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.orchestration.beam import beam_dag_runner as beam_dag_runner
    from tfx.orchestration.beam import beam_runner as beam_runner
    from tfx.orchestration.beam import legacy as legacy
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=("beam_dag_runner", "beam_runner", "legacy"),
    )
