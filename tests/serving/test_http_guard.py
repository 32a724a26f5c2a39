"""Hosts and origins that may ask, and how much of what they send is kept."""

import asyncio
import contextlib

import pytest

from trainwright.serving.errors import RequestError
from trainwright.serving.http_guard import BodyReader, HostCheck
from trainwright.serving.settings import ServingSettings


def is_allowed(check, host="localhost:8501", origin=""):
    headers = {b"host": host.encode(), b"origin": origin.encode()}
    try:
        check.check({name: value for name, value in headers.items() if value})
    except RequestError as error:
        return error.status != 403
    return True


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8501", "127.0.0.1:1", "[::1]:80", "LOCALHOST", ""]
)
def test_loopback_answers_for_itself(host):
    assert is_allowed(HostCheck("127.0.0.1"), host)


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8501",
        "localhost.evil.example",
        "127.0.0.1.evil",
        "[::1",
        "10.0.0.1",
    ],
)
def test_a_name_that_only_points_to_loopback_is_refused(host):
    assert is_allowed(HostCheck("127.0.0.1"), host) == (host == "[::1")
    assert not is_allowed(HostCheck("::1"), "evil.example")


def test_names_can_be_allowed():
    check = HostCheck("127.0.0.1", ["Models.Example"])
    assert is_allowed(check, "models.example:443")
    assert not is_allowed(check, "other.example")


def test_a_server_for_everybody_answers_for_every_host_unless_some_are_named():
    assert is_allowed(HostCheck("0.0.0.0"), "anything.example")
    assert not is_allowed(HostCheck("0.0.0.0", ["models.example"]), "anything.example")
    assert is_allowed(HostCheck("0.0.0.0", ["models.example"]), "localhost")


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://localhost:3000", "file://x"]
)
def test_pages_of_other_servers_may_not_ask(origin):
    assert not is_allowed(HostCheck("127.0.0.1"), origin=origin)
    assert not is_allowed(HostCheck("0.0.0.0"), origin=origin)
    assert is_allowed(HostCheck("127.0.0.1"), origin="http://localhost:8501")


def test_bodies_are_bounded_together_and_given_back():
    """Eight of the largest, whoever sends them; the ninth may come when one is answered."""
    reader = BodyReader(ServingSettings(max_body_bytes=100))

    async def receive():
        return {"type": "http.request", "body": b"a" * 100, "more_body": False}

    async def read(body):
        await reader.read({}, receive, body)

    async def main():
        with contextlib.ExitStack() as others, reader.hold() as first:
            await read(first)
            assert first == b"a" * 100
            for _ in range(7):
                await read(others.enter_context(reader.hold()))
            with reader.hold() as ninth, pytest.raises(RequestError, match="too busy") as raised:
                await read(ninth)
            assert raised.value.status == 503
            others.close()
            with reader.hold() as again:
                await read(again)

    asyncio.run(main())


@pytest.mark.parametrize(
    "wrong",
    [{"max_batch_size": 0}, {"timeout_seconds": 0}, {"max_queue": 1.5}, {"threads": True}],
)
def test_settings_are_checked(wrong):
    with pytest.raises((TypeError, ValueError), match=f"{next(iter(wrong))} is .*: expected"):
        ServingSettings(**wrong)
