"""`trainwright.compat.utils.telemetry` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.utils.telemetry import LABEL_KFP_SDK_ENV as LABEL_KFP_SDK_ENV
    from trainwright.compat.utils.telemetry import LABEL_TFX_EXECUTOR as LABEL_TFX_EXECUTOR
    from trainwright.compat.utils.telemetry import LABEL_TFX_RUNNER as LABEL_TFX_RUNNER
    from trainwright.compat.utils.telemetry import TFXHttpRequest as TFXHttpRequest
    from trainwright.compat.utils.telemetry import make_beam_labels_args as make_beam_labels_args
    from trainwright.compat.utils.telemetry import make_labels_dict as make_labels_dict
    from trainwright.compat.utils.telemetry import noop_telemetry as noop_telemetry
    from trainwright.compat.utils.telemetry import scoped_labels as scoped_labels
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.utils.telemetry": (
                "LABEL_KFP_SDK_ENV",
                "LABEL_TFX_EXECUTOR",
                "LABEL_TFX_RUNNER",
                "TFXHttpRequest",
                "make_beam_labels_args",
                "make_labels_dict",
                "noop_telemetry",
                "scoped_labels",
            ),
        },
    )
