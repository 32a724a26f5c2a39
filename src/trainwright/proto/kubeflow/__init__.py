"""Messages of TFX that have to do with Kubeflow Pipelines."""
