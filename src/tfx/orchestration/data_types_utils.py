"""`trainwright.compat.mlmd.property_values` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.mlmd.property_values import build_artifact_dict as build_artifact_dict
    from trainwright.compat.mlmd.property_values import (
        build_artifact_struct_dict as build_artifact_struct_dict,
    )
    from trainwright.compat.mlmd.property_values import (
        build_metadata_value_dict as build_metadata_value_dict,
    )
    from trainwright.compat.mlmd.property_values import (
        build_parsed_value_dict as build_parsed_value_dict,
    )
    from trainwright.compat.mlmd.property_values import (
        build_pipeline_value_dict as build_pipeline_value_dict,
    )
    from trainwright.compat.mlmd.property_values import build_value_dict as build_value_dict
    from trainwright.compat.mlmd.property_values import get_metadata_value as get_metadata_value
    from trainwright.compat.mlmd.property_values import (
        get_metadata_value_type as get_metadata_value_type,
    )
    from trainwright.compat.mlmd.property_values import get_parsed_value as get_parsed_value
    from trainwright.compat.mlmd.property_values import get_value as get_value
    from trainwright.compat.mlmd.property_values import set_metadata_value as set_metadata_value
    from trainwright.compat.mlmd.property_values import set_parameter_value as set_parameter_value
    from trainwright.compat.mlmd.property_values import (
        unpack_executor_output_artifacts as unpack_executor_output_artifacts,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.mlmd.property_values": (
                "build_artifact_dict",
                "build_artifact_struct_dict",
                "build_metadata_value_dict",
                "build_parsed_value_dict",
                "build_pipeline_value_dict",
                "build_value_dict",
                "get_metadata_value",
                "get_metadata_value_type",
                "get_parsed_value",
                "get_value",
                "set_metadata_value",
                "set_parameter_value",
                "unpack_executor_output_artifacts",
            ),
        },
    )
