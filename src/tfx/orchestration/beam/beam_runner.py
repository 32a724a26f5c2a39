"""BeamDagRunner under the name of TFX 0.13."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.runners.dag_runners import BeamDagRunner as _BeamRunner_

    BeamRunner = _BeamRunner_
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.runners.dag_runners": ("BeamDagRunner as BeamRunner",),
        },
    )
