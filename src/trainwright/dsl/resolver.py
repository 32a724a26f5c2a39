"""Resolver: a node whose outputs are artifacts that are there already."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from typing import Any, ClassVar

from google.protobuf.message import Message

from trainwright.dsl.base_node import BaseNode, NodeOutputs
from trainwright.dsl.resolver_strategy import Artifacts, ResolverStrategy
from trainwright.proto import proto_json
from trainwright.types.channel import BaseChannel, Channel, OutputChannel
from trainwright.types.classes import is_subclass
from trainwright.types.standard_artifacts import Model, ModelBlessing

# The keys of the properties.
RESOLVER_STRATEGY_CLASS = "resolver_class"
RESOLVER_CONFIG = "source_uri"


class Resolver(BaseNode):
    """Chooses among what this run and earlier runs of the pipeline have made.

    Each channel is an output under the same key. `Channel(type=Model)` stands for all models of
    the pipeline, `Channel(type=Model, producer_component_id="Trainer")` for those of one node, and
    `trainer.outputs["model"]` for the same after the Trainer of this run is done. If nothing is
    found, the outputs are empty: a node with such an input runs without it if it is optional.

    Args:
        strategy_class: A subclass of `ResolverStrategy`. Without one, all that the channels hold
            is there; resolver functions may have chosen it.
        config: The arguments of its constructor.
        **channels: What to choose from.

    Example:
        ```python
        resolver = Resolver(
            strategy_class=LatestArtifactStrategy,
            config={"desired_num_of_artifacts": 3},
            examples=Channel(type=Examples),
        )
        trainer = Trainer(examples=resolver.outputs["examples"], ...)
        ```
    """

    CHOOSES_ARTIFACTS = True

    STORED_TYPE_NAME: ClassVar[str] = "tfx.dsl.components.common.resolver.Resolver"

    def __init__(
        self,
        strategy_class: type[ResolverStrategy] | None = None,
        config: Mapping[str, Any] | None = None,
        **channels: BaseChannel,
    ) -> None:
        super().__init__()
        instance_name: Any = channels.get("instance_name")
        if isinstance(instance_name, str):  # of TFX before 1.0
            del channels["instance_name"]
            self._take_instance_name(instance_name)
        if strategy_class is None and config is not None:
            raise ValueError("Cannot use config parameter without strategy_class.")
        self.strategy_class = _check_strategy(strategy_class or _AllArtifacts)
        if config is not None and not isinstance(config, Mapping):
            raise TypeError(
                f"config must be a dict of arguments for {self.strategy_class.__name__}, got "
                f"{config!r}."
            )
        self.config = dict(config or {})
        _check_channels(channels)
        if channels:  # without any it can be declared, as in TFX, but not run
            self.strategy_class.check_channels({key: one.type for key, one in channels.items()})
        self._inputs = dict(channels)
        self._outputs = NodeOutputs(self)
        for key, channel in channels.items():
            self._outputs[key] = OutputChannel(channel.type, self, key)

    @classmethod
    def latest_blessed_model(cls) -> Resolver:
        """The model of this pipeline that was blessed last, as the node `LatestBlessedModel`.

        Example: `Evaluator(baseline_model=Resolver.latest_blessed_model().outputs.model, ...)`
        """
        from trainwright.dsl.strategies import LatestBlessedModelStrategy

        return cls(
            strategy_class=LatestBlessedModelStrategy,
            model=Channel(type=Model),
            model_blessing=Channel(type=ModelBlessing),
        ).with_id("LatestBlessedModel")

    @classmethod
    def latest_model(cls) -> Resolver:
        """The model of this pipeline that was trained last, as the node `LatestModel`.

        Example: `Trainer(base_model=Resolver.latest_model().outputs.model, ...)`
        """
        from trainwright.dsl.strategies import LatestArtifactStrategy

        return cls(strategy_class=LatestArtifactStrategy, model=Channel(type=Model)).with_id(
            "LatestModel"
        )

    def make_strategy(self) -> ResolverStrategy:
        """A strategy, made with the config; raises ValueError if it does not take that."""
        try:
            return self.strategy_class(**self.config)
        except TypeError as error:
            raise ValueError(
                f"{self.id}: {self.strategy_class.__name__} cannot be made with the config "
                f"{self.config}: {error}"
            ) from error

    @property
    def inputs(self) -> Mapping[str, BaseChannel]:
        return self._inputs

    @property
    def raw_inputs(self) -> Mapping[str, BaseChannel]:
        """The channels as they were given."""
        return self._inputs

    @property
    def outputs(self) -> NodeOutputs:
        return self._outputs

    @property
    def exec_properties(self) -> dict[str, Any]:
        if self.strategy_class is _AllArtifacts:
            return {}
        return {RESOLVER_STRATEGY_CLASS: self.strategy_class, RESOLVER_CONFIG: self.config}

    @property
    def stored_properties(self) -> dict[str, str]:
        """The strategy and its config in the form in which the store remembers them."""
        strategy = self.strategy_class
        if strategy is _AllArtifacts:
            return {}
        return {
            "strategy_class": f"{strategy.__module__}.{strategy.__qualname__}",
            "config": json.dumps(self.config, default=_as_json, sort_keys=True),
        }


class _AllArtifacts(ResolverStrategy):
    """Chooses everything."""

    def resolve_artifacts(self, store: Any, input_dict: Artifacts) -> Artifacts | None:
        return input_dict


def _check_strategy(strategy_class: Any) -> type[ResolverStrategy]:
    if not (is_subclass(strategy_class, ResolverStrategy)):
        raise TypeError(
            "strategy_class should be ResolverStrategy, but got "
            f"{strategy_class!r} instead. Pass a subclass, for example LatestArtifactStrategy."
        )
    missing = getattr(strategy_class, "__abstractmethods__", ())
    if missing:
        raise TypeError(
            f"{strategy_class.__name__} does not say how to choose: define "
            "resolve_artifacts(self, store, input_dict)."
        )
    if strategy_class.NEWER_NAME:
        warnings.warn(
            f"{strategy_class.__name__} is deprecated; use {strategy_class.NEWER_NAME}.",
            DeprecationWarning,
            stacklevel=3,
        )
    return strategy_class


def _check_channels(channels: Mapping[str, Any]) -> None:
    for key, channel in channels.items():
        if not isinstance(channel, BaseChannel):
            raise ValueError(
                f"Resolver got non-BaseChannel argument {key}. Expected extra kwarg {key!r} to be "
                f"of type `tfx.types.BaseChannel` but got {channel!r} instead."
            )


def _as_json(value: Any) -> Any:
    return proto_json.proto_to_dict(value) if isinstance(value, Message) else str(value)
