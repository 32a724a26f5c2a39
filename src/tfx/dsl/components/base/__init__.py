"""The base classes of components, a module each."""
