"""BaseRewriter: turns one form of a model into another, with checks before and after."""

from __future__ import annotations

import abc
import enum
from typing import Any, NamedTuple


class ModelType(enum.Enum):
    """The forms of a model that a rewriter takes or makes."""

    ANY_MODEL = 1
    SAVED_MODEL = 2
    TFLITE_MODEL = 3
    TFJS_MODEL = 4
    ONNX_MODEL = 5


class ModelDescription(NamedTuple):
    """A model's form and where it lies.

    Example: `ModelDescription(ModelType.SAVED_MODEL, "/models/penguin/1")`
    """

    model_type: ModelType
    path: Any


class BaseRewriter(abc.ABC):
    """Base of rewriters. A subclass has a name and fills in the three steps.

    Each step raises ValueError if the model is not what it should be; `perform_rewrite` then stops
    and says in which step. A direct subclass is found by `create_rewriter` under its class's name.

    >>> class Renamer(BaseRewriter):
    ...     name = "renamer"
    ...     def _pre_rewrite_validate(self, original_model): pass
    ...     def _rewrite(self, original_model, rewritten_model): print("to", rewritten_model.path)
    ...     def _post_rewrite_validate(self, rewritten_model): pass
    >>> source = ModelDescription(ModelType.SAVED_MODEL, "/a")
    >>> Renamer().perform_rewrite(source, source._replace(path="/b"))
    to /b
    """

    @property
    @abc.abstractmethod
    def name(self) -> str:
        """What messages call the rewriter."""

    @abc.abstractmethod
    def _pre_rewrite_validate(self, original_model: ModelDescription) -> None:
        """Raises ValueError if the original cannot be rewritten."""

    @abc.abstractmethod
    def _rewrite(self, original_model: ModelDescription, rewritten_model: ModelDescription) -> None:
        """Writes the new form; raises ValueError if that fails."""

    @abc.abstractmethod
    def _post_rewrite_validate(self, rewritten_model: ModelDescription) -> None:
        """Raises ValueError if what was written is not sound."""

    def perform_rewrite(
        self, original_model: ModelDescription, rewritten_model: ModelDescription
    ) -> None:
        """Goes through the three steps.

        Raises:
            ValueError: if a step did; the message names it.
        """
        try:
            self._pre_rewrite_validate(original_model)
        except ValueError as error:
            raise ValueError(
                f"{self.name} failed to perform pre-rewrite validation. Original model: "
                f"{original_model}. Error: {error}"
            ) from error
        try:
            self._rewrite(original_model, rewritten_model)
        except ValueError as error:
            raise ValueError(
                f"{self.name} failed to rewrite model. Original model: {original_model}. "
                f"Error {error}"
            ) from error
        try:
            self._post_rewrite_validate(rewritten_model)
        except ValueError as error:
            raise ValueError(
                f"{self.name} failed to validate rewritten model. Rewritten model: "
                f"{rewritten_model}. Error {error}"
            ) from error
