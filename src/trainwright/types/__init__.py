"""Types: artifacts, channels, and the specs of components."""

from trainwright.types.artifact import Artifact as Artifact
from trainwright.types.artifact import Property as Property
from trainwright.types.artifact import PropertyType as PropertyType
from trainwright.types.channel import BaseChannel as BaseChannel
from trainwright.types.channel import Channel as Channel
from trainwright.types.component_spec import ComponentSpec as ComponentSpec
from trainwright.types.value_artifact import ValueArtifact as ValueArtifact
