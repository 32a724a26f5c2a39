"""The words for components made from functions."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.dsl.components import base as base
    from trainwright.dsl.annotations import AsyncOutputArtifact as AsyncOutputArtifact
    from trainwright.dsl.annotations import BeamComponentParameter as BeamComponentParameter
    from trainwright.dsl.annotations import InputArtifact as InputArtifact
    from trainwright.dsl.annotations import OutputArtifact as OutputArtifact
    from trainwright.dsl.annotations import OutputDict as OutputDict
    from trainwright.dsl.annotations import Parameter as Parameter
    from trainwright.dsl.containers.container_component import (
        create_container_component as create_container_component,
    )
    from trainwright.dsl.function_component import component as component
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.dsl.annotations": (
                "AsyncOutputArtifact",
                "BeamComponentParameter",
                "InputArtifact",
                "OutputArtifact",
                "OutputDict",
                "Parameter",
            ),
            "trainwright.dsl.function_component": ("component",),
            "tfx.dsl.components": ("base",),
            "trainwright.dsl.containers.container_component": ("create_container_component",),
        },
    )
