"""`trainwright export`: a SavedModel in another form, compared with itself."""

from __future__ import annotations

import glob
import itertools
import os
import shutil
import tempfile
from typing import Any

import click

from trainwright._paths import is_remote
from trainwright.cli import exit_codes
from trainwright.cli.errors import WrongQuestionError
from trainwright.cli.output import echo, json_option, print_json
from trainwright.cli.remote_paths import fetched
from trainwright.components.trainer.rewriting.quantization import QUANTIZATIONS
from trainwright.components.trainer.rewriting.rewriter_factory import TARGETS


@click.command()
@click.argument("model", type=click.Path())
@click.option("--to", required=True, type=click.Choice(TARGETS), help="The form to write.")
@click.option("--output", "-o", type=click.Path(), help="Where; beside the model by default.")
@click.option(
    "--quantize", default="none", type=click.Choice(QUANTIZATIONS), help="Smaller numbers."
)
@click.option("--signature", default="", help="The signature to convert.")
@click.option(
    "--check",
    "examples",
    type=click.Path(),
    help="Compare both models on examples: a TFRecord or Parquet file, or an Examples artifact.",
)
@click.option(
    "--num-examples",
    default=200,
    type=click.IntRange(min=1),
    help="How many examples are taken.",
    show_default=True,
)
@click.option("--difference", type=float, help="The largest difference, as a fraction.")
@click.option("--agreement", type=float, help="The fraction of examples with the same class.")
@click.option("--python", help="TF.js: a Python that has tensorflowjs.")
@click.option(
    "--make-environment",
    is_flag=True,
    help="TF.js: install what converts it, and what runs it for --check.",
)
@json_option
def export(
    model: str,
    to: str,
    output: str | None,
    quantize: str,
    signature: str,
    examples: str | None,
    num_examples: int,
    difference: float | None,
    agreement: float | None,
    python: str | None,
    make_environment: bool,
    as_json: bool,
) -> None:
    """Write a SavedModel for LiteRT, ONNX or TF.js.

    MODEL is the directory of a SavedModel, or of a Model artifact, or its address. With --check the
    new model is run beside the old one; if they differ by more than is allowed, nothing is written.

    \b
    trainwright export serving_model/1 --to onnx --check data/eval.tfrecord.gz
    trainwright export output/Trainer/model/6 --to litert --quantize float16

    Exit code: 0 if the model was written, 1 if it differs too much, 2 if it cannot be converted.
    """
    # TensorFlow reads this when it is imported; what it tells of its build is noise here.
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    from trainwright.components.rewriter.executor import describe_comparison
    from trainwright.components.rewriter.rewriting import compare_with_source, rewrite
    from trainwright.components.rewriter.targets import RewriteTarget, require_runtime

    if is_remote(model) and not output:
        raise WrongQuestionError("MODEL is a remote path: name a local directory with --output.")
    if output and is_remote(output):
        raise WrongQuestionError("--output is a remote path: name a local directory.")
    source = _find_saved_model(fetched(model, "MODEL"))
    destination = output or f"{source.rstrip(os.sep)}-{to}"
    if os.path.exists(destination):
        raise WrongQuestionError(f"{destination} is there already. Name another with --output.")
    records = _read_records(fetched(examples, "--check"), num_examples) if examples else []
    if quantize == "full_integer" and to != "tfjs" and not records:
        raise WrongQuestionError("--quantize full_integer is calibrated with examples: --check.")
    if python and to != "tfjs":
        raise WrongQuestionError(f"--python is for --to tfjs; {to} is written by this Python.")
    options: dict[str, Any] = {"python": python} if to == "tfjs" else {}
    # Written aside, so that what differs too much, or was not written to its end, is never there.
    aside = _make_directory_beside(destination)
    try:
        target = RewriteTarget(
            to=to,
            quantize=quantize,
            difference=difference,
            agreement=agreement,
            make_environment=make_environment,
        )
        if records:
            require_runtime(target)
        made = os.path.join(aside, "model")
        rewrite(source, made, target, records, signature, **options)
        found: dict[str, Any] = {}
        if records:
            found = compare_with_source(source, made, target, records, signature)
        problems = found.get("problems", [])
        if not problems:
            os.rename(made, destination)
    except (ValueError, OSError, ImportError, RuntimeError) as error:
        # Of what is missing for TF.js, what the rewriter's options are called here.
        is_missing = to == "tfjs" and isinstance(error, RuntimeError)
        advice = " For this command: --make-environment, or --python." if is_missing else ""
        raise WrongQuestionError(f"{error}{advice}") from error
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    if as_json:
        path = None if problems else destination
        print_json({"model": path, "comparison": found or None})
    elif problems:
        echo(f"Nothing was written: {'; '.join(problems)}.", err=True)
    else:
        echo(
            f"{destination} was written." + (f" It {describe_comparison(found)}." if found else "")
        )
    if problems:
        raise SystemExit(exit_codes.FAILED)


def _make_directory_beside(destination: str) -> str:
    parent = os.path.dirname(os.path.abspath(destination))
    try:
        os.makedirs(parent, exist_ok=True)
        return tempfile.mkdtemp(prefix=".export-", dir=parent)
    except OSError as error:
        raise WrongQuestionError(
            f"The model cannot be written to {destination} ({error.strerror}). Name a directory "
            "that can be written to with --output."
        ) from error


def _find_saved_model(model: str) -> str:
    from trainwright.types import model_paths

    candidates = (model, model_paths.serving_model_dir(model))
    for path in candidates:
        if os.path.isfile(os.path.join(path, "saved_model.pb")):
            return path
    raise WrongQuestionError(
        f"There is no SavedModel at {model}: expected saved_model.pb in it, or in "
        f"{candidates[1]}, where a Model artifact has it."
    )


def _read_records(examples: str, count: int) -> list[bytes]:
    from trainwright.data.example_reading.example_files import ExampleFiles
    from trainwright.proto import example_gen_pb2

    files = [examples]
    if os.path.isdir(examples):
        patterns = ("Split-eval/*", "Split-*/*", "*")
        found = (sorted(glob.glob(os.path.join(glob.escape(examples), one))) for one in patterns)
        files = next((paths for paths in found if paths), [])
    try:
        are_rows = all(path.endswith(".parquet") for path in files)
        read = ExampleFiles(paths=files)
        if are_rows:
            read = ExampleFiles(paths=files, payload_format=example_gen_pb2.FORMAT_PARQUET)
        taken = list(itertools.islice(read.records(), count))
    except (OSError, ValueError) as error:
        raise WrongQuestionError(f"The examples at {examples} cannot be read: {error}") from error
    if not taken:
        raise WrongQuestionError(f"There are no examples at {examples}.")
    return taken
