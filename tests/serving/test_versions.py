"""Versions come and go on disk; what is served follows."""

import asyncio
import shutil
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from trainwright.serving.errors import ModelLoadError, RequestError
from trainwright.serving.metrics import ServingMetrics
from trainwright.serving.model_directory import find_model
from trainwright.serving.versions import ModelVersions


class Loaded:
    def __init__(self, path):
        self.path = path
        self.is_closed = False

    def close(self):
        self.is_closed = True


def load(path):
    with open(f"{path}/saved_model.pb", encoding="utf-8") as file:
        if file.read() == "bad":
            raise ModelLoadError(f"{path} is bad")
    return Loaded(path)


def write(base, number, content="good"):
    directory = base / str(number)
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "saved_model.pb").write_text(content)


@pytest.fixture
def base(tmp_path):
    (tmp_path / "penguin").mkdir()
    return tmp_path / "penguin"


def follow(base, story, **options):
    """Runs a story, a coroutine function of the versions."""

    async def main():
        with ThreadPoolExecutor(2) as executor:
            directory = find_model(str(base))
            loads = options.pop("load", load)
            versions = ModelVersions(directory, loads, executor, ServingMetrics("test"), **options)
            await story(versions)
            await versions.close()

    asyncio.run(main())


def states(versions):
    return {version.number: version.state.value for version in versions.statuses()}


async def settle():
    for _ in range(50):
        await asyncio.sleep(0.01)


def test_the_newest_is_served_and_the_one_before_unloaded(base):
    async def story(versions):
        await versions.refresh()
        with pytest.raises(RequestError, match="There is no version of 'penguin' at .* yet"):
            versions.find()
        write(base, 3)
        write(base, 20)
        await versions.refresh()
        assert versions.available == [20]
        first = versions.find().loaded
        write(base, 100)
        await versions.refresh()
        await settle()
        assert states(versions) == {100: "AVAILABLE"}
        assert first.is_closed

    follow(base, story)


@pytest.mark.not_quick  # takes seconds
def test_a_version_is_unloaded_after_its_last_request(base):
    async def story(versions):
        write(base, 1)
        await versions.refresh()
        old = versions.find()
        loaded = old.loaded
        with versions.use(old):
            with versions.use(old):
                write(base, 2)
                await versions.refresh()
                await settle()
                assert states(versions) == {2: "AVAILABLE", 1: "UNLOADING"}
                assert versions.find().number == 2
                with pytest.raises(RequestError, match="version 1 .* is not served. Served now: 2"):
                    versions.find(1)
            await settle()
            assert not loaded.is_closed
        await settle()
        assert loaded.is_closed
        assert states(versions) == {2: "AVAILABLE"}

    follow(base, story)


def test_one_that_cannot_be_loaded_leaves_the_old_one_and_says_so(base):
    async def story(versions):
        write(base, 1)
        await versions.refresh()
        write(base, 2, "bad")
        await versions.refresh()
        assert states(versions) == {2: "END", 1: "AVAILABLE"}
        assert versions.find().number == 1
        assert "2 is bad" in versions.statuses()[0].problem
        await versions.refresh()  # unchanged, it is not tried again
        write(base, 2, "good now")
        await versions.refresh()
        await settle()
        assert states(versions) == {2: "AVAILABLE"}

    follow(base, story)


def test_a_server_that_starts_with_a_bad_newest_serves_the_one_before(base):
    async def story(versions):
        write(base, 1)
        write(base, 2, "bad")
        await versions.refresh()
        assert states(versions) == {2: "END", 1: "AVAILABLE"}
        shutil.rmtree(base / "2")
        await versions.refresh()
        assert states(versions) == {1: "AVAILABLE"}

    follow(base, story)


def test_taking_the_newest_away_goes_back(base):
    async def story(versions):
        write(base, 1)
        write(base, 2)
        await versions.refresh()
        assert versions.available == [2]
        shutil.rmtree(base / "2")
        await versions.refresh()
        assert versions.find().number == 1
        shutil.rmtree(base / "1")
        await versions.refresh()
        assert versions.find().number == 1  # the last goes on
        shutil.rmtree(base)
        await versions.refresh()
        assert versions.find().number == 1

    follow(base, story)


def test_versions_and_labels_that_are_asked_for(base):
    async def story(versions):
        for number in (1, 2, 3, 4):
            write(base, number)
        await versions.refresh()
        assert versions.available == [4, 2, 1]
        assert versions.find(label="stable").number == 2
        with pytest.raises(RequestError, match="label 'stabel'; did you mean 'stable'"):
            versions.find(label="stabel")
        with pytest.raises(RequestError, match="Served now: 4, 2, 1") as raised:
            versions.find(3)
        assert raised.value.status == 404

    follow(base, story, only=frozenset([1, 4]), labels={"stable": 2})


def test_what_is_served_is_served_while_the_next_is_loaded(base):
    go_on = threading.Event()

    def slow_load(path):
        assert path.endswith("1") or go_on.wait(30)
        return load(path)

    async def story(versions):
        write(base, 1)
        await versions.refresh()
        write(base, 2)
        refreshing = asyncio.create_task(versions.refresh())
        await settle()
        assert states(versions) == {2: "LOADING", 1: "AVAILABLE"}
        assert versions.find().number == 1
        go_on.set()
        await refreshing
        assert versions.find().number == 2

    follow(base, story, load=slow_load)
