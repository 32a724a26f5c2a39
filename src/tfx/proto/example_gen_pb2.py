"""`trainwright.proto.example_gen_pb2` under the name that TFX gives it."""

from trainwright.proto.example_gen_pb2 import *
