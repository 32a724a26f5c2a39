"""Output columns: which outputs of a model become features of the output examples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from trainwright._suggest import did_you_mean
from trainwright.components.bulk_inferrer.signatures import (
    CLASSES,
    CLASSIFY,
    DEFAULT_SIGNATURE,
    PREDICT,
    REGRESS,
    REGRESSION,
    SCORES,
    shown_method,
)
from trainwright.evaluation.models.signatures import Signature
from trainwright.proto import bulk_inferrer_pb2

# What each kind of `OutputColumnsSpec` is made of.
_METHODS = {
    "classify_output": CLASSIFY,
    "regress_output": REGRESS,
    "predict_output": PREDICT,
}


@dataclass(frozen=True)
class OutputColumn:
    """An output that becomes a feature.

    Args:
        signature: The name of the signature.
        method: What the spec takes the signature for: it predicts, classifies or regresses.
        output: The output's key.
        column: The feature's name.
    """

    signature: str
    method: str
    output: str
    column: str

    def to_json(self) -> dict[str, str]:
        return asdict(self)


def read_columns(
    spec: bulk_inferrer_pb2.OutputExampleSpec, signature_names: Sequence[str]
) -> list[OutputColumn]:
    """The columns that a spec asks for, checked as far as that can be done without the model.

    Args:
        spec: The spec.
        signature_names: The signatures that the model is asked by; none means the default.

    Raises:
        ValueError: saying what is wrong with the spec.
    """
    asked = list(signature_names) or [DEFAULT_SIGNATURE]
    specs = spec.output_columns_spec
    if not specs:
        raise ValueError(
            "output_example_spec has no output_columns_spec: expected one for each signature, "
            "which says what of its answers becomes a feature. Leave output_example_spec out for "
            "prediction logs."
        )
    if len(asked) == 1 and len(specs) != 1:
        raise ValueError(
            f"output_example_spec has {len(specs)} output_columns_specs, and the model is asked by "
            f"one signature, {asked[0]!r}: expected one output_columns_spec."
        )
    columns = [column for each in specs for column in _columns_of(each, asked)]
    _check_coverage({column.signature for column in columns}, asked)
    names = [column.column for column in columns]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(
            f"output_example_spec names the output column {twice[0]!r} more than once: expected a "
            "name of its own for each column."
        )
    return columns


def _columns_of(
    spec: bulk_inferrer_pb2.OutputColumnsSpec, asked: Sequence[str]
) -> Iterator[OutputColumn]:
    kind = spec.WhichOneof("output_type")
    if kind is None:
        raise ValueError(
            "An output_columns_spec says nothing of the output: expected classify_output, "
            "regress_output or predict_output in it."
        )
    signature = spec.signature_name or (asked[0] if len(asked) == 1 else DEFAULT_SIGNATURE)
    if signature not in asked:
        raise ValueError(
            f"An output_columns_spec is for the signature {signature!r}, which the model is not "
            f"asked by{did_you_mean(signature, asked)} Name it in model_signature_name of the "
            "model_spec too."
        )
    if len(asked) > 1 and kind == "predict_output":
        raise ValueError(
            f"The output_columns_spec for {signature!r} has a predict_output, and the model is "
            f"asked by several signatures ({', '.join(asked)}), which must classify or regress. "
            "Ask each signature that predicts with a BulkInferrer of its own."
        )
    pairs = list(_pairs_of(spec, kind))
    if not pairs:
        raise ValueError(
            f"The {kind} of output_example_spec names no column: expected {_EXPECTED[kind]}."
        )
    for output, column in pairs:
        if not output or not column:
            raise ValueError(
                f"The {kind} of output_example_spec has the output_key {output!r} and the "
                f"output_column {column!r}: expected a name for both."
            )
        yield OutputColumn(signature, _METHODS[kind], output, column)


_EXPECTED = {
    "classify_output": "label_column, score_column or both",
    "regress_output": "value_column",
    "predict_output": "output_columns, each with output_key and output_column",
}


def _pairs_of(spec: bulk_inferrer_pb2.OutputColumnsSpec, kind: str) -> Iterator[tuple[str, str]]:
    """Keys of outputs with their columns."""
    if kind == "predict_output":
        for column in spec.predict_output.output_columns:
            yield column.output_key, column.output_column
    elif kind == "regress_output":
        if spec.regress_output.value_column:
            yield REGRESSION, spec.regress_output.value_column
    else:
        if spec.classify_output.label_column:
            yield CLASSES, spec.classify_output.label_column
        if spec.classify_output.score_column:
            yield SCORES, spec.classify_output.score_column


def _check_coverage(covered: set[str], asked: Sequence[str]) -> None:
    missing = [name for name in asked if name not in covered]
    if missing:
        raise ValueError(
            f"output_example_spec has no output_columns_spec for the signature {missing[0]!r}, by "
            "which the model is asked: expected one for each signature of the model_spec."
        )


def check_columns(
    columns: Sequence[OutputColumn], signatures: Mapping[str, Signature], path: str
) -> None:
    """Refuses columns that the model cannot give.

    Args:
        columns: What is asked for.
        signatures: Those that the model is asked by.
        path: The model's, for errors.

    Raises:
        ValueError: naming the column, and what the model has.
    """
    for each in columns:
        signature = signatures[each.signature]
        if signature.method != each.method:
            raise ValueError(
                f"output_example_spec takes the signature {each.signature!r} of the model at "
                f"{path} for one that {shown_method(each.method)}, but it "
                f"{shown_method(signature.method)}. Write a {_output_for(signature.method)} for it."
            )
        if each.output not in signature.outputs:
            raise ValueError(
                f"The output column {each.column!r} is made of the output {each.output!r}, which "
                f"the signature {each.signature!r} of the model at {path} does not have"
                f"{did_you_mean(each.output, list(signature.outputs))}"
            )
        sizes = [size for size in (signature.shapes[each.output] or ())[1:] if size != 1]
        if len(sizes) > 1:
            refuse_matrix(each, sizes)


def refuse_matrix(column: OutputColumn, sizes: Sequence[Any]) -> None:
    """Refuses an output whose rows are matrices: a feature is a list of values."""
    shown = " x ".join("?" if size is None else str(size) for size in sizes)
    raise ValueError(
        f"The output column {column.column!r} is made of the output {column.output!r}, which has "
        f"{shown} values for each example: expected a list of values, because features have one "
        "dimension. Leave output_example_spec out for prediction logs, which hold tensors of any "
        "shape, or flatten the output in the model."
    )


def _output_for(method: str) -> str:
    return next(kind for kind, known in _METHODS.items() if known == method)
