"""Statistics of examples: counts, moments, histograms and frequent values of every feature."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainwright._lazy import lazy_names

# From here on written by scripts/generate_names.py from scripts/names.toml.

if TYPE_CHECKING:
    from trainwright.statistics.generate import generate_statistics as generate_statistics
    from trainwright.statistics.stats_options import StatsOptions as StatsOptions
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "trainwright.statistics.generate": ("generate_statistics",),
            "trainwright.statistics.stats_options": ("StatsOptions",),
        },
    )
