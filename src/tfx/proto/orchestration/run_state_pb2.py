"""`trainwright.proto.orchestration.run_state_pb2` under the name that TFX gives it."""

from trainwright.proto.orchestration.run_state_pb2 import *
