"""Look-ups in a metadata store."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.orchestration.portable.mlmd import artifact_lib as artifact_lib
    from tfx.orchestration.portable.mlmd import common_utils as common_utils
    from tfx.orchestration.portable.mlmd import context_lib as context_lib
    from tfx.orchestration.portable.mlmd import event_lib as event_lib
    from tfx.orchestration.portable.mlmd import execution_lib as execution_lib
    from tfx.orchestration.portable.mlmd import filter_query_builder as filter_query_builder
    from tfx.orchestration.portable.mlmd import store_ext as store_ext
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        public_modules=(
            "artifact_lib",
            "common_utils",
            "context_lib",
            "event_lib",
            "execution_lib",
            "filter_query_builder",
            "store_ext",
        ),
    )
