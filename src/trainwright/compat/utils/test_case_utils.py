"""Test cases with a directory of their own, and assertions about artifacts and messages."""

from __future__ import annotations

import contextlib
import copy
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

import tensorflow as tf
from google.protobuf import text_format
from google.protobuf.message import Message

from trainwright.dsl.io import fileio, io_utils
from trainwright.types.artifact import Artifact

MessageT = TypeVar("MessageT", bound=Message)


@contextlib.contextmanager
def override_env_var(name: str, value: str) -> Iterator[None]:
    """Sets an environment variable while the `with` block runs."""
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = before


@contextlib.contextmanager
def change_working_dir(working_dir: str) -> Iterator[str]:
    """Goes to a directory while the `with` block runs; gives the one before."""
    before = os.getcwd()
    os.chdir(working_dir)
    try:
        yield before
    finally:
        os.chdir(before)


class TfxTest(tf.test.TestCase):  # type: ignore[misc]
    """A test case of TensorFlow; each test has the directory `self.tmp_dir`."""

    def setUp(self) -> None:
        super().setUp()
        parent = os.environ.get("TEST_UNDECLARED_OUTPUTS_DIR", self.get_temp_dir())
        self.tmp_dir = os.path.join(parent, self._testMethodName)
        fileio.makedirs(self.tmp_dir)

    def load_proto_from_text(self, path: str, proto_message: MessageT) -> MessageT:
        """Reads a message in text form from a file."""
        return io_utils.parse_pbtxt_file(path, proto_message)

    def assertProtoPartiallyEquals(
        self,
        expected: str | Message,
        actual: Message,
        ignored_fields: Iterable[str] | None = None,
    ) -> None:
        """Asserts that messages are equal but for some of their fields, not looking into them."""
        if isinstance(expected, str):
            expected = text_format.Parse(expected, type(actual)())
        expected, actual = copy.deepcopy(expected), copy.deepcopy(actual)
        for field in ignored_fields or ():
            expected.ClearField(field)
            actual.ClearField(field)
        self.assertProtoEquals(expected, actual)

    def assertArtifactEqual(self, actual: Artifact, expected: Artifact) -> None:
        """Asserts that artifacts are equal, and their types."""
        self._assert_same_artifact(expected, actual, "Artifacts are not equal")

    def assertArtifactListEqual(
        self, actual: Sequence[Artifact], expected: Sequence[Artifact]
    ) -> None:
        """Asserts that lists of artifacts are equal."""
        self._assert_same_artifacts(expected, actual, "Artifact list")

    def assertArtifactMapsEqual(
        self,
        expected_artifact_map: Mapping[str, Sequence[Artifact]],
        actual_artifact_map: Mapping[str, Sequence[Artifact]],
    ) -> None:
        """Asserts that artifacts are equal, key by key."""
        self.assertSameElements(expected_artifact_map, actual_artifact_map, "Keys differ.")
        for key, expected in expected_artifact_map.items():
            self._assert_same_artifacts(expected, actual_artifact_map[key], f"Key {key}")

    def _assert_same_artifacts(
        self, expected: Sequence[Artifact], actual: Sequence[Artifact], name: str
    ) -> None:
        self.assertLen(actual, len(expected), f"{name}: length differs.")
        for index, pair in enumerate(zip(expected, actual, strict=True)):
            self._assert_same_artifact(*pair, f"{name}: item {index} differs")

    def _assert_same_artifact(self, expected: Artifact, actual: Artifact, message: str) -> None:
        self.assertProtoEquals(expected.artifact_type, actual.artifact_type, message)
        self.assertProtoEquals(expected.mlmd_artifact, actual.mlmd_artifact, message)
