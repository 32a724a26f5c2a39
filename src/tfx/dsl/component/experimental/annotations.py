"""`trainwright.dsl.annotations` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.dsl.annotations import ArtifactAnnotation as __ArtifactGeneric_
    from trainwright.dsl.annotations import AsyncOutputArtifact as AsyncOutputArtifact
    from trainwright.dsl.annotations import BeamComponentParameter as BeamComponentParameter
    from trainwright.dsl.annotations import BeamPipelineAnnotation as __PipelineTypeGeneric_
    from trainwright.dsl.annotations import InputArtifact as InputArtifact
    from trainwright.dsl.annotations import OutputArtifact as OutputArtifact
    from trainwright.dsl.annotations import OutputDict as OutputDict
    from trainwright.dsl.annotations import Parameter as Parameter
    from trainwright.dsl.annotations import T as T
    from trainwright.dsl.annotations import ValueAnnotation as __PrimitiveTypeGeneric_

    _ArtifactGeneric = __ArtifactGeneric_
    _PipelineTypeGeneric = __PipelineTypeGeneric_
    _PrimitiveTypeGeneric = __PrimitiveTypeGeneric_
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.dsl.annotations": (
                "ArtifactAnnotation as _ArtifactGeneric",
                "AsyncOutputArtifact",
                "BeamComponentParameter",
                "BeamPipelineAnnotation as _PipelineTypeGeneric",
                "InputArtifact",
                "OutputArtifact",
                "OutputDict",
                "Parameter",
                "T",
                "ValueAnnotation as _PrimitiveTypeGeneric",
            ),
        },
    )
