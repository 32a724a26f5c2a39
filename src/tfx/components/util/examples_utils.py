"""`trainwright.compat.components.examples_utils` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.components.examples_utils import (
        CUSTOM_SPLIT_PATTERN_PROPERTY_NAME as CUSTOM_SPLIT_PATTERN_PROPERTY_NAME,
    )
    from trainwright.compat.components.examples_utils import (
        get_custom_split_patterns_key_and_property as get_custom_split_patterns_key_and_property,
    )
    from trainwright.compat.components.examples_utils import get_file_format as get_file_format
    from trainwright.compat.components.examples_utils import (
        get_payload_format as get_payload_format,
    )
    from trainwright.compat.components.examples_utils import (
        get_payload_format_string as get_payload_format_string,
    )
    from trainwright.compat.components.examples_utils import (
        get_split_file_patterns as get_split_file_patterns,
    )
    from trainwright.compat.components.examples_utils import set_file_format as set_file_format
    from trainwright.compat.components.examples_utils import (
        set_payload_format as set_payload_format,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.components.examples_utils": (
                "CUSTOM_SPLIT_PATTERN_PROPERTY_NAME",
                "get_custom_split_patterns_key_and_property",
                "get_file_format",
                "get_payload_format",
                "get_payload_format_string",
                "get_split_file_patterns",
                "set_file_format",
                "set_payload_format",
            ),
        },
    )
