"""What code around an ExampleGen calls, under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.components.example_gen.dict_examples import dict_to_example as dict_to_example
    from trainwright.components.example_gen.span_patterns import (
        date_to_span_number as date_to_span_number,
    )
    from trainwright.components.example_gen.span_patterns import (
        span_number_to_date as span_number_to_date,
    )
    from trainwright.components.example_gen.user_helpers import DATE_SPECS as DATE_SPECS
    from trainwright.components.example_gen.user_helpers import DAY_SPEC as DAY_SPEC
    from trainwright.components.example_gen.user_helpers import (
        FILE_FORMAT_PROPERTY_NAME as FILE_FORMAT_PROPERTY_NAME,
    )
    from trainwright.components.example_gen.user_helpers import (
        FINGERPRINT_PROPERTY_NAME as FINGERPRINT_PROPERTY_NAME,
    )
    from trainwright.components.example_gen.user_helpers import MONTH_SPEC as MONTH_SPEC
    from trainwright.components.example_gen.user_helpers import (
        PAYLOAD_FORMAT_PROPERTY_NAME as PAYLOAD_FORMAT_PROPERTY_NAME,
    )
    from trainwright.components.example_gen.user_helpers import (
        SPAN_PROPERTY_NAME as SPAN_PROPERTY_NAME,
    )
    from trainwright.components.example_gen.user_helpers import SPAN_SPEC as SPAN_SPEC
    from trainwright.components.example_gen.user_helpers import (
        VERSION_PROPERTY_NAME as VERSION_PROPERTY_NAME,
    )
    from trainwright.components.example_gen.user_helpers import VERSION_SPEC as VERSION_SPEC
    from trainwright.components.example_gen.user_helpers import YEAR_SPEC as YEAR_SPEC
    from trainwright.components.example_gen.user_helpers import (
        generate_output_split_names as generate_output_split_names,
    )
    from trainwright.components.example_gen.user_helpers import (
        make_default_input_config as make_default_input_config,
    )
    from trainwright.components.example_gen.user_helpers import (
        make_default_output_config as make_default_output_config,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.components.example_gen.dict_examples": ("dict_to_example",),
            "trainwright.components.example_gen.span_patterns": (
                "date_to_span_number",
                "span_number_to_date",
            ),
            "trainwright.components.example_gen.user_helpers": (
                "DATE_SPECS",
                "DAY_SPEC",
                "FILE_FORMAT_PROPERTY_NAME",
                "FINGERPRINT_PROPERTY_NAME",
                "MONTH_SPEC",
                "PAYLOAD_FORMAT_PROPERTY_NAME",
                "SPAN_PROPERTY_NAME",
                "SPAN_SPEC",
                "VERSION_PROPERTY_NAME",
                "VERSION_SPEC",
                "YEAR_SPEC",
                "generate_output_split_names",
                "make_default_input_config",
                "make_default_output_config",
            ),
        },
    )
