"""Messages as plain dicts."""

from __future__ import annotations

from typing import Any

from google.protobuf import json_format
from google.protobuf.message import Message


def proto_to_dict(proto: Message) -> dict[str, Any]:
    """The fields that are set, by the names in the .proto file.

    >>> from trainwright.proto import TrainArgs
    >>> proto_to_dict(TrainArgs(num_steps=100))
    {'num_steps': 100}
    """
    fields: dict[str, Any] = json_format.MessageToDict(proto, preserving_proto_field_name=True)
    return fields
