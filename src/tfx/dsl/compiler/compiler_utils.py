"""`trainwright.compat.compiler.compiler_utils` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.compiler.compiler_utils import (
        build_channel_to_key_fn as build_channel_to_key_fn,
    )
    from trainwright.compat.compiler.compiler_utils import (
        create_pipeline_end_node as create_pipeline_end_node,
    )
    from trainwright.compat.compiler.compiler_utils import (
        end_node_context_name_from_subpipeline_id as end_node_context_name_from_subpipeline_id,
    )
    from trainwright.compat.compiler.compiler_utils import (
        ensure_topological_order as ensure_topological_order,
    )
    from trainwright.compat.compiler.compiler_utils import (
        get_data_dependent_node_ids as get_data_dependent_node_ids,
    )
    from trainwright.compat.compiler.compiler_utils import has_resolver_node as has_resolver_node
    from trainwright.compat.compiler.compiler_utils import (
        has_task_dependency as has_task_dependency,
    )
    from trainwright.compat.compiler.compiler_utils import (
        implicit_channel_key as implicit_channel_key,
    )
    from trainwright.compat.compiler.compiler_utils import is_importer as is_importer
    from trainwright.compat.compiler.compiler_utils import is_resolver as is_resolver
    from trainwright.compat.compiler.compiler_utils import node_context_name as node_context_name
    from trainwright.compat.compiler.compiler_utils import (
        output_spec_from_channel as output_spec_from_channel,
    )
    from trainwright.compat.compiler.compiler_utils import (
        pipeline_begin_node_id as pipeline_begin_node_id,
    )
    from trainwright.compat.compiler.compiler_utils import (
        pipeline_begin_node_type_name as pipeline_begin_node_type_name,
    )
    from trainwright.compat.compiler.compiler_utils import (
        pipeline_end_node_id as pipeline_end_node_id,
    )
    from trainwright.compat.compiler.compiler_utils import (
        pipeline_end_node_id_from_pipeline_id as pipeline_end_node_id_from_pipeline_id,
    )
    from trainwright.compat.compiler.compiler_utils import (
        pipeline_end_node_type_name as pipeline_end_node_type_name,
    )
    from trainwright.compat.compiler.compiler_utils import (
        resolve_execution_mode as resolve_execution_mode,
    )
    from trainwright.compat.compiler.compiler_utils import (
        set_runtime_parameter_pb as set_runtime_parameter_pb,
    )
    from trainwright.compat.compiler.compiler_utils import (
        set_structural_runtime_parameter_pb as set_structural_runtime_parameter_pb,
    )
    from trainwright.compat.compiler.compiler_utils import (
        validate_exec_property_placeholder as validate_exec_property_placeholder,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.compiler.compiler_utils": (
                "build_channel_to_key_fn",
                "create_pipeline_end_node",
                "end_node_context_name_from_subpipeline_id",
                "ensure_topological_order",
                "get_data_dependent_node_ids",
                "has_resolver_node",
                "has_task_dependency",
                "implicit_channel_key",
                "is_importer",
                "is_resolver",
                "node_context_name",
                "output_spec_from_channel",
                "pipeline_begin_node_id",
                "pipeline_begin_node_type_name",
                "pipeline_end_node_id",
                "pipeline_end_node_id_from_pipeline_id",
                "pipeline_end_node_type_name",
                "resolve_execution_mode",
                "set_runtime_parameter_pb",
                "set_structural_runtime_parameter_pb",
                "validate_exec_property_placeholder",
            ),
        },
    )
