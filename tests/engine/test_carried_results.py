"""Files that a pass wrote on another disk, on their way back."""

import pytest

from trainwright.engine.hosted.hosting import setting
from trainwright.engine.packing import pack
from trainwright.engine.passes import Shard
from trainwright.engine.worker import carried_result


@pytest.fixture
def shard(tmp_path):
    (tmp_path / "home").mkdir()
    output = str(tmp_path / "home" / "output")
    return Shard(name="data", config={"output": output, "path": "x"}, writes=["output"])


def test_files_are_put_where_they_belong(shard, tmp_path):
    data = pack([[0, "output/part"]], [b"result", b"content"])
    assert carried_result(shard, data) == b"result"
    assert (tmp_path / "home" / "output" / "part").read_bytes() == b"content"


@pytest.mark.parametrize("name", ["../evil", "/evil", "output/../../evil"])
def test_files_are_put_nowhere_else(shard, tmp_path, name):
    name = str(tmp_path / "evil") if name == "/evil" else name
    with pytest.raises(ValueError, match="^data came with a file for .*evil, which is not in"):
        carried_result(shard, pack([[0, name]], [b"result", b"content"]))
    assert not (tmp_path / "evil").exists()


def test_addresses_of_the_caller_are_not_sent(monkeypatch):
    monkeypatch.setenv("TRAINWRIGHT_STORE", "postgresql://ada:secret@db/penguin")
    monkeypatch.setenv("TRAINWRIGHT_CACHE_DIR", "/of/the/caller")
    monkeypatch.setenv("TF_CONFIG", "{}")
    monkeypatch.setenv("TF_USE_LEGACY_KERAS", "1")
    sent = setting(is_on_this_machine=False)["environment"]
    assert sent["TF_USE_LEGACY_KERAS"] == "1"
    assert not sent.keys() & {"TRAINWRIGHT_STORE", "TRAINWRIGHT_CACHE_DIR", "TF_CONFIG"}
