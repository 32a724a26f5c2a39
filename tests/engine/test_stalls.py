"""A pass in which a shard hangs says so, on every engine, and goes on waiting."""

from __future__ import annotations

import pytest

from trainwright.engine import stalls
from trainwright.engine.local_engine import LocalEngine
from trainwright.testing.engine_contract import JOIN, word_shards

pytestmark = pytest.mark.not_quick  # waits, and imports Beam by halves


def beam_engine():
    pytest.importorskip("apache_beam", reason="pip install 'trainwright[beam]'")
    from trainwright.engine.on_beam.beam_engine import BeamEngine

    return BeamEngine(["--runner=FnApiRunner"])


ENGINES = {
    "inline": lambda: LocalEngine(1),
    "local": lambda: LocalEngine(2, inline_bytes=-1),
    "beam": beam_engine,
}


@pytest.fixture(params=ENGINES)
def engine(request):
    with ENGINES[request.param]() as engine:
        assert engine.accumulate(JOIN, word_shards("a", "b")) == "a-b"
        yield engine


def warnings(caplog):
    return [record.getMessage() for record in caplog.records if record.name == stalls.__name__]


def test_a_shard_that_takes_long_is_named_again_and_again(engine, monkeypatch, caplog):
    monkeypatch.setattr(stalls, "SECONDS", 0.4)
    shards = word_shards("a", "b", "c", b={"sleep": 2.5})
    assert engine.accumulate(JOIN, shards) == "a-b-c"
    told = warnings(caplog)
    for warning in told:
        assert warning.startswith(f"Nothing of the pass {JOIN.factory} has been heard of for ")
        assert "with_timeout" in warning
    named = [one for one in told if "1 shard is under way, of which shard b was begun" in one]
    assert 2 <= len(named) <= 6


def test_of_several_the_first_is_named(monkeypatch, caplog):
    monkeypatch.setattr(stalls, "SECONDS", 0.4)
    shards = word_shards("a", "b", "c", b={"sleep": 2.0}, c={"sleep": 1.5})
    with LocalEngine(2, inline_bytes=-1) as engine:
        engine.accumulate(JOIN, shards)
    words = "2 shards are under way, of which shard b was begun first"
    assert any(words in warning for warning in warnings(caplog))


@pytest.mark.parametrize("engine", ["inline", "beam"], indirect=True)
def test_a_pass_that_goes_on_says_nothing(engine, monkeypatch, caplog):
    """Each shard is done within the time, and all of them take longer."""
    monkeypatch.setattr(stalls, "SECONDS", 3.0)
    shards = word_shards(*"abcdef", **{text: {"sleep": 0.7} for text in "abcdef"})
    assert engine.accumulate(JOIN, shards) == "a-b-c-d-e-f"
    assert warnings(caplog) == []


def test_a_caller_that_takes_its_time_with_a_result_is_not_told_of(monkeypatch, caplog):
    monkeypatch.setattr(stalls, "SECONDS", 0.2)
    results = LocalEngine(1).run(JOIN, word_shards("a", "b"))
    next(results)
    stalls.threading.Event().wait(1.0)
    assert len(list(results)) == 1
    assert warnings(caplog) == []
