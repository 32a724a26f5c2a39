"""`trainwright.types.placeholder` under TFX's path, often imported as `ph`."""

from typing import TYPE_CHECKING

from tfx._names import missing_names
from trainwright.types.channel_placeholder import (
    ChannelWrappedPlaceholder as ChannelWrappedPlaceholder,
)
from trainwright.types.placeholder import Placeholder as Placeholder
from trainwright.types.placeholder import Predicate as Predicate
from trainwright.types.placeholder import join as join
from trainwright.types.placeholder import logical_and as logical_and
from trainwright.types.placeholder import logical_not as logical_not
from trainwright.types.placeholder import logical_or as logical_or

if not TYPE_CHECKING:
    __getattr__ = missing_names(
        __name__,
        (
            "ArtifactPlaceholder",
            "DictPlaceholder",
            "EnvironmentVariablePlaceholder",
            "ExecInvocationPlaceholder",
            "ExecPropertyPlaceholder",
            "ListPlaceholder",
            "ListSerializationFormat",
            "MakeProtoPlaceholder",
            "ProtoSerializationFormat",
            "RuntimeInfoKeys",
            "RuntimeInfoPlaceholder",
            "dirname",
            "environment_variable",
            "exec_property",
            "execution_invocation",
            "input",
            "join_path",
            "make_dict",
            "make_list",
            "make_proto",
            "output",
            "runtime_info",
        ),
    )
