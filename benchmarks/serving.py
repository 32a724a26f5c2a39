"""`trainwright serve` under load: requests per second and latency, beside what one would write.

One small model is asked about one row at a time, by 16 connections of a client in a process of its
own: served by `trainwright serve`; by a bare FastAPI handler around the loaded model, on the same
uvicorn; and called in a loop, without any server. They are measured in turn, so that other load on
the machine meets all of them alike.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from measuring import Figure, median, trainwright_command

CONNECTIONS = 16
FEATURES = ("culmen_length", "culmen_depth", "flipper_length", "body_mass")
BODY = json.dumps({"instances": [{name: [0.5] for name in FEATURES}]}).encode()
_HERE = Path(__file__)


def run(quick: bool) -> list[Figure]:
    seconds, rounds = (1.0, 1) if quick else (4.0, 3)
    with tempfile.TemporaryDirectory() as directory:
        model = os.path.join(directory, "penguin", "1")
        _run_here("--save", model)
        found: dict[str, list[dict[str, float]]] = {"serve": [], "fastapi": [], "loop": []}
        for _ in range(rounds):
            with _served(trainwright_command("serve", model, "--port", "0", "--json")) as port:
                path = "/v1/models/penguin:predict"
                found["serve"].append(_run_here("--load", str(port), path, str(seconds)))
            with _served([sys.executable, str(_HERE), "--fastapi", model]) as port:
                found["fastapi"].append(_run_here("--load", str(port), "/predict", str(seconds)))
            found["loop"].append(_run_here("--loop", model, str(seconds)))
    return _figures(found)


def _figures(found: dict[str, list[dict[str, float]]]) -> list[Figure]:
    rate, p50, p99 = (
        {name: median(one[key] for one in runs) for name, runs in found.items()}
        for key in ("rate", "p50", "p99")
    )

    def latency(name: str) -> str:
        return f"p50 {p50[name] * 1000:.1f} ms, p99 {p99[name] * 1000:.1f} ms"

    asked = f"requests of one row by {CONNECTIONS} connections"
    return [
        Figure(
            what=f"`trainwright serve`: {asked}",
            value=rate["serve"],
            unit="requests/s",
            remark=latency("serve"),
        ),
        Figure(
            what="beside a bare FastAPI handler around the model",
            value=rate["serve"] / rate["fastapi"],
            unit="times",
            remark=f"that answers {rate['fastapi']:,.0f} requests/s, {latency('fastapi')}",
        ),
        Figure(
            what="beside the model called row by row in a loop",
            value=rate["serve"] / rate["loop"],
            unit="times",
            remark=f"which makes {rate['loop']:,.0f} calls/s, {latency('loop')}",
        ),
    ]


def _run_here(*arguments: str) -> dict[str, float]:
    """What a part of this file prints, in a process of its own."""
    finished = subprocess.run(
        [sys.executable, str(_HERE), *arguments], check=True, capture_output=True, text=True
    )
    lines = finished.stdout.splitlines()
    return json.loads(lines[-1]) if lines else {}


@contextmanager
def _served(command: list[str]) -> Iterator[int]:
    """The port of a server that prints `{"port": ...}` when it listens."""
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    try:
        yield json.loads(process.stdout.readline())["port"]
    finally:
        process.terminate()
        process.communicate()


def _save(path: str) -> None:
    import tensorflow as tf

    class Penguin(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            generator = tf.random.Generator.from_seed(1)
            self.layers = [
                tf.Variable(generator.normal(shape)) for shape in ((4, 64), (64, 64), (64, 3))
            ]

        @tf.function(
            input_signature=[
                {name: tf.TensorSpec([None, 1], tf.float32, name) for name in FEATURES}
            ]
        )
        def predict(self, features):  # type: ignore[no-untyped-def]
            hidden = tf.concat([features[name] for name in FEATURES], axis=1)
            for layer in self.layers[:-1]:
                hidden = tf.nn.relu(hidden @ layer)
            return {"outputs": tf.nn.softmax(hidden @ self.layers[-1])}

    module = Penguin()
    tf.saved_model.save(module, path, signatures={"serving_default": module.predict})


def _make_caller(path: str):  # type: ignore[no-untyped-def]
    import tensorflow as tf

    model = tf.saved_model.load(path)
    signature = model.signatures["serving_default"]

    def call(instances):  # type: ignore[no-untyped-def]
        columns = {name: [row[name] for row in instances] for name in FEATURES}
        outputs = signature(**{name: tf.constant(column) for name, column in columns.items()})
        return outputs["outputs"].numpy().tolist()

    call.model = model  # which the signature does not keep
    return call


def _serve_fastapi(path: str) -> None:
    import uvicorn
    from fastapi import FastAPI
    from pydantic import BaseModel

    class Rows(BaseModel):
        instances: list[dict[str, list[float]]]

    app = FastAPI()
    call = _make_caller(path)

    def predict(rows):  # type: ignore[no-untyped-def]
        return {"predictions": call(rows.instances)}

    # Written at the argument it would be a string in this file, which FastAPI could not look up.
    predict.__annotations__["rows"] = Rows
    app.post("/predict")(predict)

    class Server(uvicorn.Server):
        async def startup(self, sockets=None):  # type: ignore[no-untyped-def]
            await super().startup(sockets)
            port = self.servers[0].sockets[0].getsockname()[1]
            print(json.dumps({"port": port}), flush=True)

    Server(uvicorn.Config(app, port=0, log_level="error", access_log=False)).run()


def _loop(path: str, seconds: float) -> None:
    call = _make_caller(path)
    instances = json.loads(BODY)["instances"]
    for _ in range(50):
        call(instances)
    latencies, end = [], time.perf_counter() + seconds
    while (began := time.perf_counter()) < end:
        call(instances)
        latencies.append(time.perf_counter() - began)
    _print_latencies(latencies, seconds)


async def _load(port: int, path: str, seconds: float) -> None:
    await _ask_until(port, path, time.perf_counter() + 0.5)  # the first requests are slower
    latencies = []
    end = time.perf_counter() + seconds
    clients = (_ask_until(port, path, end) for _ in range(CONNECTIONS))
    for found in await asyncio.gather(*clients):
        latencies += found
    _print_latencies(latencies, seconds)


async def _ask_until(port: int, path: str, end: float) -> list[float]:
    """One connection, which asks again as soon as it is answered; how long each answer took."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    request = head.encode() + b"content-length: %d\r\n\r\n" % len(BODY) + BODY
    latencies = []
    while (began := time.perf_counter()) < end:
        writer.write(request)
        answer = await reader.readuntil(b"\r\n\r\n")
        if not answer.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(answer)
        length = next(
            line.partition(b":")[2]
            for line in answer.lower().split(b"\r\n")
            if line.startswith(b"content-length:")
        )
        await reader.readexactly(int(length))
        latencies.append(time.perf_counter() - began)
    writer.close()
    return latencies


def _print_latencies(latencies: list[float], seconds: float) -> None:
    latencies.sort()
    quantile = {name: latencies[int(len(latencies) * part)] for name, part in _QUANTILES.items()}
    print(json.dumps({"rate": len(latencies) / seconds, **quantile}))


_QUANTILES = {"p50": 0.5, "p99": 0.99}

if __name__ == "__main__":
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    part, *arguments = sys.argv[1:]
    if part == "--save":
        _save(arguments[0])
    elif part == "--fastapi":
        _serve_fastapi(arguments[0])
    elif part == "--loop":
        _loop(arguments[0], float(arguments[1]))
    else:
        asyncio.run(_load(int(arguments[0]), arguments[1], float(arguments[2])))
