"""The Beam transforms that write examples, under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.components.example_gen.beam_writing import MaybeSerialize as MaybeSerialize
    from trainwright.components.example_gen.beam_writing import WriteSplit as WriteSplit
    from trainwright.components.example_gen.user_helpers import (
        DEFAULT_PARQUET_FILE_NAME as DEFAULT_PARQUET_FILE_NAME,
    )
    from trainwright.components.example_gen.user_helpers import (
        DEFAULT_TF_RECORD_FILE_NAME as DEFAULT_TF_RECORD_FILE_NAME,
    )
    from trainwright.components.example_gen.user_helpers import (
        DEFAULT_TF_RECORD_FILE_NAME as _DEFAULT_FILE_NAME_,
    )
    from trainwright.components.example_gen.user_helpers import (
        METRICS_NAMESPACE as METRICS_NAMESPACE,
    )
    from trainwright.components.example_gen.user_helpers import (
        to_file_format_str as to_file_format_str,
    )

    DEFAULT_FILE_NAME = _DEFAULT_FILE_NAME_
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.components.example_gen.beam_writing": (
                "MaybeSerialize",
                "WriteSplit",
            ),
            "trainwright.components.example_gen.user_helpers": (
                "DEFAULT_PARQUET_FILE_NAME",
                "DEFAULT_TF_RECORD_FILE_NAME",
                "DEFAULT_TF_RECORD_FILE_NAME as DEFAULT_FILE_NAME",
                "METRICS_NAMESPACE",
                "to_file_format_str",
            ),
        },
    )
