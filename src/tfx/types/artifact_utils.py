"""What executors do with lists of artifacts, under TFX's names."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.types.artifact_utils import get_single_instance as get_single_instance
    from trainwright.types.artifact_utils import get_single_uri as get_single_uri
    from trainwright.types.splits import decode_split_names as decode_split_names
    from trainwright.types.splits import encode_split_names as encode_split_names
    from trainwright.types.splits import get_split_uri as get_split_uri
    from trainwright.types.splits import get_split_uris as get_split_uris
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.types.artifact_utils": (
                "get_single_instance",
                "get_single_uri",
            ),
            "trainwright.types.splits": (
                "decode_split_names",
                "encode_split_names",
                "get_split_uri",
                "get_split_uris",
            ),
        },
    )
