"""Operators that choose models, and the examples that belong to them."""

from __future__ import annotations

import enum
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from trainwright.compat.input_resolution.ops.lineage_walk import (
    LIVE,
    Event,
    as_artifacts,
    read_messages,
    related_artifact_ids,
)
from trainwright.compat.input_resolution.ops.ops_utils import (
    EXAMPLES_KEY,
    EXAMPLES_TYPE_NAME,
    LATEST_POLICY_MODEL_OP_MAX_NUM_HOPS,
    MODEL_BLESSING_TYPE_NAME,
    MODEL_BLESSSING_KEY,
    MODEL_EXPORT_KEY,
    MODEL_INFRA_BLESSING_KEY,
    MODEL_INFRA_BLESSSING_TYPE_NAME,
    MODEL_KEY,
    MODEL_PUSH_KEY,
    MODEL_PUSH_TYPE_NAME,
    MODEL_TYPE_NAME,
    TRANSFORMED_EXAMPLES_KEY,
    ArtifactMap,
    Artifacts,
    creation_order,
    filter_artifacts_by_span,
    validate_argument,
    validate_input_dict,
)
from trainwright.compat.mlmd.events import is_valid_input_event, is_valid_output_event
from trainwright.dsl.input_resolution.exceptions import InvalidArgument, SkipSignal
from trainwright.dsl.input_resolution.resolver_op import (
    ARTIFACT_LIST,
    ARTIFACT_MULTIMAP,
    Property,
    ResolverOp,
)
from trainwright.proto.mlmd import metadata_store_pb2
from trainwright.types import artifact_utils
from trainwright.types.artifact import Artifact

Message = metadata_store_pb2.Artifact

# A blessing whose files were collected is still a blessing; one of a failed execution is not.
_COUNTING_STATES = (Message.LIVE, Message.MARKED_FOR_DELETION, Message.DELETED)
_HOPS_TO_EXAMPLES = 4  # examples, Transform, transformed examples, Trainer, model


class Policy(enum.IntEnum):
    """Which model is the newest: exported at all, found good, or pushed."""

    LATEST_EXPORTED = 1
    LATEST_EVALUATOR_BLESSED = 2
    LATEST_INFRA_VALIDATOR_BLESSED = 3
    LATEST_BLESSED = 4
    LATEST_PUSHED = 5


# What a model must have beside it for each policy, by the keys of the result.
_NEEDED_KEYS = {
    Policy.LATEST_EXPORTED: (),
    Policy.LATEST_EVALUATOR_BLESSED: (MODEL_BLESSSING_KEY,),
    Policy.LATEST_INFRA_VALIDATOR_BLESSED: (MODEL_INFRA_BLESSING_KEY,),
    Policy.LATEST_BLESSED: (MODEL_BLESSSING_KEY, MODEL_INFRA_BLESSING_KEY),
    Policy.LATEST_PUSHED: (MODEL_PUSH_KEY,),
}


class ModelRelations:
    """The blessings and pushes of one model, as messages by artifact id."""

    def __init__(self) -> None:
        self.model_blessing_by_artifact_id: dict[int, Message] = {}
        self.infra_blessing_by_artifact_id: dict[int, Message] = {}
        self.model_push_by_artifact_id: dict[int, Message] = {}

    def add_downstream_artifact(self, downstream_artifact: Message) -> None:
        """Adds what was made from the model, if it speaks for it."""
        key = _meaning_of(downstream_artifact)
        if key is not None:
            self._by_key()[key][downstream_artifact.id] = downstream_artifact

    def meets_policy(self, policy: int) -> bool:
        """Whether there is all that the policy asks for."""
        return all(self._by_key()[key] for key in _NEEDED_KEYS[Policy(policy)])

    def latest_created(self, artifact_type: metadata_store_pb2.ArtifactType) -> Artifact:
        """The newest artifact of a type: ModelBlessing, ModelInfraBlessingPath, ModelPushPath."""
        keys = {
            MODEL_BLESSING_TYPE_NAME: MODEL_BLESSSING_KEY,
            MODEL_INFRA_BLESSSING_TYPE_NAME: MODEL_INFRA_BLESSING_KEY,
            MODEL_PUSH_TYPE_NAME: MODEL_PUSH_KEY,
        }
        if artifact_type.name not in keys:
            raise InvalidArgument(
                "ModelRelations.latest_created() can only be called with an artifact_type.name in "
                f"{tuple(keys)}."
            )
        return artifact_utils.deserialize_artifact(
            artifact_type, self.newest(keys[artifact_type.name])
        )

    def newest(self, key: str) -> Message:
        return max(
            self._by_key()[key].values(), key=lambda one: (one.create_time_since_epoch, one.id)
        )

    def _by_key(self) -> dict[str, dict[int, Message]]:
        return {
            MODEL_BLESSSING_KEY: self.model_blessing_by_artifact_id,
            MODEL_INFRA_BLESSING_KEY: self.infra_blessing_by_artifact_id,
            MODEL_PUSH_KEY: self.model_push_by_artifact_id,
        }


def _meaning_of(message: Message) -> str | None:
    """The key that an artifact counts for; None if it does not speak for a model."""
    if message.type == MODEL_BLESSING_TYPE_NAME:
        is_blessed = message.custom_properties["blessed"].int_value == 1
        return MODEL_BLESSSING_KEY if is_blessed else None
    if message.type == MODEL_INFRA_BLESSSING_TYPE_NAME:
        status = message.custom_properties["blessing_status"].string_value
        is_blessed = status in ("INFRA_BLESSED", "INFRA_DELEGATED")
        return MODEL_INFRA_BLESSING_KEY if is_blessed else None
    return MODEL_PUSH_KEY if message.type == MODEL_PUSH_TYPE_NAME else None


class LatestPolicyModel(
    ResolverOp,
    canonical_name="tfx.LatestPolicyModel",
    arg_data_types=(ARTIFACT_MULTIMAP,),
    return_data_type=ARTIFACT_MULTIMAP,
):
    """The newest model that meets a `Policy`, with the blessings or the push that show it.

    The input has the key `model`, and may have `model_blessing` and `model_infra_blessing`: then
    only these blessings count. Where there is no such model, the node is skipped, or with
    `raise_skip_signal=False` the lists are empty.
    """

    policy = Property(type=int)
    raise_skip_signal = Property(type=bool, default=True)

    def apply(self, input_dict: ArtifactMap) -> ArtifactMap:
        if not input_dict:
            return self._none("The input dictionary is empty.")
        if MODEL_KEY not in input_dict:
            raise InvalidArgument(f"{MODEL_KEY} is a required key of the input_dict.")
        blessing_keys = (MODEL_BLESSSING_KEY, MODEL_INFRA_BLESSING_KEY)
        validate_input_dict(input_dict, {MODEL_KEY, *blessing_keys})
        models = sorted(input_dict[MODEL_KEY], key=creation_order, reverse=True)
        if not models:
            return self._none('The "model" key in the input dict contained no Model artifacts.')
        if self.policy == Policy.LATEST_EXPORTED:
            return {MODEL_KEY: [models[0]]}
        given = [key for key in blessing_keys if key in input_dict]
        counting = {artifact.id for key in given for artifact in input_dict[key]}
        if given and not counting:
            return self._none(f"There are no artifacts under {' and '.join(given)}.")
        relations = self._relations({model.id for model in models}, counting or None)
        for model in models:
            if relations[model.id].meets_policy(self.policy):
                return self._result(model, relations[model.id])
        return self._none(f"No model found that meets the Policy {Policy(self.policy).name}")

    def _none(self, reason: str) -> ArtifactMap:
        if self.raise_skip_signal:
            raise SkipSignal(reason)
        return {key: [] for key in (MODEL_KEY, *_NEEDED_KEYS[Policy(self.policy)])}

    def _result(self, model: Artifact, relations: ModelRelations) -> ArtifactMap:
        keys = _NEEDED_KEYS[Policy(self.policy)]
        artifacts = as_artifacts(self.context.store, [relations.newest(key) for key in keys])
        return {
            MODEL_KEY: [model],
            **{key: [one] for key, one in zip(keys, artifacts, strict=True)},
        }

    def _relations(
        self, model_ids: set[int], counting: set[int] | None
    ) -> defaultdict[int, ModelRelations]:
        model_key = MODEL_EXPORT_KEY if self.policy == Policy.LATEST_PUSHED else MODEL_KEY

        def follow(event: Event) -> bool:
            # A model that was only compared with, as a baseline, was not blessed by that.
            is_model_input = is_valid_input_event(event) and event.artifact_id in model_ids
            return is_valid_input_event(event, model_key) if is_model_input else True

        relations: defaultdict[int, ModelRelations] = defaultdict(ModelRelations)
        for model_id in model_ids:
            found = related_artifact_ids(
                self.context.store,
                model_id,
                upstream=False,
                max_hops=LATEST_POLICY_MODEL_OP_MAX_NUM_HOPS,
                follow=follow,
            )
            wanted = found if counting is None else found & counting
            for message in read_messages(self.context.store, wanted):
                if message.state in _COUNTING_STATES:
                    relations[model_id].add_downstream_artifact(message)
        return relations


def training_range(
    store: Any, model: Artifact, use_transformed_examples: bool = False
) -> list[Any]:
    """The examples that a model was trained on, oldest first; none if they are gone.

    Args:
        store: ML Metadata's interface.
        model: The model.
        use_transformed_examples: The examples that Transform wrote, not those that it read.
    """
    assert model.id is not None
    found = related_artifact_ids(store, model.id, upstream=True, max_hops=_HOPS_TO_EXAMPLES)
    examples = [
        one
        for one in read_messages(store, found)
        if one.type == EXAMPLES_TYPE_NAME and one.state == LIVE
    ]
    if not examples:
        return []
    transformed = {
        event.artifact_id
        for event in store.get_events_by_artifact_ids([one.id for one in examples])
        if is_valid_output_event(event, TRANSFORMED_EXAMPLES_KEY)
    }
    wanted = [one for one in examples if (one.id in transformed) == use_transformed_examples]
    return sorted(as_artifacts(store, wanted), key=creation_order)


class TrainingRange(
    ResolverOp,
    canonical_name="tfx.TrainingRange",
    arg_data_types=(ARTIFACT_LIST,),
    return_data_type=ARTIFACT_LIST,
):
    """The examples that the one given model was trained on."""

    use_transformed_examples = Property(type=bool, default=False)

    def apply(self, input_list: Artifacts) -> Artifacts:
        if not input_list:
            return []
        if len(input_list) > 1 or input_list[0].type_name != MODEL_TYPE_NAME:
            raise InvalidArgument(
                "The input_list for TrainingRange expects only a single Model artifact."
            )
        return training_range(self.context.store, input_list[0], self.use_transformed_examples)


class SpanDrivenEvaluatorInputs(
    ResolverOp,
    canonical_name="tfx.SpanDrivenEvaluatorInputs",
    arg_data_types=(ARTIFACT_MULTIMAP,),
    return_data_type=ARTIFACT_MULTIMAP,
):
    """The newest model that has not seen the spans to evaluate, and the examples of these spans.

    The last span to evaluate is `wait_spans_before_eval` before the newest one, the first is
    `additional_spans_per_eval` before that. The model may only have been trained on spans that
    are `evaluation_training_offset` before the first, or older. Spans before `start_span_number`
    do not count. Where there are no such spans or models, the node is skipped.
    """

    wait_spans_before_eval = Property(type=int, default=0)
    evaluation_training_offset = Property(type=int, default=0)
    additional_spans_per_eval = Property(type=int, default=0)
    start_span_number = Property(type=int, default=0)
    use_transformed_examples = Property(type=bool, default=False)

    def apply(self, input_dict: ArtifactMap) -> ArtifactMap:
        if not input_dict:
            raise SkipSignal("There are neither models nor examples.")
        validate_input_dict(input_dict, {MODEL_KEY, EXAMPLES_KEY}, requires_all=True)
        if not all(input_dict.values()):
            raise SkipSignal("There are no models, or no examples.")
        for name in ("wait_spans_before_eval", "start_span_number", "additional_spans_per_eval"):
            validate_argument(name, getattr(self, name), min_value=0)
        examples = filter_artifacts_by_span(
            input_dict[EXAMPLES_KEY],
            span_descending=False,
            n=0,
            min_span=self.start_span_number,
        )
        if not examples:
            raise SkipSignal(f"There is no span from {self.start_span_number} on.")
        last = examples[-1].span - self.wait_spans_before_eval
        first = last - self.additional_spans_per_eval
        if first < examples[0].span:
            raise SkipSignal(f"There is no span {first} to evaluate yet.")
        model = self._untrained_model(
            input_dict[MODEL_KEY], first - self.evaluation_training_offset
        )
        window = [one for one in examples if first <= one.span <= last]
        return {MODEL_KEY: [model], EXAMPLES_KEY: window}

    def _untrained_model(self, models: Sequence[Artifact], span: int) -> Artifact:
        for model in sorted(models, key=creation_order, reverse=True):
            seen = training_range(self.context.store, model, self.use_transformed_examples)
            if seen and seen[-1].span < span:
                return model
        raise SkipSignal(f"All models were trained on span {span} or newer ones.")
