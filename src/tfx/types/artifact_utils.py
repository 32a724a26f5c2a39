"""What executors do with lists of artifacts, under TFX's names."""

from typing import TYPE_CHECKING

from tfx._names import missing_names
from trainwright.types.artifact_utils import get_single_instance as get_single_instance
from trainwright.types.artifact_utils import get_single_uri as get_single_uri
from trainwright.types.splits import decode_split_names as decode_split_names
from trainwright.types.splits import encode_split_names as encode_split_names
from trainwright.types.splits import get_split_uri as get_split_uri
from trainwright.types.splits import get_split_uris as get_split_uris

if not TYPE_CHECKING:
    __getattr__ = missing_names(
        __name__,
        (
            "deserialize_artifact",
            "get_artifact_type_class",
        ),
    )
