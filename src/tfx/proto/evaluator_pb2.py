"""`trainwright.proto.evaluator_pb2` under the name that TFX gives it."""

from trainwright.proto.evaluator_pb2 import *
