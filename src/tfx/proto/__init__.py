"""TFX's names for the generated modules: `from tfx.proto import trainer_pb2`."""
