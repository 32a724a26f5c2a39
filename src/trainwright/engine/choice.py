"""The engine of a pipeline, by name or URL: `local://?processes=2`, `ray://host:port`, `beam://...`."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterator, Sequence

from trainwright import _plugins
from trainwright._suggest import did_you_mean
from trainwright.engine.engine import Engine
from trainwright.engine.engine_urls import (
    BEAM,
    LOCAL,
    RAY,
    read_beam_options,
    read_local_options,
    read_ray_options,
)
from trainwright.engine.engine_urls import EngineChoiceError as EngineChoiceError
from trainwright.engine.local_engine import INLINE_BYTES, LocalEngine

_logger = logging.getLogger(__name__)

# Entry points of other packages, by name: each is called without arguments, or with the address
# that follows `name://`, and returns an Engine.
PLUGIN_GROUP = "trainwright.engines"


def check_engine(choice: str | None) -> None:
    """Refuses, before a run, a name that neither Trainwright nor an installed package has.

    What another package offers is not imported for it: that may take long, and only nodes that
    really run need it.

    Raises:
        EngineChoiceError: with the names that there are.
        PluginError: if several packages offer that name.

    >>> check_engine("local://?processes=2")
    """
    name, address = _split(choice)
    if name == LOCAL:
        read_local_options(address)
    elif name == RAY:
        read_ray_options(address)
    elif name == BEAM:
        _open_built_in(name, address, ())  # which imports nothing of Beam's yet
    elif not _plugins.is_offered(PLUGIN_GROUP, name):
        raise _unknown(name)


def open_engine(
    choice: str | None = None,
    *,
    inline_bytes: int = INLINE_BYTES,
    preload: Sequence[str] = (),
    can_fork: Callable[[], bool] = lambda: False,
) -> Engine:
    """The engine that was chosen for a node: the one place where components get theirs.

    Args:
        choice: A name or URL, which an executor has as `self.context.engine`; None is `local`.
        inline_bytes: For the local engine; `LocalEngine` says what it means.
        preload: Likewise.
        can_fork: Likewise.

    Raises:
        EngineChoiceError: if there is no engine of that name.
        PluginError: if what a package offers under that name is not an engine.

    Example:
        ```py
        with open_engine(self.context.engine) as engine:
            words = engine.accumulate(PassSpec("my_package.counting:CountWords"), shards)
        ```
    """
    name, address = _split(choice)
    if name == LOCAL:
        return LocalEngine(
            read_local_options(address),
            inline_bytes=inline_bytes,
            preload=preload,
            can_fork=can_fork,
        )
    if name in (RAY, BEAM):
        return _open_built_in(name, address, preload)
    factory = _plugins.find(PLUGIN_GROUP, name)
    if factory is None:
        raise _unknown(name)
    if not callable(factory):
        raise _plugins.refuse(
            PLUGIN_GROUP, name, f"which is a {type(factory).__name__}: expected an Engine class"
        )
    engine = factory(address) if address else factory()
    if not isinstance(engine, Engine):
        raise _plugins.refuse(
            PLUGIN_GROUP,
            name,
            f"which made a {type(engine).__name__}: expected an object of a subclass of "
            "trainwright.engine.engine.Engine",
        )
    return engine


def _open_built_in(name: str, address: str, preload: Sequence[str]) -> Engine:
    # Each is imported by who chooses it.
    if name == RAY:
        from trainwright.engine.on_ray.ray_engine import RayEngine

        ray = read_ray_options(address)
        return RayEngine(
            ray.address,
            processes=ray.processes,
            shares_filesystem=ray.shares_filesystem,
            preload=preload,
        )
    from trainwright.engine.on_beam.beam_engine import BeamEngine

    beam = read_beam_options(address)
    return BeamEngine(
        beam.flags,
        shares_filesystem=beam.shares_filesystem,
        start_seconds=beam.start_seconds,
        preload=preload,
    )


@contextlib.contextmanager
def engine_for_files(
    engine: Engine,
    *,
    carried: bool = True,
    inline_bytes: int = INLINE_BYTES,
    preload: Sequence[str] = (),
    can_fork: Callable[[], bool] = lambda: False,
) -> Iterator[Engine]:
    """The engine itself, or the local one where what a pass writes would not come back.

    Args:
        engine: The one that was chosen.
        carried: Whether the shards say what they read and write, so that an engine that carries
            files can bring it.
        inline_bytes: For the local engine.
        preload: Likewise.
        can_fork: Likewise.

    Example: `with engine_for_files(engine) as writing: writing.map(spec, shards)`
    """
    if engine.shares_filesystem or (carried and engine.carries_files):
        yield engine
        return
    _logger.info(
        "%s shares no filesystem with this process: passes that write files run on this machine.",
        type(engine).__name__,
    )
    with LocalEngine(inline_bytes=inline_bytes, preload=preload, can_fork=can_fork) as local:
        yield local


def _split(choice: str | None) -> tuple[str, str]:
    """The name and the address of a choice.

    >>> _split("ray://host:10001"), _split("local"), _split(None)
    (('ray', 'host:10001'), ('local', ''), ('local', ''))
    """
    name, _, address = (choice or LOCAL).partition("://")
    return name, address


def _unknown(name: str) -> EngineChoiceError:
    known = [BEAM, LOCAL, RAY, *_plugins.names(PLUGIN_GROUP)]
    return EngineChoiceError(
        f"There is no engine {name!r}{did_you_mean(name, known)} Installed packages add others by "
        f"entry points of the group {PLUGIN_GROUP}: see docs/extending.md."
    )
