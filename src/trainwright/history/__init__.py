"""History: runs, their nodes, and the artifacts that these have used and made."""
