"""What TFX programs import from `tfx.orchestration` beside pipelines and runners."""
