"""Rows of BigQuery as examples, under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.google_cloud.big_query_beam import ReadFromBigQuery as ReadFromBigQuery
    from trainwright.compat.google_cloud.big_query_examples import (
        parse_gcp_project as parse_gcp_project,
    )
    from trainwright.compat.google_cloud.big_query_examples import row_to_example as row_to_example
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.google_cloud.big_query_beam": ("ReadFromBigQuery",),
            "trainwright.compat.google_cloud.big_query_examples": (
                "parse_gcp_project",
                "row_to_example",
            ),
        },
    )
