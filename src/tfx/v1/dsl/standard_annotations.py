"""The base types that artifact types and components are annotated with."""

from trainwright.types.system_types import Dataset as Dataset
from trainwright.types.system_types import Deploy as Deploy
from trainwright.types.system_types import Evaluate as Evaluate
from trainwright.types.system_types import Metrics as Metrics
from trainwright.types.system_types import Model as Model
from trainwright.types.system_types import Process as Process
from trainwright.types.system_types import Statistics as Statistics
from trainwright.types.system_types import Train as Train
from trainwright.types.system_types import Transform as Transform
