"""Messages as JSON and as dicts, under TFX's names."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.proto.proto_json import dict_to_proto as dict_to_proto
    from trainwright.proto.proto_json import json_to_proto as json_to_proto
    from trainwright.proto.proto_json import proto_to_dict as proto_to_dict
    from trainwright.proto.proto_json import proto_to_json as proto_to_json
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.proto.proto_json": (
                "dict_to_proto",
                "json_to_proto",
                "proto_to_dict",
                "proto_to_json",
            ),
        },
    )
