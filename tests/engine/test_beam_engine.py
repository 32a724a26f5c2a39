"""BeamEngine on Beam's runner within this process, and on a job service of its own."""

import re
import socket
import tempfile
import uuid
from pathlib import Path

import pytest

from trainwright.engine.engine import ShardError
from trainwright.engine.merging import FAN_IN
from trainwright.engine.on_beam.beam_engine import BeamEngine
from trainwright.engine.on_beam.beam_job import BeamEngineError, BeamJob
from trainwright.engine.on_beam.exchange import Exchange, ExchangeError
from trainwright.engine.passes import MappingPass, PassSpec, Shard
from trainwright.engine.shard_files import local_copy
from trainwright.testing.engine_contract import JOIN, EngineContract, JoinWords, word_shards

pytest.importorskip("apache_beam", reason="pip install 'trainwright[beam]'")

IN_MEMORY = ["--runner=FnApiRunner"]


def flags_of(job_service):
    return [
        "--runner=PortableRunner",
        f"--job_endpoint={job_service}",
        "--environment_type=LOOPBACK",
    ]


class Copying(MappingPass):
    """Copies a file and adds what is in its model."""

    def __init__(self, model):
        self._model = model

    def write(self, shard, report):
        output = shard.config["output"]
        with local_copy(shard.config["path"]) as path:
            text = Path(path).read_text()
        weights = Path(self._model, "weights").read_text()
        Path(output).write_text(f"{text} with {weights}")
        return {"name": shard.name, "model": self._model, "input": path, "output": output}


class TestBeamEngine(EngineContract):
    @pytest.fixture
    def engine(self):
        return BeamEngine(IN_MEMORY)

    def test_many_shards_are_merged_by_the_workers(self, engine, monkeypatch):
        words = [f"w{number}" for number in range(FAN_IN + 1)]
        monkeypatch.setattr(JoinWords, "deserialize", self.notice(JoinWords.deserialize))
        assert engine.accumulate(JOIN, word_shards(*words)) == "-".join(words)
        assert self.noticed == 2

    noticed = 0

    def notice(self, deserialize):
        def counting(*arguments):
            self.noticed += 1
            return deserialize(*arguments)

        return counting

    def test_a_failing_shard_of_many_is_named(self, engine):
        words = [f"w{number}" for number in range(FAN_IN + 1)]
        with pytest.raises(ShardError, match="^shard w3 was tried 2 times"):
            engine.accumulate(JOIN, word_shards(*words, w3={"fail": ""}))

    def test_nothing_is_left_behind(self, engine, tmp_path, monkeypatch):
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
        assert engine.accumulate(JOIN, word_shards("a", "b")) == "a-b"
        assert not list(tmp_path.glob("trainwright-beam-*"))

    def test_what_others_put_into_the_exchange_is_refused(self, engine, monkeypatch):
        """Who may write there and has no key puts a result beside that of a worker."""
        write = Exchange.write

        def write_forged(exchange, name, data):
            key = "another's" if name == "out-0/0" else exchange.key
            write(Exchange(exchange.place, key), name, data)

        monkeypatch.setattr(Exchange, "write", write_forged)
        with pytest.raises(ExchangeError, match="out-0/0 in .* by something else than this pass"):
            engine.accumulate(JOIN, word_shards("a", "b"))


@pytest.mark.reference
class TestBeamEngineByWayOfAnObjectStore(EngineContract):
    """Workers that see an object store and nothing else of what the caller has."""

    @pytest.fixture
    def engine(self, monkeypatch):
        pytest.importorskip("obstore", reason="pip install 'trainwright[storage]'")
        from trainwright.storage import objects

        monkeypatch.setattr(
            "trainwright.engine.on_beam.beam_job._SECONDS_BETWEEN_REMOTE_LOOKS", 0.05
        )
        place = f"memory://beam-{uuid.uuid4().hex}/temp"
        yield BeamEngine([*IN_MEMORY, f"--temp_location={place}"], shares_filesystem=False)
        assert objects.list_tree(place) == []


@pytest.mark.parametrize("place", [None, "memory://beam-{}/temp"])
def test_files_travel_with_a_pass_and_come_back(tmp_path, place):
    flags = list(IN_MEMORY)
    if place is not None:
        pytest.importorskip("obstore", reason="pip install 'trainwright[storage]'")
        flags.append(f"--temp_location={place.format(uuid.uuid4().hex)}")
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "weights").write_bytes(b"7")
    (tmp_path / "data.txt").write_text("some data")
    spec = PassSpec(f"{__name__}:Copying", {"model": str(tmp_path / "model")}, files=[("model",)])
    config = {"path": str(tmp_path / "data.txt"), "output": str(tmp_path / "out" / "copy.txt")}
    shard = Shard(name="data", config=config, reads=["path"], writes=["output"])
    with BeamEngine(flags, shares_filesystem=False) as engine:
        [said] = engine.map(spec, [shard])
    assert (tmp_path / "out" / "copy.txt").read_text() == "some data with 7"
    assert said["name"] == "data"
    for path in (said["model"], said["input"], said["output"]):
        assert not path.startswith(str(tmp_path))


def test_what_a_killed_worker_had_brought_there_is_removed_by_the_next(tmp_path, monkeypatch):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    shards = word_shards("a", "b", b={"kill": str(tmp_path / "killed")})
    with BeamEngine(IN_MEMORY, shares_filesystem=False) as engine:
        assert engine.accumulate(JOIN, shards) == "a-b"
    assert not list(temporary.glob("trainwright-shard-*"))


def test_a_runner_that_has_no_worker_is_given_up_in_words(run_script):
    """In a process of its own: gRPC leaves threads behind, and other tests fork."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        finished = run_script(
            """
            import sys, time
            from trainwright.engine.on_beam.beam_engine import BeamEngine
            from trainwright.engine.on_beam.beam_job import BeamEngineError
            from trainwright.testing.engine_contract import JOIN, word_shards

            engine = BeamEngine(sys.argv[1:], start_seconds=2)
            started = time.monotonic()
            try:
                engine.accumulate(JOIN, word_shards("a"))
            except BeamEngineError as error:
                print(error)
            print(time.monotonic() - started)
            """,
            *flags_of(f"127.0.0.1:{silent.getsockname()[1]}"),
        )
    told, seconds = finished.stdout.splitlines()
    assert re.search(r"No worker of Beam has begun within 2 s.*PATH", told)
    assert float(seconds) < 20


def test_a_flag_that_beam_cannot_use_is_told():
    engine = BeamEngine(["--runner=no.such.module.OurRunner", "--environment_type=LOOPBACK"])
    with pytest.raises(Exception, match="No module named 'no'"):
        engine.accumulate(JOIN, word_shards("a"))


def test_a_job_service_gives_what_this_machine_gives_and_names_what_fails(job_service, run_script):
    finished = run_script(
        """
        import sys
        from trainwright.engine.local_engine import LocalEngine
        from trainwright.engine.on_beam.beam_engine import BeamEngine
        from trainwright.testing.engine_contract import JOIN, word_shards

        with BeamEngine(sys.argv[1:]) as engine:
            shards = word_shards("a", "b c", "d")
            print(list(engine.run(JOIN, shards)) == list(LocalEngine(1).run(JOIN, shards)))
            try:
                engine.accumulate(JOIN, word_shards("a", "b", b={"fail": ""}))
            except RuntimeError as error:
                print(type(error).__name__, error)
        """,
        *flags_of(job_service),
    )
    *_, same, failed = finished.stdout.splitlines()  # after what the pass itself prints
    assert same == "True"
    assert (
        failed == "ShardError shard b was tried 2 times and failed: ValueError: cannot read ['b']"
    )


@pytest.mark.reference
class TestBeamEngineOnAJobService(EngineContract):
    @pytest.fixture
    def engine(self, job_service):
        return BeamEngine(flags_of(job_service))


class JobOfOthers(Exception):
    """What a job service says of a pipeline whose worker could not begin."""

    TEXT = """Pipeline job-1 failed in state FAILED: Error running pipeline.
Traceback (most recent call last):
  File "sdk_worker.py", line 1, in <module>
ModuleNotFoundError: No module named 'trainwright'
"""


def test_workers_without_trainwright_are_told_in_a_line(monkeypatch):
    def refuse(job, pipeline):
        job._failure = JobOfOthers(JobOfOthers.TEXT)

    monkeypatch.setattr(BeamJob, "_run", refuse)
    with pytest.raises(BeamEngineError) as refused:
        BeamEngine(IN_MEMORY).accumulate(JOIN, word_shards("a"))
    assert str(refused.value).startswith(
        "Beam did not run the pipeline: ModuleNotFoundError: No module named 'trainwright'. The "
        "workers have no Trainwright: install trainwright=="
    )
