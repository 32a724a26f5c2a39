"""The versions this project speaks of."""

__version__ = "0.1.0"

# The TFX release whose API the `tfx` package gives.
TFX_API_VERSION = "1.21.0"
TFX_VERSION = f"{TFX_API_VERSION}+trainwright.{__version__}"
