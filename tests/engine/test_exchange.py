"""The place where a caller and Beam's workers leave bytes for each other."""

import os
import time
import uuid
from pathlib import Path

import pytest

from trainwright.engine.on_beam.beam_tasks import begun_name, done_name, read_begun, read_done
from trainwright.engine.on_beam.exchange import OPEN, Exchange, ExchangeError

TWO_DAYS = 2 * 24 * 3600


@pytest.fixture
def exchange(tmp_path):
    return Exchange.make(str(tmp_path), "key")


def test_what_is_written_is_read(exchange):
    exchange.write("out-0/7", b"some bytes")
    assert exchange.read("out-0/7") == b"some bytes"
    assert exchange.read("out-0/8") is None


@pytest.mark.parametrize("content", [b"", b"short", b"longer than a signature is, by some bytes"])
def test_what_others_write_is_refused(exchange, content):
    place = Path(exchange.place, "out-0")
    place.mkdir()
    (place / "7").write_bytes(content)
    with pytest.raises(ExchangeError, match="^out-0/7 in .* written or changed by something else"):
        exchange.read("out-0/7")


def test_nothing_counts_in_the_place_of_something_else(exchange):
    exchange.write("out-0/7", b"some bytes")
    os.rename(Path(exchange.place, "out-0", "7"), Path(exchange.place, "out-0", "8"))
    with pytest.raises(ExchangeError):
        exchange.read("out-0/8")


def test_who_makes_one_removes_what_killed_callers_have_left(tmp_path):
    left, waiting = Exchange.make(str(tmp_path), "key"), Exchange.make(str(tmp_path), "key")
    for one in (left, waiting):
        one.write(OPEN, b"")
    then = time.time() - TWO_DAYS
    os.utime(Path(left.place, OPEN), (then, then))
    (tmp_path / "of-somebody-else").mkdir()
    new = Exchange.make(str(tmp_path), "key")
    there = {str(path) for path in tmp_path.iterdir()}
    assert there == {waiting.place, new.place, str(tmp_path / "of-somebody-else")}


def test_in_an_object_store_too(monkeypatch):
    pytest.importorskip("obstore", reason="pip install 'trainwright[storage]'")
    from trainwright.storage import objects

    place = f"memory://exchange-{uuid.uuid4().hex[:12]}/temp"
    left = Exchange.make(place, "key")
    left.write(OPEN, b"")
    left.write("tasks/0", b"some data")
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + TWO_DAYS)
    Exchange.make(place, "key")
    assert objects.list_tree(place) == []


def test_what_was_begun_and_done_is_listed_without_what_is_none_of_ours(tmp_path):
    exchange = Exchange(str(tmp_path), "key")
    assert (read_begun(exchange), read_done(exchange, 1)) == ([], set())
    for position, (level, number) in enumerate([(0, 7), (1, 0), (0, 3)]):
        exchange.write(begun_name(level, number), b"")
        os.utime(tmp_path / begun_name(level, number), (position, position))
    exchange.write(done_name(0, 7), b"")
    for name in ("begun/0-1.3f", "begun/a-b", "begun/1", "done-0/\u0664"):
        exchange.write(name, b"")
    assert read_begun(exchange) == [(0, 7), (1, 0), (0, 3)]
    assert read_done(exchange, 1) == {(0, 7)}
