"""File names of an evaluation."""

from __future__ import annotations

EVAL_CONFIG_FILE = "eval_config.json"

# How the names of the other files begin.
METRICS = "metrics"
PLOTS = "plots"
ATTRIBUTIONS = "attributions"
VALIDATIONS = "validations"

# Whose format these files have; TFMA refuses a config without a version.
TFMA_VERSION = "0.52.0"
