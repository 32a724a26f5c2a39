"""`trainwright.dsl.base_node` under the name that TFX gives it."""

from trainwright.dsl.base_node import BaseNode as BaseNode
