"""`trainwright.compat.input_resolution.ops.ops_utils` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.input_resolution.ops.ops_utils import (
        ARTIFACT_TYPE_NAME_BY_KEY as ARTIFACT_TYPE_NAME_BY_KEY,
    )
    from trainwright.compat.input_resolution.ops.ops_utils import BATCH_SIZE as BATCH_SIZE
    from trainwright.compat.input_resolution.ops.ops_utils import EXAMPLES_KEY as EXAMPLES_KEY
    from trainwright.compat.input_resolution.ops.ops_utils import (
        EXAMPLES_TYPE_NAME as EXAMPLES_TYPE_NAME,
    )
    from trainwright.compat.input_resolution.ops.ops_utils import (
        GRAPH_TRAVERSAL_OP_MAX_NUM_HOPS as GRAPH_TRAVERSAL_OP_MAX_NUM_HOPS,
    )
    from trainwright.compat.input_resolution.ops.ops_utils import (
        LATEST_POLICY_MODEL_OP_MAX_NUM_HOPS as LATEST_POLICY_MODEL_OP_MAX_NUM_HOPS,
    )
    from trainwright.compat.input_resolution.ops.ops_utils import (
        MODEL_BLESSING_TYPE_NAME as MODEL_BLESSING_TYPE_NAME,
    )
    from trainwright.compat.input_resolution.ops.ops_utils import (
        MODEL_BLESSSING_KEY as MODEL_BLESSSING_KEY,
    )
    from trainwright.compat.input_resolution.ops.ops_utils import (
        MODEL_EXPORT_KEY as MODEL_EXPORT_KEY,
    )
    from trainwright.compat.input_resolution.ops.ops_utils import (
        MODEL_INFRA_BLESSING_KEY as MODEL_INFRA_BLESSING_KEY,
    )
    from trainwright.compat.input_resolution.ops.ops_utils import (
        MODEL_INFRA_BLESSSING_TYPE_NAME as MODEL_INFRA_BLESSSING_TYPE_NAME,
    )
    from trainwright.compat.input_resolution.ops.ops_utils import MODEL_KEY as MODEL_KEY
    from trainwright.compat.input_resolution.ops.ops_utils import MODEL_PUSH_KEY as MODEL_PUSH_KEY
    from trainwright.compat.input_resolution.ops.ops_utils import (
        MODEL_PUSH_TYPE_NAME as MODEL_PUSH_TYPE_NAME,
    )
    from trainwright.compat.input_resolution.ops.ops_utils import (
        MODEL_RUN_TYPE_NAME as MODEL_RUN_TYPE_NAME,
    )
    from trainwright.compat.input_resolution.ops.ops_utils import MODEL_TYPE_NAME as MODEL_TYPE_NAME
    from trainwright.compat.input_resolution.ops.ops_utils import (
        ROOT_ARTIFACT_KEY as ROOT_ARTIFACT_KEY,
    )
    from trainwright.compat.input_resolution.ops.ops_utils import (
        SPAN_AND_VERSION_PROPERTIES as SPAN_AND_VERSION_PROPERTIES,
    )
    from trainwright.compat.input_resolution.ops.ops_utils import SPAN_PROPERTY as SPAN_PROPERTY
    from trainwright.compat.input_resolution.ops.ops_utils import (
        TRANSFORM_GRAPH_TYPE_NAME as TRANSFORM_GRAPH_TYPE_NAME,
    )
    from trainwright.compat.input_resolution.ops.ops_utils import (
        TRANSFORMED_EXAMPLES_KEY as TRANSFORMED_EXAMPLES_KEY,
    )
    from trainwright.compat.input_resolution.ops.ops_utils import (
        VERSION_PROPERTY as VERSION_PROPERTY,
    )
    from trainwright.compat.input_resolution.ops.ops_utils import (
        filter_artifacts_by_span as filter_artifacts_by_span,
    )
    from trainwright.compat.input_resolution.ops.ops_utils import (
        get_valid_artifact_states_filter_query as get_valid_artifact_states_filter_query,
    )
    from trainwright.compat.input_resolution.ops.ops_utils import (
        get_valid_artifacts as get_valid_artifacts,
    )
    from trainwright.compat.input_resolution.ops.ops_utils import (
        sort_artifact_dict as sort_artifact_dict,
    )
    from trainwright.compat.input_resolution.ops.ops_utils import (
        validate_argument as validate_argument,
    )
    from trainwright.compat.input_resolution.ops.ops_utils import (
        validate_input_dict as validate_input_dict,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.input_resolution.ops.ops_utils": (
                "ARTIFACT_TYPE_NAME_BY_KEY",
                "BATCH_SIZE",
                "EXAMPLES_KEY",
                "EXAMPLES_TYPE_NAME",
                "GRAPH_TRAVERSAL_OP_MAX_NUM_HOPS",
                "LATEST_POLICY_MODEL_OP_MAX_NUM_HOPS",
                "MODEL_BLESSING_TYPE_NAME",
                "MODEL_BLESSSING_KEY",
                "MODEL_EXPORT_KEY",
                "MODEL_INFRA_BLESSING_KEY",
                "MODEL_INFRA_BLESSSING_TYPE_NAME",
                "MODEL_KEY",
                "MODEL_PUSH_KEY",
                "MODEL_PUSH_TYPE_NAME",
                "MODEL_RUN_TYPE_NAME",
                "MODEL_TYPE_NAME",
                "ROOT_ARTIFACT_KEY",
                "SPAN_AND_VERSION_PROPERTIES",
                "SPAN_PROPERTY",
                "TRANSFORMED_EXAMPLES_KEY",
                "TRANSFORM_GRAPH_TYPE_NAME",
                "VERSION_PROPERTY",
                "filter_artifacts_by_span",
                "get_valid_artifact_states_filter_query",
                "get_valid_artifacts",
                "sort_artifact_dict",
                "validate_argument",
                "validate_input_dict",
            ),
        },
    )
