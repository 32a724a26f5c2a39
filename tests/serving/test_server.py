"""`trainwright serve` as a process, asked over HTTP by those who mean well and by others."""

import json
import re
import socket
import time
from http.client import HTTPConnection

import pytest
from served_models import RunningServer


@pytest.fixture(scope="module")
def server(model_directory):
    running = RunningServer(
        model_directory, "--name", "small", "--max-body-mb", "1", "--timeout", "3"
    )
    yield running
    running.end()


def ask(server, path, body=None, method=None, headers=None):
    """The status, the JSON (or text) and the headers of an answer."""
    connection = HTTPConnection("127.0.0.1", server.started["port"], timeout=30)
    content = json.dumps(body) if isinstance(body, (dict, list)) else body
    connection.request(method or ("GET" if body is None else "POST"), path, content, headers or {})
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    try:
        return response.status, json.loads(text), response.headers
    except ValueError:
        return response.status, text, response.headers


def error_of(answer, status):
    assert answer[0] == status, answer
    assert list(answer[1]) == ["error"]
    return answer[1]["error"]


MODEL = "/v1/models/small"
ROWS = {"instances": [[1, 2], [3, 4]]}


def test_it_listens_on_loopback_and_says_where(server):
    assert server.started["name"] == "small"
    assert server.started["versions"] == [1]
    assert server.url == f"http://127.0.0.1:{server.started['port']}/v1/models/small"


@pytest.mark.parametrize("path", [MODEL, f"{MODEL}/versions/1"])
def test_predictions(server, path):
    status, answer, headers = ask(server, f"{path}:predict", ROWS)
    assert (status, answer) == (200, {"predictions": [3.0, 7.0]})
    assert headers["content-type"] == "application/json"
    assert "server" not in headers
    assert "access-control-allow-origin" not in headers


def test_classes_and_values(server):
    body = {"signature_name": "classify", "examples": [{"x": [0.5, 1.0]}]}
    assert ask(server, f"{MODEL}:classify", body)[1] == {"results": [[["low", 0.5], ["high", 1.0]]]}
    body["signature_name"] = "regress"
    assert ask(server, f"{MODEL}:regress", body)[1] == {"results": [1.5]}
    body["signature_name"] = "serving_default"
    assert "ask it with :predict" not in error_of(ask(server, f"{MODEL}:regress", body), 400)


def test_status_and_metadata_are_tensorflow_servings(server):
    state = {"version": "1", "state": "AVAILABLE"}
    state["status"] = {"error_code": "OK", "error_message": ""}
    for path in (MODEL, f"{MODEL}/versions/1"):
        assert ask(server, path)[1] == {"model_version_status": [state]}
    metadata = ask(server, f"{MODEL}/metadata")[1]
    assert metadata["model_spec"] == {"name": "small", "signature_name": "", "version": "1"}
    described = metadata["metadata"]["signature_def"]["signature_def"]["serving_default"]
    assert described["method_name"] == "tensorflow/serving/predict"
    x = described["inputs"]["x"]
    assert x["dtype"] == "DT_FLOAT"
    assert x["tensor_shape"]["dim"] == [{"size": "-1", "name": ""}, {"size": "2", "name": ""}]


def test_what_the_protos_of_tensorflow_serving_say_of_it(server):
    from google.protobuf import json_format
    from tensorflow_serving.apis import get_model_metadata_pb2, get_model_status_pb2

    status = get_model_status_pb2.GetModelStatusResponse()
    json_format.ParseDict(ask(server, MODEL)[1], status)
    assert status.model_version_status[0].state == 30  # AVAILABLE
    found = ask(server, f"{MODEL}/metadata")[1]
    signatures = get_model_metadata_pb2.SignatureDefMap()
    json_format.ParseDict(found["metadata"]["signature_def"], signatures)
    assert "named" in signatures.signature_def


def test_health_and_metrics(server):
    assert ask(server, "/healthz")[:2] == (200, {"status": "ok"})
    assert ask(server, "/readyz")[:2] == (200, {"status": "ok", "versions": [1]})
    ask(server, f"{MODEL}:predict", ROWS)
    ask(server, f"{MODEL}:predict", {})
    for path in ("/metrics", "/monitoring/prometheus/metrics"):
        status, text, headers = ask(server, path)
        assert status == 200
        assert headers["content-type"].startswith("text/plain")
        for code in (200, 400):
            wanted = rf'requests_total{{code="{code}",model="small",verb="predict"}} [1-9]'
            assert re.search(wanted, text)
        assert 'version_available{model="small",version="1"} 1.0' in text


@pytest.mark.parametrize(
    ("path", "body", "status", "message"),
    [
        (
            "/v1/models/large:predict",
            ROWS,
            404,
            "There is no model 'large'. This server has 'small'",
        ),
        (f"{MODEL}/versions/7:predict", ROWS, 404, "version 7 .* is not served. Served now: 1"),
        (f"{MODEL}/versions/x:predict", ROWS, 400, "The version 'x' is not a number"),
        (f"{MODEL}/versions/{'9' * 50}:predict", ROWS, 400, "is not a number"),
        (f"{MODEL}/labels/stable:predict", ROWS, 404, "no version with the label 'stable'"),
        (f"{MODEL}/versions/7", None, 404, "version 7"),
        (f"{MODEL}:predit", ROWS, 400, "cannot be asked to 'predit'; did you mean 'predict'"),
        (f"{MODEL}:", ROWS, 400, "Known are 'classify'"),
        (f"{MODEL}:predict", None, 405, "was asked with GET: expected POST"),
        (MODEL, ROWS, 405, "expected GET"),
        ("/", None, 404, "This server answers /v1/models/NAME:predict"),
        ("/v1/models/small/../../etc/passwd", None, 404, "There is nothing at"),
        (f"{MODEL}:predict", "hello", 400, "The body is not JSON.*begins with 'hello'"),
        (f"{MODEL}:predict", "", 400, "The body is not JSON"),
        (f"{MODEL}:predict", {"instances": [[1]]}, 400, r"takes float32 of shape \(\?, 2\)"),
        (f"{MODEL}:predict", {"instances": [{"z": 1}]}, 400, "'z', which the signature"),
        (f"{MODEL}:predict", {**ROWS, "signature_name": "no"}, 400, "no signature 'no'"),
        (f"{MODEL}:predict", {"instances": [[-1, 1]]}, 400, "minus one is not liked"),
    ],
)
def test_mistakes_are_told(server, path, body, status, message):
    assert re.search(message, error_of(ask(server, path, body), status))


def test_other_methods_have_no_answer_for_browsers(server):
    status, _, headers = ask(server, f"{MODEL}:predict", method="OPTIONS")
    assert status == 405
    assert "access-control-allow-origin" not in headers
    assert ask(server, "/healthz", method="DELETE")[0] == 405


@pytest.mark.parametrize("path", [f"{MODEL}:predict", MODEL, "/metrics", "/healthz"])
def test_a_web_page_cannot_ask(server, path):
    body = ROWS if path.endswith("predict") else None
    rebound = ask(server, path, body, headers={"host": "evil.example"})
    assert "host 'evil.example', which is not this server's" in error_of(rebound, 403)
    foreign = ask(server, path, body, headers={"origin": "http://evil.example"})
    assert "pages of other servers may not ask" in error_of(foreign, 403)


def test_a_body_that_is_too_large_is_not_kept(server):
    body = json.dumps({"instances": [[1.0, 2.0]] * 200_000})
    assert len(body) > 1 << 20
    error = error_of(ask(server, f"{MODEL}:predict", body), 413)
    assert "this server takes up to 1,048,576 bytes" in error

    def chunks():
        for _ in range(200):
            yield b" " * 10_000

    assert "it is longer" in error_of(ask(server, f"{MODEL}:predict", chunks()), 413)
    announced = {"content-length": "999999999999", "expect": "100-continue"}
    assert error_of(raw(server, f"{MODEL}:predict", announced, b""), 413)
    compressed = ask(server, f"{MODEL}:predict", "x", headers={"content-encoding": "gzip"})
    assert "'gzip', which is not read" in error_of(compressed, 415)


def raw(server, path, headers, body):
    """An answer to a request that is sent as it stands."""
    lines = [f"POST {path} HTTP/1.1", "host: localhost", *(f"{k}: {v}" for k, v in headers.items())]
    with socket.create_connection(("127.0.0.1", server.started["port"]), timeout=30) as connection:
        connection.sendall("\r\n".join([*lines, "", ""]).encode() + body)
        received = b""
        while b"}" not in received:
            piece = connection.recv(65536)
            if not piece:
                break
            received += piece
    head, _, text = received.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(text or b"{}"), {}


def test_a_body_that_does_not_arrive_is_given_up(server):
    began = time.monotonic()
    answer = raw(server, f"{MODEL}:predict", {"content-length": "100"}, b'{"inst')
    assert "had not arrived after 3 seconds" in error_of(answer, 408)
    assert time.monotonic() - began < 30


def test_a_computation_that_does_not_end_is_given_up(server):
    body = {"signature_name": "slow", "inputs": [10**12]}
    error = error_of(ask(server, f"{MODEL}:predict", body), 504)
    assert re.search("not answered in 3 seconds|took longer than this server allows", error)
    assert ask(server, f"{MODEL}:predict", ROWS)[0] == 200


@pytest.mark.parametrize(
    "sent",
    [
        b"hello\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /v1/models/small:predict HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n",
        b"POST /v1/models/small:predict HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n"
        b"transfer-encoding: chunked\r\n\r\nzz\r\n",
        b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\nhost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: localhost\r\nx: " + b"a" * 2_000_000,
        b"GET /\xff\xfe\r\n\r\n",
    ],
)
def test_what_is_not_http_ends_the_connection_and_nothing_else(server, sent):
    with socket.create_connection(("127.0.0.1", server.started["port"]), timeout=30) as connection:
        received = b""
        try:
            connection.sendall(sent)
            connection.shutdown(socket.SHUT_WR)
            while piece := connection.recv(65536):
                received += piece
        except OSError:  # it was closed while this was being sent
            pass
    assert not received or received.split()[1].startswith(b"4")
    assert ask(server, f"{MODEL}:predict", ROWS)[0] == 200


def test_json_that_is_meant_to_hurt(server):
    for body in (
        '{"instances": ' + "[" * 200_000 + "]" * 200_000 + "}",
        '{"instances": [[' + "9" * 100_000 + ", 1]]}",
        '{"instances": [[1e999999999, 1]], "signature_name": "' + "\\u0000" * 50_000 + '"}',
        '{"signature_name": {"a": {"a": {"a": 1}}}, "instances": [1]}',
        '{"instances": [' + ", ".join(['{"x": [1, 2], "x": [3, 4]}'] * 10) + ', {"x": 1, "y": 2}]}',
    ):
        error = error_of(ask(server, f"{MODEL}:predict", body), 400)
        assert len(error) < 2_000
    infinite = ask(server, f"{MODEL}:predict", '{"instances": [[1e999, 1], [NaN, 1]]}')
    assert infinite[0] == 200


def test_requests_on_one_connection(server):
    connection = HTTPConnection("127.0.0.1", server.started["port"], timeout=30)
    for body, status in ((ROWS, 200), ({}, 400), (ROWS, 200)):
        connection.request("POST", f"{MODEL}:predict", json.dumps(body))
        response = connection.getresponse()
        response.read()
        assert response.status == status
    connection.close()
