"""Helpers of components, under TFX's paths."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.components.util import examples_utils as examples_utils
    from tfx.components.util import model_utils as model_utils
    from tfx.components.util import tfxio_utils as tfxio_utils
    from tfx.components.util import udf_utils as udf_utils
    from tfx.components.util import value_utils as value_utils
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=("examples_utils", "model_utils", "tfxio_utils", "udf_utils", "value_utils"),
    )
