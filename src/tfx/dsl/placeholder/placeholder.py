"""Placeholders and what combines them, under TFX's path; often imported as `ph`."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.types.artifact_placeholder import ArtifactPlaceholder as ArtifactPlaceholder
    from trainwright.types.artifact_placeholder import input as input
    from trainwright.types.artifact_placeholder import output as output
    from trainwright.types.channel_placeholder import (
        ChannelWrappedPlaceholder as ChannelWrappedPlaceholder,
    )
    from trainwright.types.placeholder import Placeholder as Placeholder
    from trainwright.types.placeholder import Predicate as Predicate
    from trainwright.types.placeholder import logical_and as logical_and
    from trainwright.types.placeholder import logical_not as logical_not
    from trainwright.types.placeholder import logical_or as logical_or
    from trainwright.types.placeholder_operators import DictPlaceholder as DictPlaceholder
    from trainwright.types.placeholder_operators import ListPlaceholder as ListPlaceholder
    from trainwright.types.placeholder_operators import (
        ListSerializationFormat as ListSerializationFormat,
    )
    from trainwright.types.placeholder_operators import (
        ProtoSerializationFormat as ProtoSerializationFormat,
    )
    from trainwright.types.placeholder_operators import dirname as dirname
    from trainwright.types.placeholder_operators import join as join
    from trainwright.types.placeholder_operators import join_path as join_path
    from trainwright.types.placeholder_operators import make_dict as make_dict
    from trainwright.types.placeholder_operators import make_list as make_list
    from trainwright.types.proto_placeholder import MakeProtoPlaceholder as MakeProtoPlaceholder
    from trainwright.types.proto_placeholder import make_proto as make_proto
    from trainwright.types.runtime_placeholders import (
        EnvironmentVariablePlaceholder as EnvironmentVariablePlaceholder,
    )
    from trainwright.types.runtime_placeholders import (
        ExecInvocationPlaceholder as ExecInvocationPlaceholder,
    )
    from trainwright.types.runtime_placeholders import (
        ExecPropertyPlaceholder as ExecPropertyPlaceholder,
    )
    from trainwright.types.runtime_placeholders import RuntimeInfoKeys as RuntimeInfoKeys
    from trainwright.types.runtime_placeholders import (
        RuntimeInfoPlaceholder as RuntimeInfoPlaceholder,
    )
    from trainwright.types.runtime_placeholders import environment_variable as environment_variable
    from trainwright.types.runtime_placeholders import exec_property as exec_property
    from trainwright.types.runtime_placeholders import execution_invocation as execution_invocation
    from trainwright.types.runtime_placeholders import runtime_info as runtime_info
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.types.artifact_placeholder": (
                "ArtifactPlaceholder",
                "input",
                "output",
            ),
            "trainwright.types.channel_placeholder": ("ChannelWrappedPlaceholder",),
            "trainwright.types.placeholder": (
                "Placeholder",
                "Predicate",
                "logical_and",
                "logical_not",
                "logical_or",
            ),
            "trainwright.types.placeholder_operators": (
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
            "trainwright.types.proto_placeholder": (
                "MakeProtoPlaceholder",
                "make_proto",
            ),
            "trainwright.types.runtime_placeholders": (
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
