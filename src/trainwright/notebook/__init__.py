"""Components run one by one in a notebook, and what they made drawn in its cells."""
