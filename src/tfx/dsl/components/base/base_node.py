"""`trainwright.dsl.base_node` under TFX's path."""

from trainwright.dsl.base_node import BaseNode as BaseNode
