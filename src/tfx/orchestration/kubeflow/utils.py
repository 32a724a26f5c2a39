"""`trainwright.compat.runners.kubeflow` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.runners.kubeflow import TFX_DAG_NAME as TFX_DAG_NAME
    from trainwright.compat.runners.kubeflow import fix_brackets as fix_brackets
    from trainwright.compat.runners.kubeflow import (
        replace_exec_properties as replace_exec_properties,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.runners.kubeflow": (
                "TFX_DAG_NAME",
                "fix_brackets",
                "replace_exec_properties",
            ),
        },
    )
