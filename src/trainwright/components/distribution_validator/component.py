"""DistributionValidator: has the data moved away from a baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from trainwright.components.custom_validations import refuse_custom_validations
from trainwright.components.older_arguments import takes_older_arguments
from trainwright.components.split_pairs import encode_split_pairs
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.proto import distribution_validator_pb2
from trainwright.types.channel import BaseChannel
from trainwright.types.runtime_parameter import RuntimeParameter
from trainwright.types.standard_component_specs import DistributionValidatorSpec

_ConfigLike = (
    distribution_validator_pb2.DistributionValidatorConfig
    | Mapping[str, Any]
    | str
    | RuntimeParameter
)


class DistributionValidator(BaseComponent):
    """Finds features whose distribution is further from a baseline's than is allowed.

    The output `anomalies` has a `SplitPair-<split>_<baseline's split>` for each pair; its property
    `blessed` says by pair whether all is well (1), something is not (0), or there was no baseline
    to compare with (2, by split).

    Args:
        statistics: What StatisticsGen made of the data.
        baseline_statistics: Of what it is compared with, for example of an earlier span. If the
            channel holds nothing, as in a first run, nothing is compared.
        config: `DistributionValidatorConfig`, a dict or JSON: the features, and how far each may
            move.
        include_split_pairs: Pairs of splits, of the data and of the baseline; by default those of
            the same name.
        custom_validation_config: Validations in SQL, which TFX has; refused here.

    Example:
        ```python
        distribution_validator = DistributionValidator(
            statistics=statistics_gen.outputs["statistics"],
            baseline_statistics=resolver.outputs["statistics"],
            config={"default_slice_config": {"feature": [{
                "path": {"step": ["company"]},
                "distribution_comparator": {"infinity_norm": {"threshold": 0.1}},
            }]}},
        )
        ```
    """

    SPEC_CLASS = DistributionValidatorSpec
    EXECUTOR_SPEC = ExecutorClassSpec(
        "trainwright.components.distribution_validator.executor:Executor"
    )

    @takes_older_arguments()
    def __init__(
        self,
        statistics: BaseChannel,
        baseline_statistics: BaseChannel,
        config: _ConfigLike,
        include_split_pairs: Sequence[tuple[str, str]] | None = None,
        custom_validation_config: Any | None = None,
    ) -> None:
        refuse_custom_validations(custom_validation_config)
        spec = DistributionValidatorSpec(
            statistics=statistics,
            baseline_statistics=baseline_statistics,
            distribution_validator_config=config,
            include_split_pairs=encode_split_pairs(include_split_pairs),
        )
        super().__init__(spec=spec)
