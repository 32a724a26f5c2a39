"""`trainwright serve`: what it says, and versions that change under load."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from http.client import HTTPConnection

import pytest
from click.testing import CliRunner
from documented_output import assert_lines_are_printed, block
from served_models import RunningServer, push, save_model

from trainwright.cli.main import cli


def refuse(*arguments):
    """The error of a command that does not start a server."""
    result = CliRunner().invoke(cli, ["serve", *map(str, arguments)])
    assert result.exit_code == 2, result.output
    return result.output


@pytest.fixture
def saved_model(tmp_path):
    """What looks like a model, for commands that do not come to load it."""
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "saved_model.pb").write_bytes(b"")
    return tmp_path / "model"


def test_mistakes_are_told_before_tensorflow_is_imported(saved_model, tmp_path):
    assert "there is no such directory" in refuse(tmp_path / "nowhere")
    assert "expected saved_model.pb, or versions" in refuse(tmp_path)
    assert "--label 'stable' is not a label: expected LABEL=VERSION" in refuse(
        saved_model, "--label", "stable"
    )
    assert "cannot be called 'a/b'" in refuse(saved_model, "--name", "a/b")
    assert "No run has been remembered yet" in refuse("7")
    assert "is not known here" in refuse(saved_model, "--host", "no.such.host.invalid")
    assert "is not an address of this machine" in refuse(saved_model, "--host", "192.0.2.1")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = refuse(saved_model, "--port", port)
        assert f"The port {port} of 127.0.0.1 is taken" in said
        assert "--port 0" in said


def test_the_command_does_not_import_tensorflow_to_say_so(saved_model, tmp_path):
    code = (
        "import sys; from trainwright.cli.main import cli\n"
        "try: cli.main(['serve', sys.argv[1]], standalone_mode=False)\n"
        "except Exception as error: print(error)\n"
        "assert 'tensorflow' not in sys.modules and 'starlette' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "nowhere")], check=True)


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """The same model with other factors, which tell versions apart."""
    directory = tmp_path_factory.mktemp("factors")
    for factor in (1, 2, 3):
        save_model(directory / str(factor), factor)
    return directory


class Asking:
    """Clients that ask all the time, on connections that they keep, until they are told to stop."""

    def __init__(self, server, clients=8):
        self.answers, self.failures = [], []
        self._server = server
        self._end = threading.Event()
        self._threads = [threading.Thread(target=self._ask) for _ in range(clients)]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *unused):
        self._end.set()
        for thread in self._threads:
            thread.join()

    def _ask(self):
        connection = HTTPConnection("127.0.0.1", self._server.started["port"], timeout=30)
        while not self._end.is_set():
            path = f"/v1/models/{self._server.started['name']}:predict"
            connection.request("POST", path, '{"instances": [[1, 1]]}')
            response = connection.getresponse()
            answer = response.read()
            if response.status == 200:
                self.answers.append(json.loads(answer)["predictions"][0])
            else:
                self.failures.append((response.status, answer))

    def wait_for(self, answer):
        deadline = time.monotonic() + 60
        while self.answers[-1:] != [answer]:
            assert time.monotonic() < deadline, (self.answers[-1:], self.failures[:3])
            time.sleep(0.02)


def get(server, path):
    connection = HTTPConnection("127.0.0.1", server.started["port"], timeout=30)
    connection.request("GET", path)
    response = connection.getresponse()
    return response.status, json.loads(response.read())


def test_versions_change_and_no_request_is_dropped(models, tmp_path):
    base = tmp_path / "penguin"
    base.mkdir()
    push(models / "1", base, 10)
    server = RunningServer(base, "--poll-seconds", "0.05", as_json=False)
    try:
        assert_lines_are_printed(
            block("docs/serving.md", "Serving penguin"),
            server.said,
            {"1700000000": "10", "8501": str(server.started["port"])},
        )
        assert server.started["versions"] == [10]
        with Asking(server) as asking:
            asking.wait_for(2.0)
            push(models / "2", base, 11)
            asking.wait_for(4.0)
            (base / "12").mkdir()  # half written: no saved_model.pb, and then one that is none
            (base / "12" / "saved_model.pb").write_bytes(b"half")
            deadline = time.monotonic() + 30
            while get(server, "/v1/models/penguin/versions/12")[0] != 200:
                assert time.monotonic() < deadline
                time.sleep(0.02)
            asking.wait_for(4.0)
            push(models / "3", base, 13)
            asking.wait_for(6.0)
            shutil.rmtree(base / "13")
            asking.wait_for(4.0)
        assert not asking.failures
        assert set(asking.answers) == {2.0, 4.0, 6.0}
        status, found = get(server, "/v1/models/penguin")
        states = {one["version"]: one["state"] for one in found["model_version_status"]}
        assert states["11"] == "AVAILABLE"
        assert states["12"] == "END"
        broken = next(one for one in found["model_version_status"] if one["version"] == "12")
        assert "cannot be loaded" in broken["status"]["error_message"]
    finally:
        code, stderr = server.end(signal.SIGINT)
    assert code == 130
    assert "Version 11 of penguin is served" in stderr
    assert "Version 12 is not served; version 11 goes on" in stderr
    assert "oneDNN" not in stderr
    assert len(stderr.splitlines()) < 40


def test_what_was_begun_is_answered_before_the_server_ends(models):
    """On SIGTERM; versions and labels that were asked for are served meanwhile."""
    base = models
    server = RunningServer(base, "--version", "1", "--label", "best=3", "--name", "m")
    try:
        assert server.started["versions"] == [3, 1]
        for path, factor in (("/v1/models/m/labels/best", 3), ("/v1/models/m/versions/1", 1)):
            connection = HTTPConnection("127.0.0.1", server.started["port"], timeout=30)
            connection.request("POST", f"{path}:predict", '{"instances": [[1, 1]]}')
            assert json.loads(connection.getresponse().read()) == {"predictions": [2.0 * factor]}
        slow = HTTPConnection("127.0.0.1", server.started["port"], timeout=60)
        slow.request(
            "POST",
            "/v1/models/m/versions/1:predict",
            '{"signature_name": "slow", "instances": [100000]}',
        )
        time.sleep(0.3)
        server.process.terminate()
        answer = slow.getresponse()
        assert answer.status == 200
        assert "predictions" in json.loads(answer.read())
    finally:
        code, _ = server.end()
    assert code == 0
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", server.started["port"]), timeout=5)


def test_a_model_that_cannot_be_loaded_ends_the_command(saved_model):
    finished = subprocess.run(
        [sys.executable, "-m", "trainwright", "serve", str(saved_model), "--port", "0"],
        capture_output=True,
        text=True,
        env={**os.environ},
        timeout=120,
    )
    assert finished.returncode == 2
    assert "Error: The SavedModel at" in finished.stderr
    assert "cannot be loaded" in finished.stderr
    assert finished.stdout == ""
