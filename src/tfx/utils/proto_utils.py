"""Messages as JSON and as dicts, under TFX's names."""

from typing import TYPE_CHECKING

from tfx._names import missing_names
from trainwright.proto.proto_json import dict_to_proto as dict_to_proto
from trainwright.proto.proto_json import json_to_proto as json_to_proto
from trainwright.proto.proto_json import proto_to_dict as proto_to_dict
from trainwright.proto.proto_json import proto_to_json as proto_to_json

if not TYPE_CHECKING:
    __getattr__ = missing_names(
        __name__,
        (
            "build_file_descriptor_set",
            "deserialize_proto_message",
            "gather_file_descriptors",
            "unpack_proto_any",
        ),
    )
