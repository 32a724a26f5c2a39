"""Errors of a Ray cluster, one for each thing that can be wrong."""

from __future__ import annotations

from trainwright._errors import TrainwrightError


class RayClusterError(TrainwrightError, RuntimeError):
    """A Ray cluster cannot be used; the subclasses say why."""


class RayUnreachableError(RayClusterError, ConnectionError):
    """Nothing answers at an address, or what answers is not a Ray cluster of this machine."""


class RayVersionError(RayClusterError):
    """Python, Ray or Trainwright are other versions in the cluster than here."""


class RayResourcesError(RayClusterError, ValueError):
    """Work needs more of a resource than any node of the cluster has."""
