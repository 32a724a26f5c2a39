"""Look-ups in a metadata store that TFX's orchestrators share."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.orchestration.portable import cache_utils as cache_utils
    from tfx.orchestration.portable import data_types as data_types
    from tfx.orchestration.portable import execution as execution
    from tfx.orchestration.portable import execution_environ as execution_environ
    from tfx.orchestration.portable import execution_publish_utils as execution_publish_utils
    from tfx.orchestration.portable import input_resolution as input_resolution
    from tfx.orchestration.portable import inputs_utils as inputs_utils
    from tfx.orchestration.portable import merge_utils as merge_utils
    from tfx.orchestration.portable import mlmd as mlmd
    from tfx.orchestration.portable import outputs_utils as outputs_utils
    from tfx.orchestration.portable import runtime_parameter_utils as runtime_parameter_utils
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        public_modules=("mlmd",),
        other_modules=(
            "cache_utils",
            "data_types",
            "execution",
            "execution_environ",
            "execution_publish_utils",
            "input_resolution",
            "inputs_utils",
            "merge_utils",
            "outputs_utils",
            "runtime_parameter_utils",
        ),
    )
