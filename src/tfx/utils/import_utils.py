"""`trainwright.compat.utils.import_utils` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.utils.import_utils import _tfx_module_finder as _tfx_module_finder
    from trainwright.compat.utils.import_utils import import_class_by_path as import_class_by_path
    from trainwright.compat.utils.import_utils import (
        import_func_from_module as import_func_from_module,
    )
    from trainwright.compat.utils.import_utils import (
        import_func_from_source as import_func_from_source,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.utils.import_utils": (
                "_tfx_module_finder",
                "import_class_by_path",
                "import_func_from_module",
                "import_func_from_source",
            ),
        },
    )
