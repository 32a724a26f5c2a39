"""`trainwright.types.component_spec` under TFX's path."""

from trainwright.types.component_spec import ChannelParameter as ChannelParameter
from trainwright.types.component_spec import ComponentSpec as ComponentSpec
from trainwright.types.component_spec import ExecutionParameter as ExecutionParameter
