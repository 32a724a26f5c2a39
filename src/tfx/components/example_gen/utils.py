"""Helpers for code around an ExampleGen, under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.components.example_gen.dict_examples import dict_to_example as dict_to_example
    from trainwright.components.example_gen.dict_examples import (
        pyval_to_feature as pyval_to_feature,
    )
    from trainwright.components.example_gen.input_processor import (
        SPAN_BEGIN_TIMESTAMP as SPAN_BEGIN_TIMESTAMP,
    )
    from trainwright.components.example_gen.input_processor import (
        SPAN_YYYYMMDD_UTC as SPAN_YYYYMMDD_UTC,
    )
    from trainwright.components.example_gen.input_processor import (
        UNIX_EPOCH_DATE_UTC as UNIX_EPOCH_DATE_UTC,
    )
    from trainwright.components.example_gen.input_processor import (
        get_query_for_span as get_query_for_span,
    )
    from trainwright.components.example_gen.span_patterns import (
        date_to_span_number as date_to_span_number,
    )
    from trainwright.components.example_gen.span_patterns import glob_to_regex as __glob_to_regex_
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
        SPAN_END_TIMESTMAP as SPAN_END_TIMESTMAP,
    )
    from trainwright.components.example_gen.user_helpers import SPAN_FULL_REGEX as SPAN_FULL_REGEX
    from trainwright.components.example_gen.user_helpers import (
        SPAN_PROPERTY_NAME as SPAN_PROPERTY_NAME,
    )
    from trainwright.components.example_gen.user_helpers import SPAN_SPEC as SPAN_SPEC
    from trainwright.components.example_gen.user_helpers import (
        SPAN_SPEC_WIDTH_REGEX as SPAN_SPEC_WIDTH_REGEX,
    )
    from trainwright.components.example_gen.user_helpers import UNIX_EPOCH_DATE as UNIX_EPOCH_DATE
    from trainwright.components.example_gen.user_helpers import (
        VERSION_FULL_REGEX as VERSION_FULL_REGEX,
    )
    from trainwright.components.example_gen.user_helpers import (
        VERSION_PROPERTY_NAME as VERSION_PROPERTY_NAME,
    )
    from trainwright.components.example_gen.user_helpers import VERSION_SPEC as VERSION_SPEC
    from trainwright.components.example_gen.user_helpers import (
        VERSION_SPEC_WIDTH_REGEX as VERSION_SPEC_WIDTH_REGEX,
    )
    from trainwright.components.example_gen.user_helpers import YEAR_SPEC as YEAR_SPEC
    from trainwright.components.example_gen.user_helpers import (
        calculate_splits_fingerprint_span_and_version as calculate_splits_fingerprint_span_and_version,
    )
    from trainwright.components.example_gen.user_helpers import (
        generate_output_split_names as generate_output_split_names,
    )
    from trainwright.components.example_gen.user_helpers import (
        get_pattern_for_span_version as get_pattern_for_span_version,
    )
    from trainwright.components.example_gen.user_helpers import (
        make_default_input_config as make_default_input_config,
    )
    from trainwright.components.example_gen.user_helpers import (
        make_default_output_config as make_default_output_config,
    )
    from trainwright.components.example_gen.user_helpers import (
        verify_split_pattern_specs as verify_split_pattern_specs,
    )

    _glob_to_regex = __glob_to_regex_
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.components.example_gen.dict_examples": (
                "dict_to_example",
                "pyval_to_feature",
            ),
            "trainwright.components.example_gen.input_processor": (
                "SPAN_BEGIN_TIMESTAMP",
                "SPAN_YYYYMMDD_UTC",
                "UNIX_EPOCH_DATE_UTC",
                "get_query_for_span",
            ),
            "trainwright.components.example_gen.span_patterns": (
                "date_to_span_number",
                "glob_to_regex as _glob_to_regex",
                "span_number_to_date",
            ),
            "trainwright.components.example_gen.user_helpers": (
                "DATE_SPECS",
                "DAY_SPEC",
                "FILE_FORMAT_PROPERTY_NAME",
                "FINGERPRINT_PROPERTY_NAME",
                "MONTH_SPEC",
                "PAYLOAD_FORMAT_PROPERTY_NAME",
                "SPAN_END_TIMESTMAP",
                "SPAN_FULL_REGEX",
                "SPAN_PROPERTY_NAME",
                "SPAN_SPEC",
                "SPAN_SPEC_WIDTH_REGEX",
                "UNIX_EPOCH_DATE",
                "VERSION_FULL_REGEX",
                "VERSION_PROPERTY_NAME",
                "VERSION_SPEC",
                "VERSION_SPEC_WIDTH_REGEX",
                "YEAR_SPEC",
                "calculate_splits_fingerprint_span_and_version",
                "generate_output_split_names",
                "get_pattern_for_span_version",
                "make_default_input_config",
                "make_default_output_config",
                "verify_split_pattern_specs",
            ),
        },
    )
