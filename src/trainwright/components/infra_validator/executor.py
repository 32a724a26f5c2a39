"""The InfraValidator's executor: a server, the model in it, requests, and the blessing."""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from trainwright._imports import require
from trainwright.components.infra_validator import request_builder
from trainwright.components.infra_validator.driver import MODEL_SERVER
from trainwright.components.infra_validator.error_types import (
    InfraValidationError,
    ValidationFailed,
)
from trainwright.components.infra_validator.model_server import make_model_server
from trainwright.components.infra_validator.model_server_client import ModelServerClient
from trainwright.components.infra_validator.server_choice import OWN_SERVER, find_model_server
from trainwright.components.infra_validator.validation_specs import ValidationSpecs, read_specs
from trainwright.data.tfrecord_frames import frame
from trainwright.dsl.base_executor import SUMMARY_KEY, ArtifactDict, BaseExecutor
from trainwright.types import model_paths
from trainwright.types.artifact import Artifact
from trainwright.types.artifact_utils import get_single_instance

if TYPE_CHECKING:
    from trainwright.components.infra_validator.types import Request

_logger = logging.getLogger(__name__)

_BLESSED_FILE = "INFRA_BLESSED"
_NOT_BLESSED_FILE = "INFRA_NOT_BLESSED"
# What a field of a PredictionLog is called, by the request in it.
_LOGS = {
    "ClassificationRequest": "classify_log",
    "PredictRequest": "predict_log",
    "RegressionRequest": "regress_log",
}


class Executor(BaseExecutor):
    """Blesses a model that a server has loaded, and that has answered all requests."""

    PRELOAD = ("tensorflow", "trainwright.components.infra_validator.executor")

    def Do(
        self,
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        exec_properties: dict[str, Any],
    ) -> None:
        model = get_single_instance(input_dict["model"])
        blessing = get_single_instance(output_dict["blessing"])
        specs = read_specs(exec_properties)
        program = exec_properties.get(MODEL_SERVER) or find_model_server()
        requests = self._build_requests(model, input_dict.get("examples"), specs)
        _say_server(program, specs)
        path = model_paths.serving_model_path(model.uri)
        problem = self._validate(program, path, requests, specs)
        if problem is not None:
            self._refuse(blessing, problem)
            return
        self._bless(blessing, program, requests)
        if requests and specs.request is not None and specs.request.make_warmup:
            stamp_model(path, blessing.uri, requests)
            blessing.set_int_custom_property("has_model", 1)

    def _build_requests(
        self, model: Artifact, examples: Sequence[Artifact] | None, specs: ValidationSpecs
    ) -> list[Request]:
        if not examples or specs.request is None:
            if specs.request is not None:
                _logger.warning(
                    "There is a request_spec and no examples: the model is loaded, and not asked. "
                    "Wire examples=example_gen.outputs['examples']."
                )
            _logger.info("The model is loaded, and not asked (LOAD_ONLY).")
            return []
        requests = request_builder.build_requests(
            specs.serving.model_name, model, examples[0], specs.request
        )
        _logger.info("The model is loaded, and asked %d times (LOAD_AND_QUERY).", len(requests))
        return requests

    def _validate(
        self, program: str, model: str, requests: Sequence[Request], specs: ValidationSpecs
    ) -> str | None:
        """Tries as often as is allowed; returns why the model cannot be served, or None."""
        tries = specs.validation.num_tries
        problem = ""
        for attempt in range(1, tries + 1):
            self.context.report_progress({"attempt": f"{attempt} of up to {tries}"})
            try:
                self._validate_once(program, model, requests, specs)
            except InfraValidationError as error:
                problem = str(error)
                _logger.error("Attempt %d of %d failed. %s", attempt, tries, error)
                if isinstance(error, ValidationFailed) and error.is_final:
                    break
            else:
                return None
        return problem

    def _validate_once(
        self, program: str, model: str, requests: Sequence[Request], specs: ValidationSpecs
    ) -> None:
        deadline = time.time() + specs.validation.max_loading_time_seconds
        with tempfile.TemporaryDirectory(dir=self._work_dir(), prefix="attempt-") as directory:
            server = make_model_server(program, model, specs.serving.model_name, directory)
            with server.running(deadline):
                client = ModelServerClient(server.address, specs.serving.model_name)
                client.wait_until_loaded(deadline, server.check_running)
                client.send_requests(requests, server.check_running)

    def _work_dir(self) -> str | None:
        return self._get_tmp_dir() if self.context.tmp_dir else None

    def _bless(self, blessing: Artifact, program: str, requests: Sequence[Request]) -> None:
        server = "trainwright serve" if program == OWN_SERVER else os.path.basename(program)
        asked = f" and answers {len(requests)} requests" if requests else ""
        self._mark(blessing, _BLESSED_FILE, f"blessed: it loads in {server}{asked}")
        blessing.set_int_custom_property("blessed", 1)

    def _refuse(self, blessing: Artifact, problem: str) -> None:
        self._mark(blessing, _NOT_BLESSED_FILE, f"not blessed: {problem.splitlines()[0]}")
        blessing.set_int_custom_property("blessed", 0)

    def _mark(self, blessing: Artifact, file_name: str, summary: str) -> None:
        os.makedirs(blessing.uri, exist_ok=True)
        with open(os.path.join(blessing.uri, file_name), "wb"):
            pass
        blessing.set_string_custom_property(SUMMARY_KEY, summary)
        self.context.report_progress({"model": summary})
        _logger.info("The model is %s.", summary)


def _say_server(program: str, specs: ValidationSpecs) -> None:
    server = "the server that comes with Trainwright" if program == OWN_SERVER else program
    _logger.info("The model is tried in %s.", server)
    if specs.serving.WhichOneof("serving_platform") == "local_docker":
        _logger.info(
            "serving_spec names the image %s: no container is started, and the model is tried in "
            "the server above, on this machine.",
            specs.image,
        )


def stamp_model(model: str, blessing: str, requests: Sequence[Request]) -> None:
    """Copies a model to the blessing, with the requests as those to warm it up with."""
    prediction_log = require("tensorflow_serving.apis.prediction_log_pb2", "serve")
    logs = []
    for request in requests:
        log = prediction_log.PredictionLog()
        getattr(log, _LOGS[request.DESCRIPTOR.name]).request.CopyFrom(request)
        logs.append(log.SerializeToString())
    stamped = model_paths.stamped_model_path(blessing)
    # Links stay links: a Pusher refuses those that lead out of the model.
    shutil.copytree(model, stamped, symlinks=True)
    path = model_paths.warmup_file_path(stamped)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(frame(logs))
