"""TFX's names for the generated modules: `from tfx.proto import trainer_pb2`."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.proto import bulk_inferrer_pb2 as bulk_inferrer_pb2
    from tfx.proto import distribution_validator_pb2 as distribution_validator_pb2
    from tfx.proto import evaluator_pb2 as evaluator_pb2
    from tfx.proto import example_diff_pb2 as example_diff_pb2
    from tfx.proto import example_gen_pb2 as example_gen_pb2
    from tfx.proto import infra_validator_pb2 as infra_validator_pb2
    from tfx.proto import orchestration as orchestration
    from tfx.proto import pusher_pb2 as pusher_pb2
    from tfx.proto import range_config_pb2 as range_config_pb2
    from tfx.proto import trainer_pb2 as trainer_pb2
    from tfx.proto import transform_pb2 as transform_pb2
    from tfx.proto import tuner_pb2 as tuner_pb2
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=(
            "bulk_inferrer_pb2",
            "distribution_validator_pb2",
            "evaluator_pb2",
            "example_diff_pb2",
            "example_gen_pb2",
            "infra_validator_pb2",
            "orchestration",
            "pusher_pb2",
            "range_config_pb2",
            "trainer_pb2",
            "transform_pb2",
            "tuner_pb2",
        ),
    )
