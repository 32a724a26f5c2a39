"""Beam's flags on where a pipeline runs, read without importing Beam."""

from __future__ import annotations

import re
from collections.abc import Sequence

from trainwright.storage.uris import hide_credentials

# Beam's own runners within this process or beside it, without "Runner" and in small letters;
# people ask for one of them as InMemoryRunner.
RUNNERS_ON_THIS_MACHINE = frozenset(
    {"direct", "bundlebaseddirect", "switchingdirect", "testdirect", "fnapi", "prism"}
)
# Those that Beam knows by a short name.
KNOWN_RUNNERS = (
    "DaskRunner",
    "DataflowRunner",
    "DirectRunner",
    "FlinkRunner",
    "InMemoryRunner",
    "InteractiveRunner",
    "KafkaStreamsRunner",
    "PortableRunner",
    "PrismRunner",
    "SparkRunner",
)
_LESS_KNOWN = frozenset({"bundlebaseddirect", "fnapi", "render", "switchingdirect"})
_HIDDEN = r"[\w-]*(?:secret|passw|token|access_key|credential)[\w-]*"
_HIDDEN_FLAG = re.compile(rf"({_HIDDEN}=|--{_HIDDEN} (?!-))[^&\s]+", re.IGNORECASE)
# What Beam calls its runner in this process is not what people call it.
_ALIASES = {"inmemory": "FnApiRunner"}


def flag_value(flags: Sequence[str], name: str) -> str | None:
    """The value of a flag, as `--name=value` or `--name value`; the last one counts.

    >>> flag_value(["--runner=DirectRunner", "--runner", "FlinkRunner"], "runner")
    'FlinkRunner'
    """
    found = None
    for position, flag in enumerate(flags):
        if flag == f"--{name}":
            following = "".join(flags[position + 1 : position + 2])
            found = None if following.startswith("--") else following
        elif flag.startswith(f"--{name}="):
            found = flag.partition("=")[2]
    return found


def shown(text: str) -> str:
    """Flags, or what Beam says, as messages show it: no passwords in addresses, no secret keys.

    >>> shown("--temp_location=s3://key:a/b@bucket/temp --s3_secret_access_key=abc --job_name=a")
    '--temp_location=s3://bucket/temp --s3_secret_access_key=*** --job_name=a'
    """
    return _HIDDEN_FLAG.sub(r"\1***", hide_credentials(text))


def short_name(runner: str) -> str:
    """A runner's name as it is compared.

    >>> short_name("apache_beam.runners.direct.DirectRunner"), short_name("flink")
    ('direct', 'flink')
    """
    return runner.rpartition(".")[2].lower().removesuffix("runner")


def is_known(runner: str) -> bool:
    """Whether Beam may know a runner: by a short name, or as a class of some module.

    >>> is_known("flink"), is_known("my_package.OurRunner"), is_known("InMemoryRuner")
    (True, True, False)
    """
    name = short_name(runner).removeprefix("test")
    return "." in runner or name in _LESS_KNOWN or name in map(short_name, KNOWN_RUNNERS)


def beams_name(runner: str) -> str:
    """What Beam calls a runner.

    >>> beams_name("InMemoryRunner"), beams_name("FlinkRunner")
    ('FnApiRunner', 'FlinkRunner')
    """
    return _ALIASES.get(short_name(runner), runner)


def runs_on_this_machine(flags: Sequence[str]) -> bool:
    """Whether the workers are processes of this machine, and see its files."""
    runner = short_name(flag_value(flags, "runner") or "")
    loops_back = (flag_value(flags, "environment_type") or "").upper() == "LOOPBACK"
    return loops_back or runner in RUNNERS_ON_THIS_MACHINE
