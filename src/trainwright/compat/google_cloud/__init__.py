"""TFX's components for Google Cloud: they are declared, and the check before a run says what to use
instead."""
