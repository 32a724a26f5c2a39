"""Names in compiled pipelines."""

# Runtime parameters that every compiled pipeline has.
PIPELINE_ROOT_PARAMETER_NAME = "pipeline-root"
PIPELINE_RUN_ID_PARAMETER_NAME = "pipeline-run-id"

# Types of the contexts that executions and artifacts are put in.
PIPELINE_CONTEXT_TYPE_NAME = "pipeline"
PIPELINE_RUN_CONTEXT_TYPE_NAME = "pipeline_run"
NODE_CONTEXT_TYPE_NAME = "node"

CONDITIONAL_RESOLVER_CLASS_PATH = (
    "tfx.dsl.input_resolution.strategies.conditional_strategy.ConditionalStrategy"
)

# What the nodes at the beginning and the end of an inner pipeline add to its id and type.
PIPELINE_BEGIN_NODE_SUFFIX = "_begin"
PIPELINE_END_NODE_SUFFIX = "_end"

LAUNCH_ONLY_CHANNEL_NAME = "launch_only"
JOB_CLEANUP_LAUNCHER_EXEC_PROP = "launcher_component"
