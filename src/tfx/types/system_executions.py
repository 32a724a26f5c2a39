"""The base types of components."""

from trainwright.types.system_types import Deploy as Deploy
from trainwright.types.system_types import Evaluate as Evaluate
from trainwright.types.system_types import Process as Process
from trainwright.types.system_types import SystemExecution as SystemExecution
from trainwright.types.system_types import Train as Train
from trainwright.types.system_types import Transform as Transform
