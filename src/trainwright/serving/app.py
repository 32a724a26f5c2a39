"""The ASGI app: TensorFlow Serving's REST API, health and metrics."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Executor
from http import HTTPStatus
from typing import Any

from anyio import fail_after
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from trainwright._suggest import did_you_mean
from trainwright.serving.errors import RequestError, cut
from trainwright.serving.http_guard import BodyReader, HostCheck
from trainwright.serving.metrics import ServingMetrics
from trainwright.serving.requests import ModelCall, make_call, parse_body
from trainwright.serving.servable import Servable
from trainwright.serving.settings import ServingSettings
from trainwright.serving.versions import ModelVersions, Version

_logger = logging.getLogger(__name__)

VERBS = ("predict", "classify", "regress")
# A page is found by its path, and says itself what it is asked with.
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
_TARGET = re.compile(
    r"/v1/models/(?P<name>[^/:]+)"
    r"(?:/versions/(?P<version>[^/:]+)|/labels/(?P<label>[^/:]+))?"
    r"(?:/(?P<metadata>metadata)|:(?P<verb>[^/:]*))?/?"
)
# A longer body is parsed off the event loop, which others wait for meanwhile.
_PARSED_AT_ONCE = 1 << 15
# An unforeseen error has its trace in the log, and no word of it in the answer.
_UNFORESEEN = "The server failed to answer; its log says why."
_FORMS = (
    "/v1/models/NAME:predict, /v1/models/NAME/versions/NUMBER:predict, "
    "/v1/models/NAME/labels/LABEL:predict, likewise :classify and :regress; "
    "/v1/models/NAME and /v1/models/NAME/metadata"
)


class ServingApp:
    """The routes, as functions of the versions that are served.

    Args:
        versions: The model.
        settings: The limits.
        metrics: Are told of requests.
        hosts: Which hosts the server answers for.
        executor: Where long bodies are parsed.
    """

    def __init__(
        self,
        versions: ModelVersions,
        settings: ServingSettings,
        metrics: ServingMetrics,
        hosts: HostCheck,
        executor: Executor,
    ) -> None:
        self._versions = versions
        self._settings = settings
        self._metrics = metrics
        self._hosts = hosts
        self._executor = executor
        self._bodies = BodyReader(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request below `/v1/models`; what is not foreseen becomes an error of 500."""
        headers = dict(scope["headers"])
        verb, began = "other", time.perf_counter()
        self._metrics.in_flight.inc()
        try:
            target = _TARGET.fullmatch(scope["path"])
            if target is not None and target["verb"] in VERBS:
                verb = target["verb"]
            response = await self._answer(scope, receive, headers, target)
        except RequestError as error:
            response = error_response(error)
        except ConnectionError:
            return  # nobody is there to be answered
        except Exception:
            _logger.exception("The request %s failed.", cut(scope["path"]))
            response = error_response(RequestError(_UNFORESEEN, HTTPStatus.INTERNAL_SERVER_ERROR))
        finally:
            self._metrics.in_flight.dec()
        seconds = time.perf_counter() - began
        self._metrics.note_request(verb, response.status_code, seconds)
        _logger.debug(
            "%s %s: %d, %.1f ms",
            scope["method"],
            cut(scope["path"]),
            response.status_code,
            seconds * 1000,
        )
        await response(scope, receive, send)

    async def _answer(
        self,
        scope: Scope,
        receive: Receive,
        headers: dict[bytes, bytes],
        target: re.Match[str] | None,
    ) -> Response:
        self._hosts.check(headers)
        if target is None:
            raise RequestError(
                f"There is nothing at {cut(scope['path'])!r}. This server answers {_FORMS}.",
                HTTPStatus.NOT_FOUND,
            )
        if target["name"] != self._versions.name:
            raise RequestError(
                f"There is no model {cut(target['name'])!r}. This server has "
                f"{self._versions.name!r}: /v1/models/{self._versions.name}.",
                HTTPStatus.NOT_FOUND,
            )
        number = _parse_version(target["version"])
        if target["verb"] is None:
            _check_method(scope, ("GET", "HEAD"))
            return self._describe(number, target["label"], is_metadata=bool(target["metadata"]))
        if target["verb"] not in VERBS:
            asked = cut(target["verb"])
            raise RequestError(
                f"The model cannot be asked to {asked!r}{did_you_mean(asked, VERBS)}"
            )
        _check_method(scope, ("POST",))
        return await self._ask(target, number, headers, receive)

    async def _ask(
        self,
        target: re.Match[str],
        number: int | None,
        headers: dict[bytes, bytes],
        receive: Receive,
    ) -> Response:
        """The model's answer, unless time runs out."""
        # Who asks for what is not there is told before the body is read.
        self._versions.find(number, target["label"])
        is_read = False
        with self._bodies.hold() as body:
            try:
                with fail_after(self._settings.timeout_seconds):
                    await self._bodies.read(headers, receive, body)
                    is_read = True
                    version = self._versions.find(number, target["label"])
                    with self._versions.use(version):
                        servable = version.loaded
                        assert isinstance(servable, Servable)
                        call = await self._parse(target["verb"], body, servable)
                        answer = await servable.batcher.submit(call)
            except TimeoutError:
                raise self._too_slow(is_read) from None
        return Response(answer, media_type="application/json")

    async def _parse(self, verb: str, body: bytearray, servable: Servable) -> ModelCall:
        def parse() -> ModelCall:
            return make_call(verb, parse_body(body), servable.model)

        if len(body) <= _PARSED_AT_ONCE:
            return parse()
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._executor, parse)

    def _too_slow(self, is_read: bool) -> RequestError:
        seconds = f"{self._settings.timeout_seconds:g} seconds"
        if is_read:
            return RequestError(
                f"The request was not answered in {seconds}, the most that this server takes. Send "
                "fewer rows, or start it with a larger --timeout.",
                HTTPStatus.GATEWAY_TIMEOUT,
            )
        return RequestError(
            f"The body had not arrived after {seconds}, the most that this server waits.",
            HTTPStatus.REQUEST_TIMEOUT,
        )

    def _describe(self, number: int | None, label: str | None, *, is_metadata: bool) -> Response:
        if is_metadata:
            return JSONResponse(self._metadata(self._versions.find(number, label)))
        if number is None and label is None:
            found: Sequence[Version] = self._versions.statuses()
        elif label is not None:
            found = [self._versions.find(None, label)]
        else:
            found = [one for one in self._versions.statuses() if one.number == number]
            found = found or [self._versions.find(number)]  # which says what there is
        return JSONResponse({"model_version_status": [_status(version) for version in found]})

    def _metadata(self, version: Version) -> dict[str, Any]:
        assert isinstance(version.loaded, Servable)
        return {
            "model_spec": {
                "name": self._versions.name,
                "signature_name": "",
                "version": str(version.number),
            },
            "metadata": {"signature_def": {"signature_def": version.loaded.model.metadata}},
        }

    async def healthz(self, request: Request) -> Response:
        """The process answers."""
        return JSONResponse({"status": "ok"})

    async def readyz(self, request: Request) -> Response:
        """A version is served, so that requests can be sent."""
        served = self._versions.available
        status = HTTPStatus.OK if served else HTTPStatus.SERVICE_UNAVAILABLE
        said = "ok" if served else "no version is served yet"
        return JSONResponse({"status": said, "versions": served}, status_code=status)

    async def render_metrics(self, request: Request) -> Response:
        """What was counted, for Prometheus."""
        body, content_type = self._metrics.render()
        return Response(body, headers={"content-type": content_type})

    def guard(
        self, page: Callable[[Request], Awaitable[Response]]
    ) -> Callable[[Request], Awaitable[Response]]:
        """The page, for the hosts of this server alone."""

        async def guarded(request: Request) -> Response:
            try:
                self._hosts.check(dict(request.scope["headers"]))
                _check_method(request.scope, ("GET", "HEAD"))
            except RequestError as error:
                return error_response(error)
            return await page(request)

        return guarded


def make_app(app: ServingApp, lifespan: Any) -> Starlette:
    """The routes, with what starts and ends with them."""
    pages = (
        ("/healthz", app.healthz),
        ("/readyz", app.readyz),
        ("/metrics", app.render_metrics),
        ("/monitoring/prometheus/metrics", app.render_metrics),
    )
    routes = [Route(path, app.guard(page), methods=_METHODS) for path, page in pages]
    # An object, not a function: it is called with the scope, without a Request around it. First
    # of all what is asked most.
    routes = [Route("/v1/{path:path}", app), *routes, Route("/{path:path}", app)]
    return Starlette(routes=routes, lifespan=lifespan)


def error_response(error: RequestError) -> Response:
    """An error as TensorFlow Serving words it: `{"error": "..."}`."""
    response = JSONResponse({"error": str(error)}, status_code=error.status)
    if error.status in (HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.REQUEST_TIMEOUT):
        response.headers["connection"] = "close"  # the rest of the body is not read
    if error.status is HTTPStatus.SERVICE_UNAVAILABLE:
        response.headers["retry-after"] = "1"
    return response


def _parse_version(text: str | None) -> int | None:
    if text is None:
        return None
    if not text.isdecimal() or len(text) > 20:
        raise RequestError(f"The version {cut(text)!r} is not a number.")
    return int(text)


def _check_method(scope: Scope, allowed: Sequence[str]) -> None:
    if scope["method"] not in allowed:
        raise RequestError(
            f"{cut(scope['path'])} was asked with {cut(scope['method'])}: expected {allowed[0]}.",
            HTTPStatus.METHOD_NOT_ALLOWED,
        )


def _status(version: Version) -> dict[str, Any]:
    return {
        "version": str(version.number),
        "state": version.state.value,
        "status": {
            "error_code": "UNKNOWN" if version.problem else "OK",
            "error_message": version.problem,
        },
    }
