"""The words for components made from functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.dsl.annotations import InputArtifact as InputArtifact
    from trainwright.dsl.annotations import OutputArtifact as OutputArtifact
    from trainwright.dsl.annotations import OutputDict as OutputDict
    from trainwright.dsl.annotations import Parameter as Parameter
    from trainwright.dsl.function_component import component as component
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "InputArtifact": "trainwright.dsl.annotations:InputArtifact",
            "OutputArtifact": "trainwright.dsl.annotations:OutputArtifact",
            "OutputDict": "trainwright.dsl.annotations:OutputDict",
            "Parameter": "trainwright.dsl.annotations:Parameter",
            "component": "trainwright.dsl.function_component:component",
        },
        missing=(
            "AsyncOutputArtifact",
            "BeamComponentParameter",
        ),
    )
