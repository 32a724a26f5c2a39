"""`trainwright.proto.example_diff_pb2` under the name that TFX gives it."""

from trainwright.proto.example_diff_pb2 import *
