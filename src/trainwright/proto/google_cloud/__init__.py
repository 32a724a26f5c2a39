"""Messages of TFX that have to do with Google Cloud."""
