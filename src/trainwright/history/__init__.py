"""What a person asks about the past: runs, their nodes, and what these have used and made."""
