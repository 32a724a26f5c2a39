"""Deprecated functions and names of classes."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright._deprecation import TfxDeprecationWarning as TfxDeprecationWarning
    from trainwright._deprecation import deprecated as deprecated
    from trainwright._deprecation import deprecated_alias as deprecated_alias
    from trainwright._deprecation import (
        get_first_nondeprecated_class as get_first_nondeprecated_class,
    )
    from trainwright._deprecation import warn_deprecated as warn_deprecated
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright._deprecation": (
                "TfxDeprecationWarning",
                "deprecated",
                "deprecated_alias",
                "get_first_nondeprecated_class",
                "warn_deprecated",
            ),
        },
    )
