"""Eval configs: how they are written, read, completed and checked."""
