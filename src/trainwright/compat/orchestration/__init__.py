"""Names of `tfx.orchestration` beside pipelines and runners."""
