"""TFX's runners and their configs: those of this machine run, those of other systems say so."""
