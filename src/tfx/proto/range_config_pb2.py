"""`trainwright.proto.range_config_pb2` under the name that TFX gives it."""

from trainwright.proto.range_config_pb2 import *
