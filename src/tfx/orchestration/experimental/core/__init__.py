"""Constants and messages of TFX's own orchestrator, which is not here."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.orchestration.experimental.core import constants as constants
    from tfx.orchestration.experimental.core import task_gen_utils as task_gen_utils
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=("constants", "task_gen_utils"),
    )
