"""All operators."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.input_resolution.ops.lineage import GraphTraversal as GraphTraversal
    from trainwright.compat.input_resolution.ops.lineage import (
        GroupByDisjointLineage as GroupByDisjointLineage,
    )
    from trainwright.compat.input_resolution.ops.lineage import GroupByPivot as GroupByPivot
    from trainwright.compat.input_resolution.ops.lineage import (
        LatestPipelineRunOutputs as LatestPipelineRunOutputs,
    )
    from trainwright.compat.input_resolution.ops.lineage import Siblings as Siblings
    from trainwright.compat.input_resolution.ops.lists import (
        EqualPropertyValues as EqualPropertyValues,
    )
    from trainwright.compat.input_resolution.ops.lists import LatestCreateTime as LatestCreateTime
    from trainwright.compat.input_resolution.ops.lists import Shuffle as Shuffle
    from trainwright.compat.input_resolution.ops.lists import SkipIfEmpty as SkipIfEmpty
    from trainwright.compat.input_resolution.ops.lists import Slice as Slice
    from trainwright.compat.input_resolution.ops.lists import SlidingWindow as SlidingWindow
    from trainwright.compat.input_resolution.ops.lists import Unnest as Unnest
    from trainwright.compat.input_resolution.ops.models import (
        LatestPolicyModel as LatestPolicyModel,
    )
    from trainwright.compat.input_resolution.ops.models import (
        SpanDrivenEvaluatorInputs as SpanDrivenEvaluatorInputs,
    )
    from trainwright.compat.input_resolution.ops.models import TrainingRange as TrainingRange
    from trainwright.compat.input_resolution.ops.registry import (
        get_by_class_path as get_by_class_path,
    )
    from trainwright.compat.input_resolution.ops.registry import get_by_name as get_by_name
    from trainwright.compat.input_resolution.ops.registry import (
        testonly_register as testonly_register,
    )
    from trainwright.compat.input_resolution.ops.spans import AllSpans as AllSpans
    from trainwright.compat.input_resolution.ops.spans import ConsecutiveSpans as ConsecutiveSpans
    from trainwright.compat.input_resolution.ops.spans import ExcludeSpans as ExcludeSpans
    from trainwright.compat.input_resolution.ops.spans import LatestSpan as LatestSpan
    from trainwright.compat.input_resolution.ops.spans import LatestVersion as LatestVersion
    from trainwright.compat.input_resolution.ops.spans import PairedSpans as PairedSpans
    from trainwright.compat.input_resolution.ops.spans import (
        SkipIfLessThanNSpans as SkipIfLessThanNSpans,
    )
    from trainwright.compat.input_resolution.ops.spans import StaticSpanRange as StaticSpanRange
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.input_resolution.ops.lineage": (
                "GraphTraversal",
                "GroupByDisjointLineage",
                "GroupByPivot",
                "LatestPipelineRunOutputs",
                "Siblings",
            ),
            "trainwright.compat.input_resolution.ops.lists": (
                "EqualPropertyValues",
                "LatestCreateTime",
                "Shuffle",
                "SkipIfEmpty",
                "Slice",
                "SlidingWindow",
                "Unnest",
            ),
            "trainwright.compat.input_resolution.ops.models": (
                "LatestPolicyModel",
                "SpanDrivenEvaluatorInputs",
                "TrainingRange",
            ),
            "trainwright.compat.input_resolution.ops.registry": (
                "get_by_class_path",
                "get_by_name",
                "testonly_register",
            ),
            "trainwright.compat.input_resolution.ops.spans": (
                "AllSpans",
                "ConsecutiveSpans",
                "ExcludeSpans",
                "LatestSpan",
                "LatestVersion",
                "PairedSpans",
                "SkipIfLessThanNSpans",
                "StaticSpanRange",
            ),
        },
    )
