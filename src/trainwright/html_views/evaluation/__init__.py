"""The parts of the page of an evaluation: verdict, metrics by slice, curves, what was evaluated."""
