"""A Ray cluster: connecting to it, and what it is asked before it gets work."""
