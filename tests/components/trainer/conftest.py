"""The fixtures of trainings.py, for all tests of this directory."""

from trainings import all_trained, trained

__all__ = ["all_trained", "trained"]
