"""ServedModel: a SavedModel in a session, as TensorFlow Serving runs it, asked with arrays."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from trainwright._suggest import did_you_mean
from trainwright.serving.errors import ModelLoadError, RequestError, cut
from trainwright.serving.signatures import (
    DEFAULT_SIGNATURE,
    Signature,
    metadata_of,
    signatures_of,
)

Arrays = dict[str, npt.NDArray[Any]]

# The tag of the graph that is served.
_TAG = "serve"
# What follows in an error of TensorFlow: where in the graph it came from.
_TRACE = re.compile(r"\n\nOriginal stack trace|\nErrors may have|\s*\[\[\{\{")
# How much of what TensorFlow says of a failure a client is told.
_LONGEST_REASON = 600


class ServedModel:
    """A SavedModel, ready to answer; several threads may ask at once.

    It is loaded into a session of its own, as TensorFlow Serving does: what cannot be served there
    cannot be loaded here either, the graph of TensorFlow 1 and 2 is the same to it, and `close`
    gives the memory back.

    Args:
        path: The directory of the SavedModel.
        threads: How many threads TensorFlow computes one batch with.
        timeout_seconds: After this long a computation is ended.

    Raises:
        ModelLoadError: if it cannot be loaded.

    Example:
        ```py
        model = ServedModel("serving_model/1700000000")
        model.run(model.signature(""), {"x": np.ones((2, 1), np.float32)})
        ```
    """

    def __init__(self, path: str, *, threads: int = 0, timeout_seconds: float = 60.0) -> None:
        import tensorflow as tf

        self.path = path
        self._milliseconds = int(timeout_seconds * 1000)
        graph = tf.Graph()
        config = tf.compat.v1.ConfigProto(
            intra_op_parallelism_threads=threads, inter_op_parallelism_threads=threads
        )
        self._session: Any = tf.compat.v1.Session(graph=graph, config=config)
        self._calls: dict[str, Callable[..., Any]] = {}
        self._running = 0
        self._is_running = threading.Condition()
        try:
            with graph.as_default():
                meta_graph = _load(self._session, path)
            self.signatures = signatures_of(meta_graph)
            self.metadata = metadata_of(meta_graph)
            for signature in self.signatures.values():
                _check_restored(self._session, signature, path)
                self._calls[signature.name] = self._make_call(signature)
        except BaseException:
            self._session.close()
            raise

    def _make_call(self, signature: Signature) -> Callable[..., Any]:
        """What computes a signature, quicker than `Session.run` by the time it takes to plan it."""
        from tensorflow.core.protobuf import config_pb2

        options = config_pb2.CallableOptions(
            feed=[spec.tensor for spec in signature.inputs.values()],
            fetch=[spec.tensor for spec in signature.outputs.values()],
        )
        options.run_options.timeout_in_ms = self._milliseconds
        call: Callable[..., Any] = self._session._make_callable_from_options(options)
        return call

    def signature(self, name: str) -> Signature:
        """The signature with a name; the default one if it is empty.

        Raises:
            RequestError: if there is none; the message has those that are there.
        """
        wanted = cut(name or DEFAULT_SIGNATURE)
        if wanted in self.metadata and wanted not in self.signatures:
            raise RequestError(
                f"The signature {wanted!r} cannot be asked: it takes or returns tensors that are "
                "not dense, which JSON has no form for."
            )
        if wanted not in self.signatures:
            raise RequestError(
                f"The model has no signature {wanted!r}{did_you_mean(wanted, self.signatures)} "
                'Name one as "signature_name" of the request.'
            )
        return self.signatures[wanted]

    def run(self, signature: Signature, arrays: Mapping[str, npt.NDArray[Any]]) -> Arrays:
        """The outputs by name.

        Raises:
            RequestError: if TensorFlow refuses the values; the message has what it says.
        """
        import tensorflow as tf

        with self._is_running:
            self._running += 1
        try:
            results = self._calls[signature.name](*(arrays[name] for name in signature.inputs))
        except tf.errors.OpError as error:
            raise RequestError(_describe_failure(signature, error), _status_of(error)) from error
        finally:
            with self._is_running:
                self._running -= 1
                self._is_running.notify_all()
        return {
            name: np.asarray(result)
            for name, result in zip(signature.outputs, results, strict=True)
        }

    def close(self) -> None:
        """Gives back the memory of the model; nobody may ask it any more.

        What is computed for a client that has stopped waiting is waited for, as long as it may run.
        """
        with self._is_running:
            self._is_running.wait_for(lambda: not self._running, self._milliseconds / 1000)
        self._calls.clear()
        self._session.close()


def _load(session: Any, path: str) -> Any:
    # What tf.compat.v1.saved_model.load calls, without its warning in each server's log.
    from tensorflow.python.saved_model import loader_impl

    if not os.path.isfile(os.path.join(path, "saved_model.pb")):
        found = ", ".join(sorted(os.listdir(path))) if os.path.isdir(path) else ""
        raise ModelLoadError(
            f"There is no SavedModel at {path}: expected saved_model.pb, found "
            f"{found or 'nothing'}."
        )
    try:
        return loader_impl.SavedModelLoader(path).load(session, [_TAG])
    except Exception as error:  # of a damaged file it may be any
        reason = _first_lines(str(error))
        raise ModelLoadError(f"The SavedModel at {path} cannot be loaded: {reason}") from error


def _check_restored(session: Any, signature: Signature, path: str) -> None:
    """Refuses a model whose own instructions to restore it leave variables without values.

    `tf.saved_model.save` writes such a model from one of Keras 3: in Python it works, because
    `tf.saved_model.load` follows the objects, and in TensorFlow Serving no request does.
    """
    import tensorflow as tf

    handles = _handles_below(session.graph, [spec.tensor for spec in signature.outputs.values()])
    if not handles:
        return
    with session.graph.as_default():
        looks = [tf.raw_ops.VarIsInitializedOp(resource=handle.outputs[0]) for handle in handles]
        restored: Sequence[bool] = session.run(looks)
    missing = [
        handle.name for handle, is_there in zip(handles, restored, strict=True) if not is_there
    ]
    if missing:
        raise ModelLoadError(
            f"The SavedModel at {path} does not restore the variables of its signature "
            f"{signature.name!r}: {', '.join(missing[:5])}. TensorFlow Serving cannot serve it "
            "either. tf.saved_model.save writes such models from those of Keras 3: use "
            "model.export, or save it in a Trainer, which mends that."
        )


def _handles_below(graph: Any, tensors: Sequence[str]) -> list[Any]:
    """The handles of variables that tensors are computed from."""
    waiting = [graph.get_tensor_by_name(name).op for name in tensors]
    seen, handles = set(waiting), []
    while waiting:
        operation = waiting.pop()
        if operation.type == "VarHandleOp":
            handles.append(operation)
        for above in (*(tensor.op for tensor in operation.inputs), *operation.control_inputs):
            if above not in seen:
                seen.add(above)
                waiting.append(above)
    return handles


def _status_of(error: Any) -> Any:
    """TensorFlow Serving's status for an error of TensorFlow."""
    from http import HTTPStatus

    import tensorflow as tf

    if isinstance(error, tf.errors.DeadlineExceededError):
        return HTTPStatus.GATEWAY_TIMEOUT
    if isinstance(error, tf.errors.ResourceExhaustedError):
        return HTTPStatus.TOO_MANY_REQUESTS
    of_client = (
        tf.errors.InvalidArgumentError,
        tf.errors.OutOfRangeError,
        tf.errors.FailedPreconditionError,
    )
    of_server = HTTPStatus.INTERNAL_SERVER_ERROR
    return HTTPStatus.BAD_REQUEST if isinstance(error, of_client) else of_server


def _describe_failure(signature: Signature, error: Any) -> str:
    import tensorflow as tf

    if isinstance(error, tf.errors.DeadlineExceededError):
        return (
            f"The signature {signature.name!r} took longer than this server allows. Send fewer "
            "rows, or start the server with a larger --timeout."
        )
    return f"The signature {signature.name!r} failed: {_first_lines(str(error.message))}"


def _first_lines(text: str) -> str:
    """What is said, without the traces of the graph that follow it."""
    line = " ".join(_TRACE.split(text, 1)[0].split())
    return line if len(line) <= _LONGEST_REASON else f"{line[:_LONGEST_REASON]}..."
