"""Names under which TFX's orchestrators keep what they know of executions and nodes."""

from __future__ import annotations

EXECUTION_ERROR_CODE_KEY = "__execution_error_code__"
EXECUTION_ERROR_MSG_KEY = "__execution_error_msg__"
EXECUTION_START_TIME_CUSTOM_PROPERTY_KEY = "__execution_start_time__"
STATEFUL_WORKING_DIR_INDEX = "__stateful_working_dir_index__"
BACKFILL_TOKEN_CUSTOM_PROPERTY_KEY = "__backfill_token__"  # noqa: S105  (a key)
COMPONENT_GENERATED_ALERTS_KEY = "__component_generated_alerts__"

IMPORTER_NODE_TYPE = "tfx.dsl.components.common.importer.Importer"
RESOLVER_NODE_TYPE = "tfx.dsl.components.common.resolver.Resolver"
MANUAL_NODE_TYPE = "tfx.dsl.components.common.manual_node.ManualNode"
SUBPIPELINE_NODE_TYPE = "tfx.orchestration.pipeline.Pipeline"
SUBPIPELINE_BEGIN_NODE_TYPE = "tfx.orchestration.pipeline.Pipeline_begin"
SUBPIPELINE_END_NODE_TYPE = "tfx.orchestration.pipeline.Pipeline_end"

# The directory of an artifact that an executor emits while it runs begins with this.
PREFIX = "intermediate_artifact"

# Executions before this time (in ms, 2 January 2024) may be a little off theirs.
TIME_SKEW_DATE = 1704153600000
