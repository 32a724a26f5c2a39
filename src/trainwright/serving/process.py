"""The process of a server: it binds, loads, listens, and drains before it ends."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import functools
import logging
import os
import signal
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from typing import Any

from trainwright._errors import TrainwrightError
from trainwright._imports import require
from trainwright.processes.frame import send_message
from trainwright.serving.errors import ModelLoadError
from trainwright.serving.http_guard import HostCheck
from trainwright.serving.metrics import ServingMetrics
from trainwright.serving.model_directory import ModelDirectory
from trainwright.serving.settings import ServingSettings
from trainwright.serving.tensorflow_start import start_tensorflow
from trainwright.serving.versions import ModelVersions

_logger = logging.getLogger(__name__)

# A server of many connections needs a descriptor for each; what systems allow by default.
_MOST_CONNECTIONS = 1000
# After this long, requests that were begun are given up when the server ends.
_SECONDS_TO_DRAIN = 30
_SECONDS_TO_UNLOAD = 10
_BACKLOG = 2048


class CannotServeError(TrainwrightError, RuntimeError):
    """The server cannot start; the message says why and what to do."""


@dataclass(frozen=True, kw_only=True)
class ServerOptions:
    """What a server is started with.

    Args:
        directory: The model.
        host: The address to listen on.
        port: Of the server; 0 takes a free one.
        only: The versions to serve; the newest if empty.
        labels: Names for versions.
        allowed_hosts: Names under which the server is asked, beside those of loopback.
        settings: The limits.
        must_load: Whether the server ends if there is no version that can be loaded; else it
            waits for one.
    """

    directory: ModelDirectory
    host: str = "127.0.0.1"
    port: int = 8501
    only: frozenset[int] = frozenset()
    labels: Mapping[str, int] = field(default_factory=dict)
    allowed_hosts: Sequence[str] = ()
    settings: ServingSettings = field(default_factory=ServingSettings)
    must_load: bool = False

    def to_json(self) -> dict[str, Any]:
        """The options as JSON, for a process that is started with them."""
        return {**asdict(self), "only": sorted(self.only), "labels": dict(self.labels)}

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> ServerOptions:
        """The inverse of `to_json`."""
        return cls(
            **{
                **fields,
                "directory": ModelDirectory(**fields["directory"]),
                "settings": ServingSettings(**fields["settings"]),
                "only": frozenset(fields["only"]),
            }
        )


@dataclass(frozen=True, kw_only=True)
class Started:
    """A server that listens: its address, and the versions that it serves."""

    host: str
    port: int
    name: str
    versions: Sequence[int]

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}/v1/models/{self.name}"


def serve(options: ServerOptions, on_started: Callable[[Started], None]) -> None:
    """Serves until SIGTERM or SIGINT, then answers what was begun and returns.

    The port is taken before the model is loaded, so that one that is in use is told at once; who
    connects before it is loaded waits.

    Args:
        options: What to serve, where.
        on_started: Is told when the server listens.

    Raises:
        CannotServeError: if the port cannot be bound, or the model not be loaded.
        KeyboardInterrupt: after SIGINT.
        ModuleNotFoundError: if the extra `serve` is not installed.
    """
    require("starlette", "serve")
    require("uvicorn", "serve")
    with contextlib.closing(bind(options.host, options.port)) as listener:
        start_tensorflow()
        asyncio.run(_serve(options, listener, on_started))


def bind(host: str, port: int) -> socket.socket:
    """A socket that listens at an address.

    Raises:
        CannotServeError: if it cannot be had; the message says why.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError, OverflowError) as error:
        raise CannotServeError(
            f"The host {host!r} is not known here: {error}. Use 127.0.0.1 for this machine alone, "
            "or an address of this machine."
        ) from error
    family, kind, protocol, _, address = found[0]
    bound = socket.socket(family, kind, protocol)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        # At once: two that have only bound the same port do not notice each other.
        bound.listen(_BACKLOG)
    except OSError as error:
        bound.close()
        raise CannotServeError(_describe_bind_error(host, port, error)) from error
    return bound


def _describe_bind_error(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"The port {port} of {host} is taken: another program listens there. Name another with "
            "--port, or take any that is free with --port 0."
        )
    if error.errno == errno.EACCES:
        return f"The port {port} may not be used by this user. Name one above 1023 with --port."
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{host} is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 for all."
    return f"The server cannot listen at {host}:{port}: {error.strerror}."


async def _serve(
    options: ServerOptions, listener: socket.socket, on_started: Callable[[Started], None]
) -> None:
    from anyio import move_on_after

    from trainwright.serving.app import ServingApp, make_app
    from trainwright.serving.servable import load_servable
    from trainwright.serving.uvicorn_server import GracefulServer

    settings = options.settings
    metrics = ServingMetrics(options.directory.name)
    with (
        _executor("trainwright-compute", settings.computing_threads) as computing,
        _executor("trainwright-parse", 2) as parsing,
        _executor("trainwright-load", 2) as loading,
    ):
        load = functools.partial(
            load_servable, executor=computing, settings=settings, metrics=metrics
        )
        versions = ModelVersions(
            options.directory,
            load,
            loading,
            metrics,
            only=options.only,
            labels=options.labels,
        )
        await versions.refresh()
        _check_loaded(options, versions)

        @contextlib.asynccontextmanager
        async def lifespan(app: Any) -> AsyncIterator[None]:
            watching = asyncio.create_task(versions.watch(settings.poll_seconds))
            try:
                yield
            finally:
                watching.cancel()
                with move_on_after(_SECONDS_TO_UNLOAD):
                    await versions.close()

        hosts = HostCheck(options.host, options.allowed_hosts)
        app = make_app(ServingApp(versions, settings, metrics, hosts, parsing), lifespan)
        host, port = listener.getsockname()[:2]
        started = Started(
            host=host, port=port, name=versions.name, versions=tuple(versions.available)
        )
        server = GracefulServer(
            app,
            lambda: on_started(started),
            idle_seconds=settings.idle_seconds,
            most_connections=_MOST_CONNECTIONS,
            seconds_to_drain=_SECONDS_TO_DRAIN,
        )
        with _signals_do_not_kill():
            await server.serve(sockets=[listener])


def _check_loaded(options: ServerOptions, versions: ModelVersions) -> None:
    """Refuses to start where nothing can be served and nothing else will come."""
    if versions.available:
        return
    failed = [version for version in versions.statuses() if version.problem]
    if failed and (options.must_load or options.directory.only_version is not None):
        raise CannotServeError(failed[0].problem)
    if options.must_load:
        raise CannotServeError(f"There is no version to serve at {options.directory.path}.")


@contextlib.contextmanager
def _executor(name: str, threads: int) -> Iterator[ThreadPoolExecutor]:
    executor = ThreadPoolExecutor(threads, thread_name_prefix=name)
    try:
        yield executor
    finally:
        # A computation that does not end would keep the process.
        executor.shutdown(wait=False, cancel_futures=True)


@contextlib.contextmanager
def _signals_do_not_kill() -> Iterator[None]:
    """uvicorn raises a signal again when it has ended by it, which is for us to end in order.

    Ctrl-C becomes the KeyboardInterrupt that it is elsewhere.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    seen: list[int] = []
    before = {
        number: signal.signal(number, lambda number, frame: seen.append(number))
        for number in (signal.SIGTERM, signal.SIGINT)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if signal.SIGINT in seen:
        raise KeyboardInterrupt


def serve_for_parent(sock: socket.socket, options: Mapping[str, Any]) -> None:
    """What a `Child` does that is a server: it tells its port, and ends with its parent."""
    _end_with(sock)

    def tell(started: Started) -> None:
        send_message(sock, {"port": started.port})

    try:
        serve(ServerOptions.from_json(options), tell)
    except (CannotServeError, ModelLoadError, ModuleNotFoundError) as error:
        send_message(sock, {"error": str(error)})


def _end_with(sock: socket.socket) -> None:
    """Ends this process when the other end of the socket is closed."""

    def wait() -> None:
        with contextlib.suppress(OSError):
            sock.recv(1)
        os._exit(0)

    threading.Thread(target=wait, daemon=True).start()
