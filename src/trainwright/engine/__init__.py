"""How a pass over data is run."""
