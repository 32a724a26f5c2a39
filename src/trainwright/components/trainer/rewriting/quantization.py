"""The quantizations that rewriters offer, and the data that a full one is calibrated with."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from trainwright._suggest import did_you_mean
from trainwright.components.trainer.rewriting.saved_model_signatures import (
    Signature,
    TensorDescription,
    choose_signature,
)

# From the largest model to the smallest.
QUANTIZATIONS = ("none", "float16", "dynamic_range", "full_integer")

# Called as often as it takes; gives inputs of the model, one batch at a time.
RepresentativeDataset = Callable[[], Iterable[Any]]


def check_quantization(quantize: str, representative_dataset: RepresentativeDataset | None) -> None:
    """Refuses a quantization that is unknown, or that does not go with the data.

    Raises:
        ValueError: if it is so.
    """
    if quantize not in QUANTIZATIONS:
        raise ValueError(
            f"Unknown quantization {quantize!r}{did_you_mean(quantize, QUANTIZATIONS)} Expected "
            f"one of {', '.join(QUANTIZATIONS)}."
        )
    if quantize == "full_integer" and representative_dataset is None:
        raise ValueError(
            "quantize='full_integer' needs a representative_dataset: a function that gives dicts "
            "of arrays by the name of the input, such as {'x': np.zeros([1, 2], np.float32)}. The "
            "ranges of the integers are measured with it."
        )
    if quantize != "full_integer" and representative_dataset is not None:
        raise ValueError(
            f"A representative_dataset was given with quantize={quantize!r}, which has no use for "
            "it: leave it out, or give quantize='full_integer'."
        )


def check_representative_dataset(
    dataset: RepresentativeDataset, signatures: Mapping[str, Signature], key: str | None, path: str
) -> None:
    """Holds the first batch against the inputs of the signature.

    Args:
        dataset: The function; its batches are dicts by name, lists in the order of the inputs, or
            pairs of a signature's key and a dict.
        signatures: Of the model.
        key: The signature that is converted; None for all of them.
        path: The model, for the message.

    Raises:
        ValueError: if the batch is of another signature.
    """
    if not callable(dataset):
        raise ValueError(
            f"representative_dataset is {type(dataset).__name__}; expected a function without "
            "arguments that gives batches, because they are gone through more than once."
        )
    batch = next(iter(itertools.islice(dataset(), 1)), None)
    if batch is None:
        raise ValueError("representative_dataset gives no batch: nothing can be measured with it.")
    if isinstance(batch, tuple) and len(batch) == 2 and isinstance(batch[0], str):
        key, batch = batch
    _check_batch(batch, choose_signature(signatures, key, path))


def _check_batch(batch: Any, signature: Signature) -> None:
    expected = ", ".join(f"{name}: {tensor}" for name, tensor in signature.inputs.items())
    if isinstance(batch, Mapping):
        given = batch
        if set(batch) != set(signature.inputs):
            raise ValueError(
                f"representative_dataset gives {', '.join(sorted(map(str, batch))) or 'nothing'}; "
                f"the signature {signature.key!r} takes {expected}."
            )
    elif isinstance(batch, Sequence) and not isinstance(batch, str | bytes):
        if len(batch) != len(signature.inputs):
            raise ValueError(
                f"representative_dataset gives lists of {len(batch)}; the signature "
                f"{signature.key!r} takes {len(signature.inputs)}: {expected}."
            )
        if len(batch) > 1:
            return  # which is which, only the converter knows
        given = dict(zip(signature.inputs, batch, strict=True))
    else:
        raise ValueError(
            f"representative_dataset gives {type(batch).__name__}; expected a dict of arrays by "
            f"the name of the input: {expected}."
        )
    for name, value in given.items():
        _check_array(name, value, signature.inputs[name], signature.key)


def _check_array(name: str, value: Any, expected: TensorDescription, key: str) -> None:
    import numpy as np

    array = np.asarray(value)
    dtype = "string" if array.dtype.kind in "OSU" else array.dtype.name
    fits = expected.shape is None or (
        array.ndim == len(expected.shape)
        and all(
            want in (None, size) for want, size in zip(expected.shape, array.shape, strict=True)
        )
    )
    if dtype != expected.dtype or not fits:
        raise ValueError(
            f"representative_dataset gives {name} as {dtype} {list(array.shape)}; the signature "
            f"{key!r} takes {expected}."
        )
