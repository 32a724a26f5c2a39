"""`trainwright.compat.utils.model_server_paths` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.utils.model_server_paths import make_model_path as make_model_path
    from trainwright.compat.utils.model_server_paths import (
        parse_model_base_path as parse_model_base_path,
    )
    from trainwright.compat.utils.model_server_paths import parse_model_path as parse_model_path
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.utils.model_server_paths": (
                "make_model_path",
                "parse_model_base_path",
                "parse_model_path",
            ),
        },
    )
