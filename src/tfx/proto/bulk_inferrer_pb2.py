"""`trainwright.proto.bulk_inferrer_pb2` under the name that TFX gives it."""

from trainwright.proto.bulk_inferrer_pb2 import *
