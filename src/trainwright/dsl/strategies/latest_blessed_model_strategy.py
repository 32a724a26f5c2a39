"""LatestBlessedModelStrategy: the newest model that was found good."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trainwright.dsl.resolver_strategy import Artifacts, ResolverStrategy
from trainwright.types.artifact import Artifact
from trainwright.types.standard_artifacts import Model, ModelBlessing

BLESSED = "blessed"
CURRENT_MODEL_ID = "current_model_id"


class LatestBlessedModelStrategy(ResolverStrategy):
    """Chooses the newest model that has a blessing, and the newest of its blessings.

    The Resolver has two channels, one of `Model` and one of `ModelBlessing`. A blessing counts if
    its custom property `blessed` is 1, and belongs to the model whose id is `current_model_id`.
    """

    @classmethod
    def check_channels(cls, types: Mapping[str, type[Artifact]]) -> None:
        for artifact_type in types.values():
            if not issubclass(artifact_type, (Model, ModelBlessing)):
                raise RuntimeError(
                    f"Only expecting Model or ModelBlessing, got {artifact_type.TYPE_NAME}. "
                    f"{cls.__name__} chooses a model by its blessings."
                )
        if sorted(issubclass(one, Model) for one in types.values()) != [False, True]:
            raise ValueError(
                f"{cls.__name__} needs a channel of Model and one of ModelBlessing, got "
                f"{sorted(types) or 'none'}. Write model=Channel(type=Model), "
                "model_blessing=Channel(type=ModelBlessing)."
            )

    def resolve_artifacts(self, store: Any, input_dict: Artifacts) -> Artifacts | None:
        models = _newest_first(input_dict, Model)
        blessings = [
            blessing
            for blessing in _newest_first(input_dict, ModelBlessing)
            if blessing.get_int_custom_property(BLESSED) == 1
        ]
        for model in models:
            for blessing in blessings:
                if blessing.get_int_custom_property(CURRENT_MODEL_ID) == model.id:
                    return {
                        key: [model if isinstance(found[0], Model) else blessing]
                        for key, found in input_dict.items()
                    }
        return {key: [] for key in input_dict}


def _newest_first(input_dict: Artifacts, artifact_type: type[Artifact]) -> list[Artifact]:
    artifacts = [
        artifact
        for found in input_dict.values()
        for artifact in found
        if isinstance(artifact, artifact_type)
    ]
    return sorted(artifacts, key=lambda artifact: artifact.id, reverse=True)
