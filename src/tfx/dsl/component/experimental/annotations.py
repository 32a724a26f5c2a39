"""`trainwright.dsl.annotations` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.dsl.annotations import InputArtifact as InputArtifact
    from trainwright.dsl.annotations import OutputArtifact as OutputArtifact
    from trainwright.dsl.annotations import OutputDict as OutputDict
    from trainwright.dsl.annotations import Parameter as Parameter
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.dsl.annotations": (
                "InputArtifact",
                "OutputArtifact",
                "OutputDict",
                "Parameter",
            ),
        },
    )
