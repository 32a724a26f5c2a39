"""`trainwright.compat.google_cloud.big_query_examples` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.google_cloud.big_query_beam import (
        BigQueryToExample as __BigQueryToExample_,
    )
    from trainwright.compat.google_cloud.big_query_examples import (
        BigQueryConverter as __BigQueryConverter_,
    )
    from trainwright.compat.google_cloud.big_query_examples import Executor as Executor

    _BigQueryToExample = __BigQueryToExample_
    _BigQueryConverter = __BigQueryConverter_
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.google_cloud.big_query_beam": (
                "BigQueryToExample as _BigQueryToExample",
            ),
            "trainwright.compat.google_cloud.big_query_examples": (
                "BigQueryConverter as _BigQueryConverter",
                "Executor",
            ),
        },
    )
