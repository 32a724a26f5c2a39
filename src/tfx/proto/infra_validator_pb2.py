"""`trainwright.proto.infra_validator_pb2` under the name that TFX gives it."""

from trainwright.proto.infra_validator_pb2 import *
