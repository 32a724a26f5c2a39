"""`trainwright.dsl.annotations` under TFX's path."""

from typing import TYPE_CHECKING

from tfx._names import missing_names
from trainwright.dsl.annotations import InputArtifact as InputArtifact
from trainwright.dsl.annotations import OutputArtifact as OutputArtifact
from trainwright.dsl.annotations import OutputDict as OutputDict
from trainwright.dsl.annotations import Parameter as Parameter

if not TYPE_CHECKING:
    __getattr__ = missing_names(
        __name__,
        (
            "AsyncOutputArtifact",
            "BeamComponentParameter",
        ),
    )
