"""`trainwright.proto.kubeflow.kfp_component_spec_pb2` under the name that TFX gives it."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from trainwright.proto.kubeflow.kfp_component_spec_pb2 import *
from trainwright.proto.kubeflow.kfp_component_spec_pb2 import DESCRIPTOR as DESCRIPTOR
