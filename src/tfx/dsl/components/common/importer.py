"""`trainwright.dsl.importer` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.orchestration.node_drivers import ImporterDriver as ImporterDriver
    from trainwright.compat.orchestration.node_drivers import (
        generate_output_dict as generate_output_dict,
    )
    from trainwright.dsl.importer import IMPORT_RESULT_KEY as IMPORT_RESULT_KEY
    from trainwright.dsl.importer import OUTPUT_KEY_KEY as OUTPUT_KEY_KEY
    from trainwright.dsl.importer import REIMPORT_OPTION_KEY as REIMPORT_OPTION_KEY
    from trainwright.dsl.importer import SOURCE_URI_KEY as SOURCE_URI_KEY
    from trainwright.dsl.importer import Importer as Importer
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.orchestration.node_drivers": (
                "ImporterDriver",
                "generate_output_dict",
            ),
            "trainwright.dsl.importer": (
                "IMPORT_RESULT_KEY",
                "Importer",
                "OUTPUT_KEY_KEY",
                "REIMPORT_OPTION_KEY",
                "SOURCE_URI_KEY",
            ),
        },
    )
