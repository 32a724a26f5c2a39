"""Planning: what a node gets in a run, and whether it must run at all."""
