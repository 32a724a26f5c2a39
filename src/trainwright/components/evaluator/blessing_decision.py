"""BlessingDecision: whether a model is good enough, and how that is told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trainwright.evaluation.config.config_completion import has_change_thresholds
from trainwright.evaluation.slices.slice_results import Evaluation
from trainwright.evaluation.thresholds.judgement import (
    ThresholdCheck,
    check_slices,
    decide_blessing,
    make_validation_result,
)
from trainwright.evaluation.thresholds.outcome_words import (
    NO_THRESHOLD,
    NOTHING_DECIDES,
    counts,
    headline,
)
from trainwright.proto.tfma import config_pb2, validation_result_pb2

# Up to this many failures are told one by one.
_TOLD = 20


@dataclass(frozen=True)
class BlessingDecision:
    """What came of an evaluation.

    Args:
        is_blessed: None if no threshold says what is good enough.
        summary: A line for the summary of a run, and one for each problem.
        text: All of it, for the log.
        problems: What the user should know besides: NaN, slices without examples.
        validation: As TFMA stores it.
    """

    is_blessed: bool | None
    summary: str
    text: str
    problems: Sequence[str]
    validation: validation_result_pb2.ValidationResult


def judge(
    given: config_pb2.EvalConfig, complete: config_pb2.EvalConfig, found: Evaluation
) -> BlessingDecision:
    """Holds all thresholds against what was found.

    Args:
        given: The config as the user wrote it.
        complete: The config that was evaluated.
        found: The metrics.
    """
    checks = check_slices(found.slices, complete)
    validation = make_validation_result(checks, complete)
    is_blessed = decide_blessing(validation, complete)
    problems = [*_problems(found)]
    if is_blessed is None:
        summary, text = _nothing_decides(given)
    elif is_blessed:
        met = counts(len(checks), failed=0, undecided=0)
        summary = f"{headline(is_blessed)}: {met}"
        text = f"The model is {headline(is_blessed)}: {met}."
    else:
        summary, text = _refusal(checks)
    return BlessingDecision(is_blessed, "\n".join([summary, *problems]), text, problems, validation)


def _nothing_decides(given: config_pb2.EvalConfig) -> tuple[str, str]:
    undecided = headline(None).upper()
    if has_change_thresholds(given):
        return (
            f"{undecided}: thresholds on the change alone, and no baseline yet",
            f"THE MODEL IS {undecided}: all thresholds of the eval config are on the change from a "
            "baseline, and there is no baseline yet. Add a value_threshold, so that a first model "
            "can be blessed.",
        )
    return (
        f"{undecided}: {NO_THRESHOLD}",
        f"THE MODEL IS {undecided}: {NOTHING_DECIDES}. A Pusher that waits for the blessing pushes "
        "nothing. Add a threshold to a metric: "
        "MetricThreshold(value_threshold=GenericValueThreshold(lower_bound=0.6)).",
    )


def _refusal(checks: Sequence[ThresholdCheck]) -> tuple[str, str]:
    open_checks = [check for check in checks if not check.passed]
    undecided = [check for check in open_checks if check.outcome == "cannot tell"]
    count = counts(len(checks), failed=len(open_checks) - len(undecided), undecided=len(undecided))
    refused = headline(False)
    first = open_checks[0].message
    told = [f"  {check.message}" for check in open_checks[:_TOLD]]
    if len(open_checks) > _TOLD:
        told.append(f"  and {len(open_checks) - _TOLD} more, which the evaluation's page lists.")
    text = "\n".join([f"The model is {refused}: {count}.", *told])
    if len(open_checks) == 1:
        return f"{refused}: {first}", text
    return f"{refused}: {count}. The first: {first}", text


def _problems(found: Evaluation) -> Iterator[str]:
    for name, (count, place) in found.nan_predictions.items():
        model = f"The model {name!r}" if name else "The model"
        yield (
            f"{model} returned NaN for {count} of {found.examples} examples, the first at {place}. "
            "Curves and means that they are part of are NaN and meet no threshold; at a threshold "
            "NaN counts as a negative prediction. Look for missing features, for a loss that was "
            "NaN in training, and for a division by zero."
        )
    yield from found.left_out
    for spec in found.empty_specs:
        missing = [name for name in spec.features if name in found.missing_features]
        why = (
            f"no example has a feature {' or '.join(map(repr, missing))}"
            if missing
            else "no example has these values"
        )
        yield f"NO EXAMPLES in the slices by {spec}: {why}."
    if found.small_slices:
        yield (
            f"{_counted(found.small_slices, 'slice')} left out, with fewer examples than "
            "min_slice_size of the eval config."
        )


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
