"""RewriteTarget: what a model is rewritten to, and how far the result may be from it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from trainwright._suggest import did_you_mean
from trainwright.components.trainer.rewriting.quantization import QUANTIZATIONS
from trainwright.components.trainer.rewriting.rewriter_factory import TARGETS
from trainwright.evaluation.models.parity import DEFAULT_TOLERANCES, Tolerance
from trainwright.evaluation.models.tfjs_runtime import find_tfjs_runtime

# The output that has the comparison of all targets.
REPORT = "report"

_NAME = re.compile(r"[A-Za-z_]\w*$")


@dataclass(frozen=True, kw_only=True)
class RewriteTarget:
    """One form of a model.

    Args:
        to: `"litert"`, `"onnx"` or `"tfjs"`.
        quantize: How numbers are made smaller: `"none"`, `"dynamic_range"`, `"float16"` or
            `"full_integer"`.
        name: The key of the output; by default made of the two.
        difference: The largest difference of an output, in parts of its largest value or of 1.
        agreement: In which fraction of the examples the class must be the same.
        compare: Of TF.js: False if the result is not run beside its source, for which TensorFlow.js
            in Node is needed.
        make_environment: Of TF.js: whether what converts and runs it is installed, once, in an
            environment of its own.
    """

    to: str
    quantize: str = "none"
    name: str = ""
    difference: float | None = None
    agreement: float | None = None
    compare: bool = True
    make_environment: bool = False

    def __post_init__(self) -> None:
        for argument, known in (("to", TARGETS), ("quantize", QUANTIZATIONS)):
            value = getattr(self, argument)
            if value not in known:
                raise ValueError(
                    f"A target of the Rewriter has {argument}={value!r}"
                    f"{did_you_mean(str(value), known)}"
                )
        if self.to == "tfjs" and self.quantize == "full_integer":
            raise ValueError(
                "A target of the Rewriter has quantize='full_integer', but TensorFlow.js computes "
                "with floats: give quantize='dynamic_range' for weights of 8 bits."
            )
        if not _NAME.match(self.key) or self.key == REPORT:
            raise ValueError(
                f"A target of the Rewriter has the name {self.name!r}: expected letters, digits "
                f"and underscores, and not {REPORT!r}."
            )
        for argument, default in (("compare", True), ("make_environment", False)):
            value = getattr(self, argument)
            if not isinstance(value, bool):
                raise ValueError(
                    f"A target of the Rewriter has {argument}={value!r}: expected True or False."
                )
            if value != default and self.to != "tfjs":
                raise ValueError(
                    f"A target of the Rewriter has {argument}={value!r}, which is for 'tfjs' "
                    f"alone: what runs {self.to!r} is installed with what writes it. Leave it out."
                )
        self.tolerance  # noqa: B018  refuses numbers that cannot be met

    @property
    def key(self) -> str:
        """The name of the output."""
        quantized = "" if self.quantize == "none" else f"_{self.quantize}"
        return self.name or f"{self.to}{quantized}"

    @property
    def tolerance(self) -> Tolerance:
        default = DEFAULT_TOLERANCES[self.quantize]
        return Tolerance(
            difference=default.difference if self.difference is None else self.difference,
            agreement=default.agreement if self.agreement is None else self.agreement,
        )


TargetLike = RewriteTarget | Mapping[str, Any] | str


def read_targets(given: Sequence[TargetLike]) -> list[RewriteTarget]:
    """Targets from their names, dicts or themselves.

    Raises:
        ValueError: if there are none, two of one name, or one that is not known.

    >>> [target.key for target in read_targets(["onnx", {"to": "litert", "quantize": "float16"}])]
    ['onnx', 'litert_float16']
    """
    if isinstance(given, (str, Mapping)) or not given:
        raise ValueError(
            f"The Rewriter's targets are {given!r}: expected a list, such as ['litert', "
            "{'to': 'litert', 'quantize': 'float16'}]."
        )
    targets = [_read_target(one) for one in given]
    keys = [target.key for target in targets]
    for key in keys:
        if keys.count(key) > 1:
            raise ValueError(f"Two targets of the Rewriter are called {key!r}: give one a name.")
    return targets


def _read_target(given: TargetLike) -> RewriteTarget:
    if isinstance(given, RewriteTarget):
        return given
    if isinstance(given, str):
        return RewriteTarget(to=given)
    known = list(RewriteTarget.__dataclass_fields__)
    for name in given:
        if name not in known:
            raise ValueError(f"A target of the Rewriter has {name!r}{did_you_mean(name, known)}")
    return RewriteTarget(**given)


def require_runtime(target: RewriteTarget) -> None:
    """Checks, before anything is converted, that the result can be run beside its source.

    Raises:
        ValueError: if it cannot; the message says what to do.
    """
    if target.to != "tfjs" or not target.compare:
        return
    try:
        find_tfjs_runtime(make=target.make_environment)
    except ValueError as error:
        raise ValueError(
            f"The target {target.key!r} cannot be compared with its source. {error} To have it "
            "written without a comparison, say compare=False in the target, or leave out --check."
        ) from error


def encode_targets(targets: Sequence[RewriteTarget]) -> str:
    return json.dumps([asdict(target) for target in targets], sort_keys=True)


def decode_targets(encoded: str) -> list[RewriteTarget]:
    return read_targets(json.loads(encoded))
