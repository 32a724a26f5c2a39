"""`trainwright.compat.input_resolution.canned_resolver_functions` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.input_resolution.canned_resolver_functions import all_spans as all_spans
    from trainwright.compat.input_resolution.canned_resolver_functions import (
        filter_custom_property_equal as filter_custom_property_equal,
    )
    from trainwright.compat.input_resolution.canned_resolver_functions import (
        filter_property_equal as filter_property_equal,
    )
    from trainwright.compat.input_resolution.canned_resolver_functions import (
        latest_created as latest_created,
    )
    from trainwright.compat.input_resolution.canned_resolver_functions import (
        latest_pipeline_run_outputs as latest_pipeline_run_outputs,
    )
    from trainwright.compat.input_resolution.canned_resolver_functions import (
        latest_version as latest_version,
    )
    from trainwright.compat.input_resolution.canned_resolver_functions import (
        paired_spans as paired_spans,
    )
    from trainwright.compat.input_resolution.canned_resolver_functions import pick as pick
    from trainwright.compat.input_resolution.canned_resolver_functions import (
        rolling_range as rolling_range,
    )
    from trainwright.compat.input_resolution.canned_resolver_functions import (
        sequential_rolling_range as sequential_rolling_range,
    )
    from trainwright.compat.input_resolution.canned_resolver_functions import shuffle as shuffle
    from trainwright.compat.input_resolution.canned_resolver_functions import slice as slice
    from trainwright.compat.input_resolution.canned_resolver_functions import (
        sliding_window as sliding_window,
    )
    from trainwright.compat.input_resolution.canned_resolver_functions import (
        static_range as static_range,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.input_resolution.canned_resolver_functions": (
                "all_spans",
                "filter_custom_property_equal",
                "filter_property_equal",
                "latest_created",
                "latest_pipeline_run_outputs",
                "latest_version",
                "paired_spans",
                "pick",
                "rolling_range",
                "sequential_rolling_range",
                "shuffle",
                "slice",
                "sliding_window",
                "static_range",
            ),
        },
    )
