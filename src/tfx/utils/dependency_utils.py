"""`trainwright.compat.utils.dependency_utils` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.utils.dependency_utils import (
        build_ephemeral_package as build_ephemeral_package,
    )
    from trainwright.compat.utils.dependency_utils import (
        make_beam_dependency_flags as make_beam_dependency_flags,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.utils.dependency_utils": (
                "build_ephemeral_package",
                "make_beam_dependency_flags",
            ),
        },
    )
