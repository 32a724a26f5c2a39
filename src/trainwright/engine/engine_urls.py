"""URLs of built-in engines: `ray://host:6379?processes=8`, `beam://?runner=...`."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote_plus, urlencode

from trainwright._errors import TrainwrightError
from trainwright._suggest import did_you_mean
from trainwright.engine.on_beam.beam_flags import (
    KNOWN_RUNNERS,
    RUNNERS_ON_THIS_MACHINE,
    beams_name,
    flag_value,
    is_known,
    short_name,
    shown,
)
from trainwright.ray_cluster.addresses import check_address, split_address
from trainwright.storage.uris import check_uri, has_credentials, is_supported

LOCAL, RAY, BEAM = "local", "ray", "beam"

_LOCAL_OPTIONS = ("processes",)
_RAY_OPTIONS = ("filesystem", "processes")
_BEAM_OPTIONS = ("filesystem", "flag", "runner", "start_seconds")
_FILESYSTEMS = {"shared": True, "own": False}


class EngineChoiceError(TrainwrightError, ValueError):
    """There is no engine of a name, or not with these options."""


@dataclass(frozen=True, kw_only=True)
class RayOptions:
    """What `ray://address?options` says; see `RayEngine`."""

    address: str = ""
    processes: int | None = None
    shares_filesystem: bool | None = None


@dataclass(frozen=True, kw_only=True)
class BeamOptions:
    """What `beam://?options` says; see `BeamEngine`."""

    flags: Sequence[str]
    shares_filesystem: bool | None = None
    start_seconds: float | None = None


def read_local_options(rest: str) -> int | None:
    """The number of processes that what follows `local://` asks for; None if it asks for none.

    >>> read_local_options("?processes=2")
    2
    """
    place, _, query = rest.partition("?")
    if place:
        raise EngineChoiceError(
            f"The local engine was given {LOCAL}://{_shown(rest)}: expected {LOCAL} alone, or "
            f"{LOCAL}://?processes=2 with a number of processes."
        )
    options = dict(_pairs(LOCAL, rest, query))
    _check_names(LOCAL, rest, options, _LOCAL_OPTIONS)
    return _number(LOCAL, rest, options.get("processes"))


def read_ray_options(rest: str) -> RayOptions:
    """What follows `ray://`.

    >>> read_ray_options("10.0.0.5:6379?filesystem=own").shares_filesystem
    False
    """
    try:
        check_address(f"The URL of the Ray engine, {RAY}://...,", rest)
    except ValueError as error:
        raise EngineChoiceError(str(error)) from None
    address, _, query = rest.partition("?")
    options = dict(_pairs(RAY, rest, query))
    _check_names(RAY, rest, options, _RAY_OPTIONS)
    if address not in ("", "auto") and split_address(address) is None:
        raise EngineChoiceError(
            f"The Ray engine was given {RAY}://{_shown(rest)}: expected {RAY}://host:6379, with "
            f"the address of a cluster's head, {RAY}://auto for the cluster that runs on this "
            f"machine, or {RAY} alone for one that is started here."
        )
    return RayOptions(
        address=address,
        processes=_number(RAY, rest, options.get("processes")),
        shares_filesystem=_filesystem(RAY, rest, options.get("filesystem")),
    )


def read_beam_options(rest: str) -> BeamOptions:
    """What follows `beam://`: options of the engine, and any others as Beam's flags.

    >>> read_beam_options("?runner=FlinkRunner&flink_master=host:8081").flags
    ['--runner=FlinkRunner', '--flink_master=host:8081']
    """
    place, _, query = rest.partition("?")
    pairs = _pairs(BEAM, rest, query)
    own = {name: value for name, value in pairs if name in ("filesystem", "start_seconds")}
    for name in {name for name, _ in pairs} - set(_BEAM_OPTIONS):
        if difflib.get_close_matches(name, _BEAM_OPTIONS, n=1, cutoff=0.8):
            raise _unknown_option(BEAM, rest, name, _BEAM_OPTIONS)
    flags = [
        value if name == "flag" else f"--{name}={value}" for name, value in pairs if name not in own
    ]
    runner = flag_value(flags, "runner")
    if place or not runner:
        raise EngineChoiceError(
            f"The Beam engine was given {BEAM}://{_shown(rest)}: expected "
            f"{BEAM}://?runner=FlinkRunner, or another of Beam's runners, and Beam's flags after "
            "it as &name=value."
        )
    if not is_known(runner):
        raise EngineChoiceError(
            f"Beam has no runner {runner!r}{did_you_mean(runner, KNOWN_RUNNERS)} One of yours is "
            "named with its module, as my_package.runners.OurRunner."
        )
    if beams_name(runner) != runner:
        flags.append(f"--runner={beams_name(runner)}")
    _check_temporary_place(flag_value(flags, "temp_location") or "")
    return BeamOptions(
        flags=flags,
        shares_filesystem=_filesystem(BEAM, rest, own.get("filesystem")),
        start_seconds=_number(BEAM, rest, own.get("start_seconds")),
    )


def engine_of_flags(flags: Sequence[str]) -> str | None:
    """The engine that `beam_pipeline_args` choose by naming a runner; None if they choose none.

    Beam's runners of this machine stand for the local engine: that is what people mean by them.

    >>> engine_of_flags(["--runner=DirectRunner", "--direct_num_workers=2"])
    'local://?processes=2'
    >>> engine_of_flags(["--runner=FlinkRunner"])
    'beam://?flag=--runner%3DFlinkRunner'
    """
    runner = flag_value(flags, "runner")
    if runner and short_name(runner) not in RUNNERS_ON_THIS_MACHINE:
        pairs = [("flag", flag) for flag in flags]
        if beams_name(runner) != runner:
            pairs.append(("flag", f"--runner={beams_name(runner)}"))
        return f"{BEAM}://?{urlencode(pairs)}"
    workers = flag_value(flags, "direct_num_workers") or ""
    return f"{LOCAL}://?processes={int(workers)}" if workers.strip("0").isdecimal() else None


def _check_temporary_place(place: str) -> None:
    try:
        if is_supported(place) or has_credentials(place):
            check_uri(place, "--temp_location of the Beam engine")
    except ValueError as error:
        raise EngineChoiceError(str(error)) from None


def _shown(rest: str) -> str:
    """What follows `://`, as messages show it."""
    hidden = shown(unquote_plus(rest))
    return rest if hidden == unquote_plus(rest) else hidden


def _pairs(name: str, rest: str, query: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query))
    except ValueError:
        raise EngineChoiceError(
            f"{name}://{_shown(rest)} is not the URL of an engine: what follows the question mark "
            "is expected as option=value, several with & between them."
        ) from None


def _check_names(name: str, rest: str, given: Collection[str], known: Collection[str]) -> None:
    for option in given:
        if option not in known:
            raise _unknown_option(name, rest, option, known)


def _unknown_option(name: str, rest: str, option: str, known: Collection[str]) -> EngineChoiceError:
    return EngineChoiceError(
        f"{name}://{_shown(rest)} has an option {option!r} that the engine does not have"
        f"{did_you_mean(option, known)}"
    )


def _number(name: str, rest: str, value: str | None) -> int | None:
    if value is None:
        return None
    if not value.isdecimal() or int(value) < 1:
        raise EngineChoiceError(
            f"{name}://{_shown(rest)} has {value!r} for a number: expected one of at least 1."
        )
    return int(value)


def _filesystem(name: str, rest: str, value: str | None) -> bool | None:
    if value is None:
        return None
    if value not in _FILESYSTEMS:
        raise EngineChoiceError(
            f"{name}://{_shown(rest)} has filesystem={value}{did_you_mean(value, _FILESYSTEMS)} It "
            "is shared if the engine's machines see this machine's files under the same paths."
        )
    return _FILESYSTEMS[value]
