"""Publishing: a node's outputs on disk and in the store."""
