"""`trainwright.dsl.node_options` under TFX's path."""

from trainwright.dsl.node_options import NodeExecutionOptions as NodeExecutionOptions
from trainwright.dsl.node_options import TriggerStrategy as TriggerStrategy
