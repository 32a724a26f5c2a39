"""Beam flags: what `beam_pipeline_args` may be, and which runner they name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from trainwright._checks import mismatch
from trainwright.engine.on_beam.beam_flags import RUNNERS_ON_THIS_MACHINE, short_name
from trainwright.types.placeholders.placeholder import Placeholder

_RUNNER_IN_THIS_PROCESS = "--runner=DirectRunner"


def check_flags(flags: Iterable[Any]) -> list[Any]:
    """The flags as a list; raises TypeError if they are not strings, or placeholders for them."""
    given = [flags] if isinstance(flags, str) else list(flags)
    if isinstance(flags, str) or not all(isinstance(flag, (str, Placeholder)) for flag in given):
        expected = "a list of strings such as ['--direct_num_workers=2']"
        raise TypeError(mismatch("beam_pipeline_args", flags, expected))
    return given


def with_runner(flags: Sequence[str]) -> list[str]:
    """The flags, and the runner of this process if they name none.

    It is named outright: what Beam takes by default tries to download a runner first.
    """
    names_one = any(flag.split("=")[0] == "--runner" for flag in flags)
    return [*flags] if names_one else [_RUNNER_IN_THIS_PROCESS, *flags]


def remote_runner(flags: Sequence[str]) -> str | None:
    """The runner that flags name, unless it is one on this machine; the last one counts.

    >>> remote_runner(["--runner=DirectRunner", "--runner", "DataflowRunner", "--region=x"])
    'DataflowRunner'
    >>> remote_runner(["--runner=DirectRunner", "--direct_num_workers=0"])
    """
    named = [value for _, value in _runner_flags(flags) if value]
    if not named:
        return None
    return None if short_name(named[-1]) in RUNNERS_ON_THIS_MACHINE else named[-1]


def misspelt_runner(flags: Sequence[str]) -> str | None:
    """A flag that was to name a runner and names none: its dashes or its value are missing.

    >>> misspelt_runner(["--region=x", "runner=DataflowRunner"])
    'runner=DataflowRunner'
    """
    return next((flag for flag, value in _runner_flags(flags) if not value), None)


def _runner_flags(flags: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each flag about a runner, and the runner that it names; "" if Beam would find none in it."""
    for position, flag in enumerate(flags):
        name, has_value, value = flag.partition("=")
        if name == "--runner":
            following = "".join(flags[position + 1 : position + 2])
            yield flag, value if has_value else ("" if following.startswith("-") else following)
        elif name.lstrip("-") == "runner":
            before = flags[position - 1] if position else ""
            may_be_a_value = not has_value and before.startswith("--") and "=" not in before
            if not may_be_a_value:
                yield flag, ""
