"""Processes of our own: how they are started, spoken to, kept busy, and how they end."""
