"""Connections on which nothing is asked are closed, and those that are answered slowly are not."""

import asyncio
import contextlib
import socket

import pytest

from trainwright.serving.uvicorn_server import GracefulServer

pytestmark = pytest.mark.not_quick  # waits


async def slow_app(scope, receive, send):
    if scope["type"] == "lifespan":
        for kind in ("startup", "shutdown"):
            await receive()
            await send({"type": f"lifespan.{kind}.complete"})
        return
    await asyncio.sleep(1.2)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"slow"})


def with_server(story, idle_seconds=0.4):
    async def main():
        listener = socket.create_server(("127.0.0.1", 0))
        started = asyncio.Event()
        server = GracefulServer(
            slow_app,
            started.set,
            idle_seconds=idle_seconds,
            most_connections=10,
            seconds_to_drain=5,
        )
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        await asyncio.wait_for(started.wait(), 10)
        try:
            await asyncio.wait_for(story(listener.getsockname()[1]), 20)
        finally:
            server.should_exit = True
            await serving

    asyncio.run(main())


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nhost: localhost\r\nx-slow: a"])
def test_who_does_not_ask_is_sent_away(sent):
    async def story(port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sent)
        with contextlib.suppress(ConnectionError):
            assert await asyncio.wait_for(reader.read(), 10) == b""
        writer.close()

    with_server(story)


def test_headers_without_an_end_are_not_kept():
    async def story(port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\n")
        with contextlib.suppress(ConnectionError):
            for _ in range(10_000):
                writer.write(b"x: " + b"a" * 1000 + b"\r\n")
                await writer.drain()
            raise AssertionError("10 MB of headers were taken")
        assert reader.at_eof() or reader.exception() or await reader.read() is not None

    with_server(story)


def test_an_answer_that_takes_longer_arrives():
    async def story(port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in range(2):
            writer.write(b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n")
            assert b"200 OK" in await reader.readuntil(b"slow\r\n0\r\n\r\n")
        writer.close()

    # Shorter than the answer takes, and longer than a busy machine keeps the client from asking.
    with_server(story, idle_seconds=1.0)
