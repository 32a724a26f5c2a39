"""`trainwright.proto.pusher_pb2` under the name that TFX gives it."""

from trainwright.proto.pusher_pb2 import *
