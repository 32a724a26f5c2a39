"""The strategies of a Resolver, under TFX's path."""
