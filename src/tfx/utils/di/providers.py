"""`trainwright.compat.utils.dependency_injection` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.utils.dependency_injection import ClassProvider as ClassProvider
    from trainwright.compat.utils.dependency_injection import (
        NamedClassProvider as NamedClassProvider,
    )
    from trainwright.compat.utils.dependency_injection import Provider as Provider
    from trainwright.compat.utils.dependency_injection import SingletonProvider as SingletonProvider
    from trainwright.compat.utils.dependency_injection import ValueProvider as ValueProvider
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.utils.dependency_injection": (
                "ClassProvider",
                "NamedClassProvider",
                "Provider",
                "SingletonProvider",
                "ValueProvider",
            ),
        },
    )
