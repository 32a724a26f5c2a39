"""Parts of TFX's DSL that it calls experimental."""
