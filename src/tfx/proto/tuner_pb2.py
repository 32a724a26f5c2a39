"""`trainwright.proto.tuner_pb2` under the name that TFX gives it."""

from trainwright.proto.tuner_pb2 import *
