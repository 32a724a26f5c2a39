"""Messages when a store refuses, fails or is not there: no long output, no secrets."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import boto3
import pytest
from object_store import ObjectStore, free_port

from trainwright import TrainwrightError
from trainwright.storage import objects, transfer
from trainwright.storage.errors import (
    NoSuchBucketError,
    StorageError,
    StoragePermissionError,
    StorageUnreachableError,
)

_OPERATIONS = {
    "stat": lambda base: objects.stat(f"{base}/a"),
    "exists": lambda base: objects.exists(f"{base}/a"),
    "list": lambda base: objects.list_tree(base),
    "names": lambda base: objects.list_names(base),
    "read": lambda base: objects.read(f"{base}/a"),
    "write": lambda base: objects.write(f"{base}/a", b""),
    "create": lambda base: objects.create(f"{base}/a", b""),
    "remove": lambda base: objects.remove(f"{base}/a"),
    "remove_tree": lambda base: objects.remove_tree(base),
}


def _check(error):
    text = str(error)
    assert isinstance(error, TrainwrightError)
    assert isinstance(error, OSError)
    assert "\n" not in text
    assert "secret" not in text
    assert "Debug source" not in text
    assert len(text) < 600


@pytest.mark.parametrize("operation", _OPERATIONS)
def test_no_such_bucket(s3, operation):
    with pytest.raises(NoSuchBucketError, match="there is no bucket 'nowhere-to-be-found'") as info:
        _OPERATIONS[operation]("s3://nowhere-to-be-found")
    _check(info.value)


@pytest.mark.parametrize("operation", _OPERATIONS)
def test_an_address_that_does_not_answer(s3, monkeypatch, operation):
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://key:secret@127.0.0.1:{free_port()}")
    monkeypatch.setenv("TRAINWRIGHT_STORAGE_TIMEOUT", "0.3")
    with pytest.raises(StorageUnreachableError, match="does not answer") as info:
        _OPERATIONS[operation]("s3://bucket")
    _check(info.value)
    assert isinstance(info.value, ConnectionError)
    assert "Connection refused" in str(info.value)
    assert "127.0.0.1" in str(info.value)


def _write_file(uri, path):
    with objects.open_output(uri) as file:
        file.write(b"1")


@pytest.mark.parametrize(
    "operation",
    [
        lambda uri, path: objects.stat(uri),
        lambda uri, path: objects.read(uri),
        lambda uri, path: objects.read_small(uri, 10),
        lambda uri, path: objects.write(uri, b"1"),
        lambda uri, path: objects.create(uri, b"1"),
        _write_file,
        lambda uri, path: transfer.upload_file(path, uri),
        lambda uri, path: transfer.download_file(uri, f"{path}-new"),
    ],
    ids=["stat", "read", "read_small", "write", "create", "file", "upload", "download"],
)
def test_a_server_that_says_nothing_is_given_up_in_time(s3, monkeypatch, tmp_path, operation):
    path = tmp_path / "file"
    path.write_bytes(b"1")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{silent.getsockname()[1]}")
        monkeypatch.setenv("TRAINWRIGHT_STORAGE_TIMEOUT", "1")
        begin = time.monotonic()
        with pytest.raises(StorageUnreachableError, match="timed out"):
            operation("s3://bucket/a", str(path))
        # Once, and once more where it is looked whether a write has arrived all the same.
        assert 1 <= time.monotonic() - begin < 5


def test_much_data_that_goes_up_is_waited_for_longer(s3, monkeypatch, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(bytes(2 << 20))
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{silent.getsockname()[1]}")
        monkeypatch.setenv("TRAINWRIGHT_STORAGE_TIMEOUT", "0.5")
        begin = time.monotonic()
        with pytest.raises(StorageUnreachableError, match="timed out"):
            transfer.upload_file(str(path), "s3://bucket/a")
        assert 3 <= time.monotonic() - begin < 10


@pytest.fixture
def hears_ctrl_c():
    """A shell starts what runs in the background, perhaps all of the tests, deaf to it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("hears_ctrl_c")
def test_a_store_that_does_not_answer_can_be_interrupted(s3, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{silent.getsockname()[1]}")
        timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        begin = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            objects.stat("s3://bucket/a")
        assert time.monotonic() - begin < 20


def test_a_server_that_comes_back_is_waited_for():
    with ObjectStore() as server, pytest.MonkeyPatch.context() as environment:
        for name, value in server.environment.items():
            environment.setenv(name, value)
        bucket = f"s3://{server.create_bucket()}"
        server.freeze()
        timer = threading.Timer(1.5, server.thaw)
        timer.start()
        try:
            assert objects.create(f"{bucket}/a", b"mine")
        finally:
            timer.cancel()
            server.thaw()
        assert objects.read(f"{bucket}/a") == b"mine"


def test_no_permission():
    with ObjectStore(free_requests=1) as server, pytest.MonkeyPatch.context() as environment:
        for name, value in server.environment.items():
            environment.setenv(name, value)
        bucket = f"s3://{server.create_bucket()}"
        for operation in _OPERATIONS.values():
            with pytest.raises(StoragePermissionError, match="the store denies it") as info:
                operation(bucket)
            _check(info.value)
            assert isinstance(info.value, PermissionError)
            assert "AWS_ACCESS_KEY_ID" in str(info.value)


def test_no_credentials(s3, monkeypatch, tmp_path):
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    with pytest.raises(StoragePermissionError, match="no credentials were found"):
        objects.stat(f"{s3}/a")


def test_credentials_of_a_profile_are_found_by_boto3(s3, monkeypatch, tmp_path):
    profile = tmp_path / "credentials"
    profile.write_text("[default]\naws_access_key_id = a\naws_secret_access_key = b\n")
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(profile))
    objects.write(f"{s3}/a", b"1")
    assert objects.read(f"{s3}/a") == b"1"


class _Answering(BaseHTTPRequestHandler):
    """Answers everything with one status and one body."""

    status, body = 503, b""

    def do_GET(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.send_response(self.status)
        self.send_header("Content-Length", str(len(self.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(self.body)

    do_PUT = do_HEAD = do_POST = do_DELETE = do_GET

    def log_message(self, *arguments):
        pass


@contextlib.contextmanager
def _answering(status, code, message):
    body = f"<Error><Code>{code}</Code><Message>{message}</Message></Error>".encode()
    handler = type("Handler", (_Answering,), {"status": status, "body": body})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class _OnePrefix(_Answering):
    """A store whose credentials may list what lies below one prefix, and nothing else."""

    def do_GET(self):
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)
        if "list-type" not in query:
            self.status, self.body = 404, b"<Error><Code>NoSuchKey</Code></Error>"
        elif query.get("prefix", [""])[0].startswith("team/"):
            self.status, self.body = 200, b"<ListBucketResult></ListBucketResult>"
        else:
            self.status, self.body = 403, b"<Error><Code>AccessDenied</Code></Error>"
        super().do_GET()

    do_HEAD = do_GET


def test_credentials_for_a_prefix_are_enough(s3, monkeypatch):
    with ThreadingHTTPServer(("127.0.0.1", 0), _OnePrefix) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{server.server_port}")
        assert objects.stat("s3://shared-by-teams/team/none") is None
        assert not objects.exists("s3://shared-by-teams/team/none")
        with pytest.raises(StoragePermissionError, match="'s3://shared-by-teams/other'"):
            objects.list_tree("s3://shared-by-teams/other")
        server.shutdown()


@pytest.mark.parametrize("odd", ["odd//x", "odd/../x"])
def test_a_name_that_cannot_be_read_is_in_the_way_of_its_prefix_alone(s3, odd):
    boto3.client("s3").put_object(Bucket=s3.partition("//")[2], Key=odd, Body=b"x")
    assert objects.stat(f"{s3}/data/a") is None
    objects.write(f"{s3}/data/a", b"1")
    assert [facts.uri for facts in objects.list_tree(f"{s3}/data")] == [f"{s3}/data/a"]
    assert objects.exists(f"{s3}/odd")
    with pytest.raises(StorageError, match=re.escape(f"has the name '{odd}'")) as info:
        objects.list_tree(f"{s3}/odd")
    _check(info.value)
    assert f"'{s3}/odd' cannot be listed" in str(info.value)
    assert "Rename or remove it" in str(info.value)


@pytest.mark.parametrize(
    ("endpoint", "advice"),
    [
        ("127.0.0.1:5093", "Write it as http://127.0.0.1:5093 "),
        ("key:secret@127.0.0.1:5093", "Write it as http://127.0.0.1:5093 "),
        ("http://", "Write it as https://minio.example:9000 "),
        ("ftp://store", "Write it as http://store "),
        ("http://store:99999", "Write it as https://minio.example:9000 "),
        ("http://[::1", "Write it as https://minio.example:9000 "),
        ("http://sto re", "Write it as https://minio.example:9000 "),
    ],
)
def test_an_endpoint_that_is_no_url(s3, monkeypatch, endpoint, advice):
    monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint)
    with pytest.raises(StorageError, match="AWS_ENDPOINT_URL is .*, which is not the URL") as info:
        objects.stat(f"{s3}/a")
    _check(info.value)
    assert advice in str(info.value)


def test_a_key_without_its_secret(s3, monkeypatch):
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    with pytest.raises(StoragePermissionError) as info:
        objects.stat(f"{s3}/a")
    assert str(info.value) == (
        f"'{s3}/a' cannot be opened: of its credentials, AWS_SECRET_ACCESS_KEY is not set."
    )


def test_tls_to_a_server_that_speaks_none(s3, s3_server, monkeypatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL", s3_server.url.replace("http:", "https:"))
    monkeypatch.setenv("TRAINWRIGHT_STORAGE_TIMEOUT", "0.3")
    with pytest.raises(StorageUnreachableError, match="it does not speak TLS there") as info:
        objects.stat(f"{s3}/a")
    _check(info.value)
    assert "max_retries" not in str(info.value)


@pytest.mark.parametrize("action", ["write", "create", "read", "stat"])
def test_names_that_a_disk_cannot_have(memory, action):
    with pytest.raises(StorageError, match=r"its name is too long\. .* at most 255 bytes") as info:
        _OPERATIONS[action](f"{memory}/{'x' * 300}")
    _check(info.value)
    with pytest.raises(StorageError, match="in memory:// no name ends with '#' and digits") as info:
        objects.write(f"{memory}/a#1", b"")
    _check(info.value)
    assert f"'{memory}/a#1' cannot be written" in str(info.value)


@pytest.mark.parametrize("operation", _OPERATIONS)
def test_credentials_in_an_address_are_never_shown(s3, operation):
    with pytest.raises(ValueError, match="has credentials in it") as info:
        _OPERATIONS[operation]("s3://AKIA:abc/secret@bucket")
    assert "secret" not in str(info.value)
    assert "AKIA" not in str(info.value)


@pytest.mark.parametrize(
    ("status", "error", "message"),
    [
        (503, StorageUnreachableError, r"answers with errors of its own \(SlowDown: Reduce"),
        (403, StoragePermissionError, "the store denies it"),
        (400, StorageError, r"cannot be listed: SlowDown: Reduce your rate\."),
    ],
)
def test_what_a_server_says_is_told(s3, monkeypatch, status, error, message):
    monkeypatch.setenv("TRAINWRIGHT_STORAGE_TIMEOUT", "0.3")
    with _answering(status, "SlowDown", "Reduce your rate.") as url:
        monkeypatch.setenv("AWS_ENDPOINT_URL", url)
        with pytest.raises(error, match=message):
            objects.list_tree("s3://bucket/a")


@pytest.mark.parametrize(
    ("status", "code", "error"),
    [
        (404, {"az": "ContainerNotFound", "gs": "NoSuchBucket"}, NoSuchBucketError),
        (403, {"az": "AuthorizationFailure", "gs": "AccessDenied"}, StoragePermissionError),
    ],
)
@pytest.mark.parametrize("scheme", ["az", "gs"])
def test_the_other_clouds_errors_are_known(monkeypatch, scheme, status, code, error):
    with _answering(status, code[scheme], "No.") as url:
        _point_to(url, monkeypatch)
        for name in ("stat", "read", "create", "list", "names"):
            with pytest.raises(error) as info:
                _OPERATIONS[name](f"{scheme}://container")
            _check(info.value)
            assert f"'{scheme}://container" in str(info.value)


@pytest.mark.parametrize("name", ["write", "create"])
@pytest.mark.parametrize("code", ["NotFound", ""])
def test_a_404_to_what_is_written_speaks_of_the_endpoint(s3, monkeypatch, name, code):
    """As a web server answers that is not an object store, or a store below another path."""
    with _answering(404, code, "Not here.") as url:
        monkeypatch.setenv("AWS_ENDPOINT_URL", url)
        with pytest.raises(StorageError, match="cannot be written: the server knows") as info:
            _OPERATIONS[name]("s3://bucket/some")
    _check(info.value)
    assert not isinstance(info.value, FileNotFoundError)
    assert "does not exist" not in str(info.value)
    assert "Check that the bucket 'bucket' exists, and that AWS_ENDPOINT_URL" in str(info.value)


def test_an_endpoint_without_tls_is_not_used_by_chance(monkeypatch):
    _point_to("http://127.0.0.1:9", monkeypatch)
    monkeypatch.delenv("GOOGLE_ALLOW_HTTP")
    with pytest.raises(StorageError, match="begins with http://, .* GOOGLE_ALLOW_HTTP is true"):
        objects.read("gs://bucket/a")


def _point_to(url, monkeypatch):
    key = {"gcs_base_url": url, "disable_oauth": True, "private_key": "", "private_key_id": ""}
    monkeypatch.setenv("GOOGLE_SERVICE_ACCOUNT_KEY", json.dumps({**key, "client_email": ""}))
    monkeypatch.setenv("GOOGLE_ALLOW_HTTP", "true")
    monkeypatch.setenv("AZURE_ENDPOINT", url)
    monkeypatch.setenv("AZURE_STORAGE_ACCOUNT_NAME", "account")
    monkeypatch.setenv("AZURE_STORAGE_ACCOUNT_KEY", "c2VjcmV0")


def test_a_timeout_that_is_not_a_time_is_refused(memory, s3, monkeypatch):
    monkeypatch.setenv("TRAINWRIGHT_STORAGE_TIMEOUT", "soon")
    with pytest.raises(ValueError, match="'soon': expected a number of seconds"):
        objects.stat(f"{s3}/a")
