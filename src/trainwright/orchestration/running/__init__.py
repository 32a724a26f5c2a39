"""Running: the parts of a run's loop, which `pipeline_run.py` puts together."""
