"""`trainwright.dsl.conditional` under TFX's path."""

from typing import TYPE_CHECKING

from tfx._names import missing_names
from trainwright.dsl.conditional import Cond as Cond

if not TYPE_CHECKING:
    __getattr__ = missing_names(__name__, ("CondContext", "get_predicates"))
