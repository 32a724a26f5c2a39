"""TFMA's files and messages."""
