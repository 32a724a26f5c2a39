"""Beam flags: what `beam_pipeline_args` may be, and which runner they name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

# Beam's own names for runners on this machine, without "Runner" and in small letters.
_LOCAL_RUNNERS = frozenset({"direct", "bundlebaseddirect", "switchingdirect", "fnapi", "prism"})


def check_flags(flags: Iterable[str]) -> list[str]:
    """The flags as a list; raises TypeError if they are not strings."""
    given = [flags] if isinstance(flags, str) else list(flags)
    if isinstance(flags, str) or not all(isinstance(flag, str) for flag in given):
        raise TypeError(
            "beam_pipeline_args must be a list of strings such as "
            f"['--direct_num_workers=2'], got {flags!r}."
        )
    return given


def remote_runner(flags: Sequence[str]) -> str | None:
    """The runner that flags name, unless it is one on this machine; the last one counts.

    >>> remote_runner(["--runner=DirectRunner", "--runner", "DataflowRunner", "--region=x"])
    'DataflowRunner'
    >>> remote_runner(["--runner=DirectRunner", "--direct_num_workers=0"])
    """
    named = None
    for position, flag in enumerate(flags):
        name, separator, value = flag.partition("=")
        if name == "--runner":
            named = value if separator else next(iter(flags[position + 1 :]), None)
    if named is None:
        return None
    # A full name such as apache_beam.runners.direct.DirectRunner is possible, too.
    short = named.rpartition(".")[2].lower().removesuffix("runner")
    return None if short in _LOCAL_RUNNERS else named
