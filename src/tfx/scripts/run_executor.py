"""`trainwright.compat.run_executor` under TFX's path: `python -m tfx.scripts.run_executor`."""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if __name__ == "__main__":
    from trainwright.compat.run_executor import main, parse_flags

    logging.basicConfig(level=logging.INFO)
    main(parse_flags(sys.argv[1:]))
    sys.exit()

# From here on written by scripts/generate_names.py from scripts/names.toml.

if TYPE_CHECKING:
    from trainwright.compat.run_executor import main as main
    from trainwright.compat.run_executor import parse_flags as parse_flags
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.run_executor": (
                "main",
                "parse_flags",
            ),
        },
    )
