"""Running pipelines on this machine."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.orchestration.local import legacy as legacy
    from tfx.orchestration.local import local_dag_runner as local_dag_runner
    from tfx.orchestration.local import runner_utils as runner_utils
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=("legacy", "local_dag_runner", "runner_utils"),
    )
