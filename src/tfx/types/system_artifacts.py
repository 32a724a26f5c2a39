"""The base types of artifact types."""

from trainwright.types.system_types import Dataset as Dataset
from trainwright.types.system_types import Metrics as Metrics
from trainwright.types.system_types import Model as Model
from trainwright.types.system_types import Statistics as Statistics
from trainwright.types.system_types import SystemArtifact as SystemArtifact
