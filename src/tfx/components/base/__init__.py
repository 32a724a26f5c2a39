"""The oldest path to the base classes, which are in `tfx.dsl.components.base`."""
