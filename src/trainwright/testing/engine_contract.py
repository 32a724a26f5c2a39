"""The contract of an engine as tests, which the test class of every engine inherits.

class TestLocalEngine(EngineContract):
    @pytest.fixture
    def engine(self):
        return LocalEngine(2, inline_bytes=0)
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

from trainwright.engine.engine import Engine, InvalidInputError, ShardError
from trainwright.engine.merging import FAN_IN
from trainwright.engine.passes import (
    AccumulatingPass,
    MappingPass,
    PassSpec,
    ReportUnits,
    Shard,
    ShardStream,
)


class JoinWords(AccumulatingPass[list[str], str]):
    """Joins the words of all shards; the result shows the order of merging.

    The words are in a shard's config, or in its data. The config may ask for trouble: `sleep`
    seconds, `fail`, `refuse` or `kill` with the path of a file that is written the first time, so
    that the next time goes well, or "" for every time.
    """

    def __init__(self, separator: str = " ") -> None:
        self._separator = separator

    def create(self) -> list[str]:
        return []

    def add(self, accumulator: list[str], shard: Shard, report: ReportUnits) -> list[str]:
        words: list[str] = shard.config.get("words") or bytes(shard.packed_data).decode().split()
        report(len(words))
        print("What a pass prints is not taken for an answer.")
        time.sleep(shard.config.get("sleep", 0))
        if _is_due(shard.config.get("fail")):
            raise ValueError(f"cannot read {words}")
        if _is_due(shard.config.get("refuse")):
            raise InvalidInputError(f"no such words: {words}")
        if _is_due(shard.config.get("kill")):
            os.kill(os.getpid(), signal.SIGKILL)
        report(len(words))
        return accumulator + words

    def merge(self, accumulator: list[str], other: list[str]) -> list[str]:
        return accumulator + other

    def extract(self, accumulator: list[str]) -> str:
        return self._separator.join(accumulator)

    def serialize(self, accumulator: list[str]) -> bytes:
        return json.dumps(accumulator).encode()

    def deserialize(self, data: bytes) -> list[str]:
        return list(json.loads(data))


class WriteLengths(MappingPass):
    """Writes the length of a shard's text to a file."""

    def __init__(self, directory: str) -> None:
        self._directory = Path(directory)

    def write(self, shard: Shard, report: ReportUnits) -> Mapping[str, Any]:
        path = self._directory / shard.name
        path.write_text(str(len(shard.config["text"])))
        return {"path": str(path)}


class MakeBytes(AccumulatingPass[bytes, int]):
    """Accumulators of many bytes of all values; the result is how many there are."""

    def create(self) -> bytes:
        return b""

    def add(self, accumulator: bytes, shard: Shard, report: ReportUnits) -> bytes:
        return bytes(range(256)) * int(shard.config["times"])

    def merge(self, accumulator: bytes, other: bytes) -> bytes:
        assert other == bytes(range(256)) * (len(other) // 256)
        return accumulator + other

    def extract(self, accumulator: bytes) -> int:
        return len(accumulator)

    def serialize(self, accumulator: bytes) -> bytes:
        return accumulator

    def deserialize(self, data: bytes) -> bytes:
        return data


class InvalidFileError(InvalidInputError):
    """What the code of a caller may raise while it makes shards."""


JOIN = PassSpec(f"{__name__}:JoinWords", {"separator": "-"})


def word_shards(*texts: str, **configs: Mapping[str, Any]) -> list[Shard]:
    """A shard for each text, with more config for those whose text is a key of `configs`."""
    return [
        Shard(name=f"shard {text}", config={"words": text.split(), **configs.get(text, {})})
        for text in texts
    ]


def _is_due(marker: str | None) -> bool:
    if not marker:
        return marker == ""
    path = Path(marker)
    if path.exists():
        return False
    path.touch()
    return True


class EngineContract:
    """Overrides `engine` with a fixture that gives the engine."""

    # Whether shards are processed by processes that may die without the caller.
    HAS_WORKERS: ClassVar[bool] = True

    @pytest.fixture
    def engine(self) -> Engine:
        raise NotImplementedError("give the engine")

    @pytest.fixture
    def needs_workers(self) -> None:
        if not self.HAS_WORKERS:
            pytest.skip("this engine has no processes that could die")

    def test_merges_what_shards_give(self, engine: Engine) -> None:
        assert engine.accumulate(JOIN, word_shards("a", "b c", "d")) == "a-b-c-d"

    def test_merges_in_the_order_of_the_shards(self, engine: Engine) -> None:
        # More than a group of those that are merged at once.
        texts = [f"w{number}" for number in range(FAN_IN + 8)]
        shards = word_shards(*texts, w0={"sleep": 0.5}, w7={"sleep": 0.2})
        assert engine.accumulate(JOIN, shards) == "-".join(texts)

    def test_no_shards_give_the_result_of_nothing(self, engine: Engine) -> None:
        assert engine.accumulate(JOIN, []) == ""

    def test_runs_one_pass_after_the_other(self, engine: Engine) -> None:
        other = PassSpec(JOIN.factory, {"separator": "+"})
        for _ in range(2):
            assert engine.accumulate(JOIN, word_shards("a", "b")) == "a-b"
            assert engine.accumulate(other, word_shards("a", "b")) == "a+b"

    def test_maps_shards_to_shards_in_order(self, engine: Engine, tmp_path: Path) -> None:
        spec = PassSpec(f"{__name__}:WriteLengths", {"directory": str(tmp_path)})
        shards = [Shard(name=f"{n}.txt", config={"text": "x" * n}) for n in range(5)]
        if not engine.shares_filesystem:
            with pytest.raises(InvalidInputError, match="shares no filesystem with this process"):
                engine.map(spec, shards)
            return
        written = engine.map(spec, shards)
        assert [Path(shard["path"]).name for shard in written] == [s.name for s in shards]
        assert [Path(shard["path"]).read_text() for shard in written] == list("01234")

    def test_is_opened_for_several_passes(self, engine: Engine) -> None:
        with engine as opened:
            assert opened is engine
            for _ in range(2):
                assert opened.accumulate(JOIN, word_shards("a", "b")) == "a-b"
        assert engine.accumulate(JOIN, word_shards("a", "b")) == "a-b"

    def test_takes_a_stream_of_shards_that_bring_their_data(
        self, engine: Engine, tmp_path: Path
    ) -> None:
        shards = (
            Shard(
                name=f"shard {text}",
                config={"fail": str(tmp_path / "failed")} if text == "b" else {},
                data=text.encode() * 100_000,
            )
            for text in ("a", "b", "c ")
        )
        joined = engine.accumulate(JOIN, ShardStream(shards, size=300_000))
        assert joined == "-".join(["a" * 100_000, "b" * 100_000, *["c"] * 100_000])

    def test_takes_no_more_of_a_stream_than_it_works_on(self, engine: Engine) -> None:
        made: list[Shard] = []
        shards = (made.append(shard) or shard for shard in word_shards(*["w"] * 200))  # type: ignore[func-returns-value]
        results = engine.run(JOIN, ShardStream(shards, size=200))
        next(results)
        assert len(made) < 100
        assert len(list(results)) == 199

    def test_what_makes_a_stream_ends_the_pass_with_its_own_error(self, engine: Engine) -> None:
        def shards() -> Iterator[Shard]:
            yield from word_shards("a", "b")
            raise InvalidFileError("the file breaks off")

        with pytest.raises(InvalidFileError, match=r"^the file breaks off$"):
            engine.accumulate(JOIN, ShardStream(shards(), size=2))
        assert engine.accumulate(JOIN, word_shards("c")) == "c"

    def test_carries_large_accumulators(self, engine: Engine) -> None:
        spec = PassSpec(f"{__name__}:MakeBytes")
        shards = [Shard(name=str(n), config={"times": 20_000}) for n in range(3)]
        assert engine.accumulate(spec, shards) == 3 * 256 * 20_000

    def test_counts_progress_once(self, engine: Engine) -> None:
        reported: list[int] = []
        engine.accumulate(JOIN, word_shards("a b", "c", "d e f"), reported.append)
        assert reported[-1] == 12
        assert reported == sorted(reported)

    def test_tries_a_failing_shard_again(self, engine: Engine, tmp_path: Path) -> None:
        reported: list[int] = []
        shards = word_shards("a", "b", "c", b={"fail": str(tmp_path / "failed")})
        assert engine.accumulate(JOIN, shards, reported.append) == "a-b-c"
        assert reported[-1] == 6

    @pytest.mark.parametrize("failing", ["a", "b", "d"])
    def test_names_a_shard_that_fails_twice(self, engine: Engine, failing: str) -> None:
        shards = word_shards("a", "b", "c", "d", **{failing: {"fail": ""}})
        with pytest.raises(ShardError) as raised:
            engine.accumulate(JOIN, shards)
        assert raised.value.shard == f"shard {failing}"
        assert str(raised.value) == (
            f"shard {failing} was tried 2 times and failed: ValueError: cannot read {[failing]!r}"
        )

    def test_names_the_first_of_several(self, engine: Engine) -> None:
        shards = word_shards("a", "b", "c", b={"fail": "", "sleep": 0.3}, c={"fail": ""})
        with pytest.raises(ShardError, match=r"^shard b "):
            engine.accumulate(JOIN, shards)

    def test_what_cannot_be_mended_is_not_tried_again(self, engine: Engine, tmp_path: Path) -> None:
        shards = word_shards("a", "b", "c", b={"refuse": str(tmp_path / "refused")})
        with pytest.raises(InvalidInputError, match=r"^no such words: \['b'\]$"):
            engine.accumulate(JOIN, shards)
        assert engine.accumulate(JOIN, shards) == "a-b-c"

    def test_a_process_that_dies_costs_its_shard_only(
        self, engine: Engine, tmp_path: Path, needs_workers: None
    ) -> None:
        reported: list[int] = []
        texts: Sequence[str] = ["a", "b", "c", "d", "e"]
        configs = {text: {"kill": str(tmp_path / text)} for text in "bd"}
        shards = word_shards(*texts, **configs)
        assert engine.accumulate(JOIN, shards, reported.append) == "a-b-c-d-e"
        assert reported[-1] == 10

    def test_names_a_shard_that_kills_its_process_twice(
        self, engine: Engine, needs_workers: None
    ) -> None:
        with pytest.raises(ShardError, match=r"^shard b was tried 2 times.*SIGKILL"):
            engine.accumulate(JOIN, word_shards("a", "b", "c", b={"kill": ""}))

    def test_refuses_a_pass_of_the_wrong_shape(self, engine: Engine, tmp_path: Path) -> None:
        with pytest.raises(TypeError, match="expected a MappingPass"):
            engine.map(JOIN, word_shards("a"))
        spec = PassSpec(f"{__name__}:WriteLengths", {"directory": str(tmp_path)})
        with pytest.raises(TypeError, match="expected an AccumulatingPass"):
            engine.accumulate(spec, [])
