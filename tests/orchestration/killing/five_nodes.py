"""A pipeline of five nodes whose inputs are checked to be whole."""

from pathlib import Path

from trainwright import InputArtifact, OutputArtifact, OutputDict, Parameter, Pipeline, component
from trainwright.types import standard_artifacts

LAST_LINE = "the end\n"


def read_whole(directory: str) -> str:
    """The text of an artifact, which must not be half made."""
    parts = sorted(Path(directory).glob("part-*"))
    text = "".join(part.read_text() for part in parts)
    if len(parts) != 3 or not text.endswith(LAST_LINE):
        raise AssertionError(f"{directory} is half made: {len(parts)} parts")
    return text


def write_whole(directory: str, text: str) -> None:
    for number, part in enumerate((text, "more\n", LAST_LINE)):
        Path(directory, f"part-{number}").write_text(part)


@component
def source(seed: Parameter[int], examples: OutputArtifact[standard_artifacts.Examples]):
    write_whole(examples.uri, f"seed {seed}\n")


@component
def count(
    examples: InputArtifact[standard_artifacts.Examples],
) -> OutputDict(lines=int):
    return {"lines": len(read_whole(examples.uri).splitlines())}


@component
def train(
    examples: InputArtifact[standard_artifacts.Examples],
    model: OutputArtifact[standard_artifacts.Model],
    model_run: OutputArtifact[standard_artifacts.ModelRun],
):
    Path(model_run.uri, "checkpoint").write_text("step 1")
    write_whole(model.uri, read_whole(examples.uri))


@component
def evaluate(
    lines: int,
    model: InputArtifact[standard_artifacts.Model],
) -> OutputDict(score=float):
    return {"score": len(read_whole(model.uri)) / lines}


@component
def push(
    score: float,
    model: InputArtifact[standard_artifacts.Model],
    pushed: OutputArtifact[standard_artifacts.PushedModel],
):
    write_whole(pushed.uri, f"{score}\n" + read_whole(model.uri))


def create_pipeline() -> Pipeline:
    examples = source(seed=7)
    lines = count(examples=examples.outputs["examples"])
    trained = train(examples=examples.outputs["examples"])
    score = evaluate(lines=lines.outputs["lines"], model=trained.outputs["model"])
    pushed = push(score=score.outputs["score"], model=trained.outputs["model"])
    return Pipeline(
        "five", "root", components=[examples, lines, trained, score, pushed], enable_cache=True
    )
