"""ResolverOp: an operator on artifacts, and the graph that calls of operators make.

`LatestSpan(channel, n=3)` does not run anything: it is an `OpNode`, which a run evaluates. A run
makes the operator itself with `LatestSpan.create(n=3)` and calls its `apply`.
"""

from __future__ import annotations

import abc
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from trainwright.types.channel import BaseChannel
from trainwright.types.type_hints import is_compatible

# What operators take and give: the numbers of InputGraph.DataType in pipeline.proto, whose messages
# are not loaded for them: every run imports this module.
ARTIFACT_LIST = 1
ARTIFACT_MULTIMAP = 2
ARTIFACT_MULTIMAP_LIST = 3
_DATA_TYPE_NAMES = {
    ARTIFACT_LIST: "ARTIFACT_LIST",
    ARTIFACT_MULTIMAP: "ARTIFACT_MULTIMAP",
    ARTIFACT_MULTIMAP_LIST: "ARTIFACT_MULTIMAP_LIST",
}


class _Nothing:
    """Stands for a default that was not given, since None may be one."""


_NOTHING = _Nothing()


@dataclass(frozen=True, kw_only=True)
class Context:
    """What operators may ask: `store` is ML Metadata's interface to the metadata store."""

    store: Any


class Property:
    """An argument of an operator, declared in its class and checked when it is set.

    Args:
        type: What values must be; any hint that `is_compatible` takes.
        default: The value if none is given. Without a default, one must be given.

    Example:
        class Newest(ResolverOp):
            n = Property(type=int, default=1)

            def apply(self, input_dict):
                return {key: found[-self.n :] for key, found in input_dict.items()}
    """

    def __init__(self, *, type: Any, default: Any = _NOTHING) -> None:
        if default is not _NOTHING and not is_compatible(default, type):
            raise TypeError(f"Default value {default!r} is not {type} type.")
        self._type = type
        self._default = default
        self._name = ""

    @property
    def name(self) -> str:
        return self._name

    @property
    def type(self) -> Any:
        return self._type

    @property
    def required(self) -> bool:
        return self._default is _NOTHING

    def validate(self, value: Any) -> None:
        if not is_compatible(value, self._type):
            raise TypeError(f"{self._name} should be {self._type} but got {value!r}.")

    def __set_name__(self, owner: object, name: str) -> None:
        if name == "context":
            raise NameError('Property name "context" is reserved. Please use other name.')
        self._name = name

    def __set__(self, instance: Any, value: Any) -> None:
        self.validate(value)
        vars(instance)[self._name] = value

    def __get__(self, instance: Any, owner: object = None) -> Any:
        if instance is not None and self._name in vars(instance):
            return vars(instance)[self._name]
        if self.required:
            raise ValueError(f"Required property {self._name} not set.")
        return self._default


class _ResolverOpMeta(abc.ABCMeta):
    """Makes a call of an operator's class a node of the graph, after checking its arguments."""

    _properties: dict[str, Property]
    _canonical_name: str | None
    _arg_data_types: Sequence[int]
    _return_data_type: int

    def __new__(
        mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **kwargs: Any
    ) -> _ResolverOpMeta:
        return super().__new__(mcs, name, bases, namespace)

    def __init__(
        cls,
        name: str,
        bases: tuple[type, ...],
        namespace: dict[str, Any],
        *,
        canonical_name: str | None = None,
        arg_data_types: Sequence[int] = (ARTIFACT_MULTIMAP,),
        return_data_type: int = ARTIFACT_MULTIMAP,
    ) -> None:
        if not isinstance(arg_data_types, Sequence) or not all(map(_is_data_type, arg_data_types)):
            raise ValueError(
                f"Invalid arg_data_types = {arg_data_types}. Expected Sequence[DataType]."
            )
        if not _is_data_type(return_data_type):
            raise ValueError(f"Invalid return_data_type = {return_data_type}. Expected DataType.")
        cls._properties = {
            key: value for key, value in namespace.items() if isinstance(value, Property)
        }
        cls._canonical_name = canonical_name
        cls._arg_data_types = arg_data_types
        cls._return_data_type = return_data_type
        super().__init__(name, bases, namespace)

    @property
    def canonical_name(cls) -> str:
        """The name by which compiled pipelines know the operator."""
        return cls._canonical_name or cls.__name__

    @property
    def arg_data_types(cls) -> Sequence[int]:
        return cls._arg_data_types

    @property
    def return_data_type(cls) -> int:
        return cls._return_data_type

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        """A node that stands for this call."""
        nodes = cls._as_nodes(args)
        cls._check_properties(kwargs)
        return OpNode(
            op_type=cls, args=nodes, kwargs=kwargs, output_data_type=cls._return_data_type
        )

    def create(cls, **props: Any) -> Any:
        """The operator itself, with these values of its properties."""
        cls._check_properties(props)
        operator = super().__call__()
        for name, value in props.items():
            setattr(operator, name, value)
        return operator

    def _as_nodes(cls, args: Sequence[Any]) -> list[Node]:
        if len(args) != len(cls._arg_data_types):
            raise ValueError(
                f"{cls.__name__} expects {len(cls._arg_data_types)} arguments but got {len(args)}."
            )
        nodes = []
        for arg, data_type in zip(args, cls._arg_data_types, strict=True):
            is_dict = data_type == ARTIFACT_MULTIMAP and isinstance(arg, dict)
            node = DictNode(arg) if is_dict else arg
            if not isinstance(node, Node):
                raise ValueError(
                    "Cannot directly call ResolverOp with real values. Use output of another "
                    f"operator as an argument. {cls.__name__} got {arg!r}."
                )
            if node.output_data_type != data_type:
                raise TypeError(
                    f"{cls.__name__} takes {data_type_name(data_type)} type but got "
                    f"{data_type_name(node.output_data_type)} instead."
                )
            nodes.append(node)
        return nodes

    def _check_properties(cls, given: Mapping[str, Any]) -> None:
        for name, declared in cls._properties.items():
            if declared.required and name not in given:
                raise ValueError(f"Required property {name} is missing.")
        for name, value in given.items():
            if name not in cls._properties:
                raise KeyError(f"Unknown property {name}.")
            cls._properties[name].validate(value)


def _is_data_type(value: object) -> bool:
    return value in _DATA_TYPE_NAMES


def data_type_name(data_type: int) -> str:
    """The name that messages have for what an operator takes or gives."""
    return _DATA_TYPE_NAMES.get(data_type, str(data_type))


class ResolverOp(metaclass=_ResolverOpMeta):
    """Base of operators. A subclass says what it takes and gives, and how:

        class Head(ResolverOp, arg_data_types=(ARTIFACT_LIST,), return_data_type=ARTIFACT_LIST):
            n = Property(type=int, default=1)

            def apply(self, artifacts):
                return artifacts[: self.n]

    Without `arg_data_types` and `return_data_type` it takes and gives a dict of lists.
    """

    context: Context

    def __init__(self, *unused_args: Any, **unused_kwargs: Any) -> None:
        """Takes nothing: for type checkers, to which a call of the class makes an instance."""

    @abc.abstractmethod
    def apply(self, *args: Any) -> Any:
        """Does the operator's work on artifacts."""

    def set_context(self, context: Context) -> None:
        """Gives the operator what it may ask, before `apply`."""
        self.context = context


class Node:
    """A node of the graph that a resolver function makes."""

    output_data_type: int

    def __eq__(self, other: object) -> bool:
        return self is other if isinstance(other, Node) else NotImplemented

    def __hash__(self) -> int:
        return id(self)


@dataclass(kw_only=True, eq=False, repr=False)
class OpNode(Node):
    """A call of an operator, or of a strategy."""

    op_type: Any
    output_data_type: int = ARTIFACT_MULTIMAP
    args: Sequence[Node] = ()
    kwargs: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not is_compatible(self.args, Sequence[Node]):
            raise TypeError(f"`args` should be a Sequence[Node] but got {self.args!r}.")

    def __repr__(self) -> str:
        arguments = [repr(arg) for arg in self.args]
        arguments += [f"{key}={value!r}" for key, value in self.kwargs.items()]
        return f"{self.op_type.__qualname__}({', '.join(arguments)})"


class InputNode(Node):
    """A channel that a resolver function was given."""

    output_data_type = ARTIFACT_LIST

    def __init__(self, wrapped: BaseChannel) -> None:
        self.wrapped = wrapped

    def __eq__(self, other: object) -> bool:
        return self.wrapped == other.wrapped if isinstance(other, InputNode) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.wrapped)

    def __repr__(self) -> str:
        return "Input()"


class DictNode(Node):
    """Lists by key."""

    output_data_type = ARTIFACT_MULTIMAP

    def __init__(self, nodes: Mapping[str, Node]) -> None:
        if not is_compatible(nodes, Mapping[str, Node]) or any(
            node.output_data_type != ARTIFACT_LIST for node in nodes.values()
        ):
            raise ValueError(
                "Expected dict[str, Node] s.t. all node.output_data_type == ARTIFACT_LIST, but "
                f"got {nodes}."
            )
        self.nodes = nodes

    def __eq__(self, other: object) -> bool:
        return self.nodes == other.nodes if isinstance(other, DictNode) else NotImplemented

    def __hash__(self) -> int:
        return hash(frozenset(self.nodes.items()))

    def __repr__(self) -> str:
        return f"Dict({', '.join(f'{key}={node!r}' for key, node in self.nodes.items())})"


def get_input_nodes(node: Node) -> set[InputNode]:
    """The channels that a node's result depends on."""
    if isinstance(node, InputNode):
        return {node}
    if isinstance(node, OpNode):
        parents: Sequence[Node] = node.args
    elif isinstance(node, DictNode):
        parents = list(node.nodes.values())
    else:
        return set()
    return set().union(*map(get_input_nodes, parents))
