"""`trainwright.compat.components.tfxio_utils` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.components.tfxio_utils import OneOrMorePatterns as OneOrMorePatterns
    from trainwright.compat.components.tfxio_utils import (
        get_data_view_decode_fn_from_artifact as get_data_view_decode_fn_from_artifact,
    )
    from trainwright.compat.components.tfxio_utils import (
        get_file_format_and_patterns as get_file_format_and_patterns,
    )
    from trainwright.compat.components.tfxio_utils import (
        get_record_batch_factory_from_artifact as get_record_batch_factory_from_artifact,
    )
    from trainwright.compat.components.tfxio_utils import get_split_tfxio as get_split_tfxio
    from trainwright.compat.components.tfxio_utils import (
        get_tf_dataset_factory_from_artifact as get_tf_dataset_factory_from_artifact,
    )
    from trainwright.compat.components.tfxio_utils import (
        get_tfxio_factory_from_artifact as get_tfxio_factory_from_artifact,
    )
    from trainwright.compat.components.tfxio_utils import make_tfxio as make_tfxio
    from trainwright.types.payload_format import (
        resolve_payload_format_and_data_view_uri as resolve_payload_format_and_data_view_uri,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.components.tfxio_utils": (
                "OneOrMorePatterns",
                "get_data_view_decode_fn_from_artifact",
                "get_file_format_and_patterns",
                "get_record_batch_factory_from_artifact",
                "get_split_tfxio",
                "get_tf_dataset_factory_from_artifact",
                "get_tfxio_factory_from_artifact",
                "make_tfxio",
            ),
            "trainwright.types.payload_format": ("resolve_payload_format_and_data_view_uri",),
        },
    )
