"""Operators that choose inputs, under TFX's paths."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.dsl.input_resolution.ops import all_spans_op as all_spans_op
    from tfx.dsl.input_resolution.ops import consecutive_spans_op as consecutive_spans_op
    from tfx.dsl.input_resolution.ops import equal_property_values_op as equal_property_values_op
    from tfx.dsl.input_resolution.ops import exclude_spans_op as exclude_spans_op
    from tfx.dsl.input_resolution.ops import graph_traversal_op as graph_traversal_op
    from tfx.dsl.input_resolution.ops import group_by_lineage_op as group_by_lineage_op
    from tfx.dsl.input_resolution.ops import latest_create_time_op as latest_create_time_op
    from tfx.dsl.input_resolution.ops import (
        latest_pipeline_run_outputs_op as latest_pipeline_run_outputs_op,
    )
    from tfx.dsl.input_resolution.ops import latest_policy_model_op as latest_policy_model_op
    from tfx.dsl.input_resolution.ops import latest_span_op as latest_span_op
    from tfx.dsl.input_resolution.ops import latest_version_op as latest_version_op
    from tfx.dsl.input_resolution.ops import ops as ops
    from tfx.dsl.input_resolution.ops import ops_utils as ops_utils
    from tfx.dsl.input_resolution.ops import paired_spans_op as paired_spans_op
    from tfx.dsl.input_resolution.ops import shuffle_op as shuffle_op
    from tfx.dsl.input_resolution.ops import siblings_op as siblings_op
    from tfx.dsl.input_resolution.ops import skip_if_empty_op as skip_if_empty_op
    from tfx.dsl.input_resolution.ops import (
        skip_if_less_than_n_spans_op as skip_if_less_than_n_spans_op,
    )
    from tfx.dsl.input_resolution.ops import slice_op as slice_op
    from tfx.dsl.input_resolution.ops import sliding_window_op as sliding_window_op
    from tfx.dsl.input_resolution.ops import (
        span_driven_evaluator_inputs_op as span_driven_evaluator_inputs_op,
    )
    from tfx.dsl.input_resolution.ops import static_span_range_op as static_span_range_op
    from tfx.dsl.input_resolution.ops import training_range_op as training_range_op
    from tfx.dsl.input_resolution.ops import unnest_op as unnest_op
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=(
            "all_spans_op",
            "consecutive_spans_op",
            "equal_property_values_op",
            "exclude_spans_op",
            "graph_traversal_op",
            "group_by_lineage_op",
            "latest_create_time_op",
            "latest_pipeline_run_outputs_op",
            "latest_policy_model_op",
            "latest_span_op",
            "latest_version_op",
            "ops",
            "ops_utils",
            "paired_spans_op",
            "shuffle_op",
            "siblings_op",
            "skip_if_empty_op",
            "skip_if_less_than_n_spans_op",
            "slice_op",
            "sliding_window_op",
            "span_driven_evaluator_inputs_op",
            "static_span_range_op",
            "training_range_op",
            "unnest_op",
        ),
    )
