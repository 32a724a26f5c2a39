"""The client of a model server: waits until the model is loaded, and sends it requests."""

from __future__ import annotations

import base64
import http.client
import json
import logging
import time
import urllib.parse
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from trainwright.components.infra_validator.error_types import (
    DeadlineExceeded,
    ValidationFailed,
)
from trainwright.components.infra_validator.types import ModelServingStatus

if TYPE_CHECKING:
    from trainwright.components.infra_validator.types import Request

_logger = logging.getLogger(__name__)

_SECONDS_BETWEEN_LOOKS = 0.1
_SECONDS_PER_REQUEST = 60.0
# A server that dies closes its connections a little before it is gone.
_SECONDS_TO_DIE = 1.0
# Of a server's answer that is not JSON.
_LONGEST_ANSWER = 300


class ModelServerClient:
    """Asks a server by TensorFlow Serving's REST API.

    Args:
        address: Of the server, such as `"http://127.0.0.1:8501"`.
        model_name: What it calls the model.
    """

    def __init__(self, address: str, model_name: str) -> None:
        parsed = urllib.parse.urlsplit(address)
        self._host, self._port = parsed.hostname or "localhost", parsed.port
        self._path = f"/v1/models/{urllib.parse.quote(model_name)}"
        self._last_problem = "it did not answer"

    def wait_until_loaded(self, deadline: float, check: Callable[[], None]) -> None:
        """Waits for the model; `check` is called between looks, and may raise.

        Raises:
            DeadlineExceeded: if it takes too long.
            ValidationFailed: if the server says that it cannot be loaded.
        """
        while time.time() < deadline:
            check()
            status = self.status()
            if status is ModelServingStatus.READY:
                return
            if status is ModelServingStatus.UNAVAILABLE:
                raise ValidationFailed(f"The server cannot load the model: {self._last_problem}")
            time.sleep(_SECONDS_BETWEEN_LOOKS)
        raise DeadlineExceeded(
            "The model was not loaded in time; when the server was last asked, "
            f"{self._last_problem}. If the model needs longer, raise "
            "validation_spec.max_loading_time_seconds."
        )

    def status(self) -> ModelServingStatus:
        """How far the server is with the model."""
        try:
            code, answer = self._ask("GET", self._path)
        except (OSError, http.client.HTTPException) as error:
            self._last_problem = f"it did not answer ({error})"
            return ModelServingStatus.NOT_READY
        found = answer.get("model_version_status") if code == http.client.OK else None
        if not isinstance(found, list) or not found:
            self._last_problem = f"it answered with {code}: {_shown(answer)}"
            return ModelServingStatus.NOT_READY
        states = [version.get("state") for version in found if isinstance(version, dict)]
        self._last_problem = f"the model was {', '.join(map(str, states))}"
        if all(state == "AVAILABLE" for state in states):
            return ModelServingStatus.READY
        if "END" not in states:
            return ModelServingStatus.NOT_READY
        problems = [str(version.get("status", {}).get("error_message", "")) for version in found]
        self._last_problem = "; ".join(filter(None, problems)) or self._last_problem
        return ModelServingStatus.UNAVAILABLE

    def send_requests(self, requests: Sequence[Request], check: Callable[[float], None]) -> None:
        """Sends all requests; `check` is called if there is no answer, and may raise.

        Raises:
            ValidationFailed: if one is not answered; the message has the server's words.
        """
        for number, request in enumerate(requests, start=1):
            verb, document = to_json(request)
            asked = f"Request {number} of {len(requests)} (:{verb}, signature "
            asked += f"{request.model_spec.signature_name!r})"
            try:
                body = json.dumps(document).encode()
                code, answer = self._ask("POST", f"{self._path}:{verb}", body)
            except (OSError, http.client.HTTPException) as error:
                check(_SECONDS_TO_DIE)
                raise ValidationFailed(f"{asked} was not answered: {error}.") from error
            if code != http.client.OK:
                is_final = 400 <= code < 500  # the same request will be refused again
                raise ValidationFailed(
                    f"{asked} was refused with {code}: {_shown(answer)}", is_final=is_final
                )

    def _ask(self, method: str, path: str, body: bytes | None = None) -> tuple[int, Any]:
        connection = http.client.HTTPConnection(
            self._host, self._port, timeout=_SECONDS_PER_REQUEST
        )
        try:
            headers = {"content-type": "application/json"} if body else {}
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            text = response.read()
        finally:
            connection.close()
        try:
            answer = json.loads(text)
        except ValueError:
            answer = {"error": text[:_LONGEST_ANSWER].decode("utf-8", "backslashreplace")}
        return response.status, answer if isinstance(answer, dict) else {"error": answer}


def to_json(request: Request) -> tuple[str, dict[str, Any]]:
    """The verb and the JSON of a request, for the REST API."""
    name = request.DESCRIPTOR.name
    document: dict[str, Any] = {"signature_name": request.model_spec.signature_name}
    if name == "PredictRequest":
        document["inputs"] = {key: _tensor_to_json(value) for key, value in request.inputs.items()}
        return "predict", document
    examples = request.input.example_list.examples
    document["examples"] = [_example_to_json(example) for example in examples]
    return "classify" if name == "ClassificationRequest" else "regress", document


def _tensor_to_json(tensor: Any) -> Any:
    import tensorflow as tf

    array = tf.make_ndarray(tensor)
    if array.dtype == object:
        return _strings_to_json(array.tolist())
    return array.tolist()


def _strings_to_json(values: Any) -> Any:
    if isinstance(values, list):
        return [_strings_to_json(value) for value in values]
    return {"b64": base64.b64encode(values).decode("ascii")}


def _example_to_json(example: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, feature in example.features.feature.items():
        kind = feature.WhichOneof("kind")
        values = list(getattr(feature, kind).value) if kind else []
        found[name] = _strings_to_json(values) if kind == "bytes_list" else values
    return found


def _shown(answer: Any) -> str:
    said = answer.get("error", answer) if isinstance(answer, dict) else answer
    text = " ".join(str(said).split())
    return text if len(text) <= 1000 else f"{text[:1000]}..."
