"""How artifacts are shown in the cells of a notebook."""
