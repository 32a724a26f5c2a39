"""What code around an ExampleGen calls, under TFX's path."""

from typing import TYPE_CHECKING

from tfx._names import missing_names
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

if not TYPE_CHECKING:
    __getattr__ = missing_names(
        __name__,
        (
            "calculate_splits_fingerprint_span_and_version",
            "get_pattern_for_span_version",
            "get_query_for_span",
            "verify_split_pattern_specs",
        ),
    )
