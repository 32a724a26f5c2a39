"""TFX's paths to the Pusher."""
