"""Running pipelines on this machine."""
