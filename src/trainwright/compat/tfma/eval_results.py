"""EvalResults: the results of several models, or of one on several sets of examples."""

from __future__ import annotations

from collections.abc import Sequence

from trainwright.evaluation.tfma_format.eval_result import EvalResult, load_eval_result

_MODES = ("model_centric_mode", "data_centric_mode", "unknown_eval_mode")


class EvalResults:
    """Several results, in order.

    Args:
        results: The results.
        mode: What they differ in: MODEL_CENTRIC_MODE or DATA_CENTRIC_MODE.
    """

    def __init__(self, results: Sequence[EvalResult], mode: str = "unknown_eval_mode") -> None:
        if mode not in _MODES:
            raise ValueError(f"Mode {mode} must be one of {', '.join(_MODES)}.")
        self._results = list(results)
        self._mode = mode

    def get_results(self) -> list[EvalResult]:
        return self._results

    def get_mode(self) -> str:
        return self._mode


def make_eval_results(results: Sequence[EvalResult], mode: str) -> EvalResults:
    """Several results, to be shown with `render_time_series`."""
    return EvalResults(results, mode)


def load_eval_results(
    output_paths: str | Sequence[str],
    output_file_format: str = "tfrecord",
    mode: str = "model_centric_mode",
    model_name: str | None = None,
) -> EvalResults:
    """Reads several evaluations.

    Args:
        output_paths: Their directories.
        output_file_format: "tfrecord"; the mode in programs for TFMA before 0.23.
        mode: What they differ in.
        model_name: Whose results, where an evaluation is of a candidate and a baseline.
    """
    if output_file_format in _MODES:
        output_file_format, mode = "tfrecord", output_file_format
    paths = [output_paths] if isinstance(output_paths, str) else output_paths
    results = [load_eval_result(path, output_file_format, model_name) for path in paths]
    return EvalResults(results, mode)
