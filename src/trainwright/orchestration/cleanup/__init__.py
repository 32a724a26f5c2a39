"""Cleanup: what runs that died left behind, and what nobody needs any more."""
