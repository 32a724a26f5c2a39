"""ML Metadata's own interface: its messages, store and errors, under its own names."""
