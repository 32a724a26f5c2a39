"""Tests that every backend of an interface must pass, and what they need."""
