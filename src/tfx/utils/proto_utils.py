"""Messages as JSON and as dicts, and their descriptors."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.utils.proto_utils import ProtoMessage as ProtoMessage
    from trainwright.compat.utils.proto_utils import (
        build_file_descriptor_set as build_file_descriptor_set,
    )
    from trainwright.compat.utils.proto_utils import (
        deserialize_proto_message as deserialize_proto_message,
    )
    from trainwright.compat.utils.proto_utils import dict_to_proto as dict_to_proto
    from trainwright.compat.utils.proto_utils import (
        gather_file_descriptors as gather_file_descriptors,
    )
    from trainwright.compat.utils.proto_utils import (
        get_pool_with_descriptors as get_pool_with_descriptors,
    )
    from trainwright.compat.utils.proto_utils import json_to_proto as json_to_proto
    from trainwright.compat.utils.proto_utils import unpack_proto_any as unpack_proto_any
    from trainwright.proto.proto_json import proto_to_dict as proto_to_dict
    from trainwright.proto.proto_json import proto_to_json as proto_to_json
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.utils.proto_utils": (
                "ProtoMessage",
                "build_file_descriptor_set",
                "deserialize_proto_message",
                "dict_to_proto",
                "gather_file_descriptors",
                "get_pool_with_descriptors",
                "json_to_proto",
                "unpack_proto_any",
            ),
            "trainwright.proto.proto_json": (
                "proto_to_dict",
                "proto_to_json",
            ),
        },
    )
