"""Placeholders and what combines them, under TFX's path; often imported as `ph`."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.types.placeholders.artifact_placeholder import (
        ArtifactPlaceholder as ArtifactPlaceholder,
    )
    from trainwright.types.placeholders.artifact_placeholder import input as input
    from trainwright.types.placeholders.artifact_placeholder import output as output
    from trainwright.types.placeholders.channel_placeholder import (
        ChannelWrappedPlaceholder as ChannelWrappedPlaceholder,
    )
    from trainwright.types.placeholders.placeholder import Placeholder as Placeholder
    from trainwright.types.placeholders.placeholder import Predicate as Predicate
    from trainwright.types.placeholders.placeholder import logical_and as logical_and
    from trainwright.types.placeholders.placeholder import logical_not as logical_not
    from trainwright.types.placeholders.placeholder import logical_or as logical_or
    from trainwright.types.placeholders.placeholder_operators import (
        DictPlaceholder as DictPlaceholder,
    )
    from trainwright.types.placeholders.placeholder_operators import (
        ListPlaceholder as ListPlaceholder,
    )
    from trainwright.types.placeholders.placeholder_operators import (
        ListSerializationFormat as ListSerializationFormat,
    )
    from trainwright.types.placeholders.placeholder_operators import (
        ProtoSerializationFormat as ProtoSerializationFormat,
    )
    from trainwright.types.placeholders.placeholder_operators import dirname as dirname
    from trainwright.types.placeholders.placeholder_operators import join as join
    from trainwright.types.placeholders.placeholder_operators import join_path as join_path
    from trainwright.types.placeholders.placeholder_operators import make_dict as make_dict
    from trainwright.types.placeholders.placeholder_operators import make_list as make_list
    from trainwright.types.placeholders.proto_placeholder import (
        MakeProtoPlaceholder as MakeProtoPlaceholder,
    )
    from trainwright.types.placeholders.proto_placeholder import make_proto as make_proto
    from trainwright.types.placeholders.runtime_placeholders import (
        EnvironmentVariablePlaceholder as EnvironmentVariablePlaceholder,
    )
    from trainwright.types.placeholders.runtime_placeholders import (
        ExecInvocationPlaceholder as ExecInvocationPlaceholder,
    )
    from trainwright.types.placeholders.runtime_placeholders import (
        ExecPropertyPlaceholder as ExecPropertyPlaceholder,
    )
    from trainwright.types.placeholders.runtime_placeholders import (
        RuntimeInfoKeys as RuntimeInfoKeys,
    )
    from trainwright.types.placeholders.runtime_placeholders import (
        RuntimeInfoPlaceholder as RuntimeInfoPlaceholder,
    )
    from trainwright.types.placeholders.runtime_placeholders import (
        environment_variable as environment_variable,
    )
    from trainwright.types.placeholders.runtime_placeholders import exec_property as exec_property
    from trainwright.types.placeholders.runtime_placeholders import (
        execution_invocation as execution_invocation,
    )
    from trainwright.types.placeholders.runtime_placeholders import runtime_info as runtime_info
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.types.placeholders.artifact_placeholder": (
                "ArtifactPlaceholder",
                "input",
                "output",
            ),
            "trainwright.types.placeholders.channel_placeholder": ("ChannelWrappedPlaceholder",),
            "trainwright.types.placeholders.placeholder": (
                "Placeholder",
                "Predicate",
                "logical_and",
                "logical_not",
                "logical_or",
            ),
            "trainwright.types.placeholders.placeholder_operators": (
                "DictPlaceholder",
                "ListPlaceholder",
                "ListSerializationFormat",
                "ProtoSerializationFormat",
                "dirname",
                "join",
                "join_path",
                "make_dict",
                "make_list",
            ),
            "trainwright.types.placeholders.proto_placeholder": (
                "MakeProtoPlaceholder",
                "make_proto",
            ),
            "trainwright.types.placeholders.runtime_placeholders": (
                "EnvironmentVariablePlaceholder",
                "ExecInvocationPlaceholder",
                "ExecPropertyPlaceholder",
                "RuntimeInfoKeys",
                "RuntimeInfoPlaceholder",
                "environment_variable",
                "exec_property",
                "execution_invocation",
                "runtime_info",
            ),
        },
    )
