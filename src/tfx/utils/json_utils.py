"""`trainwright.types.json_utils` under TFX's path."""

from trainwright.types.json_utils import Jsonable as Jsonable
from trainwright.types.json_utils import JsonableType as JsonableType
from trainwright.types.json_utils import dumps as dumps
from trainwright.types.json_utils import loads as loads
