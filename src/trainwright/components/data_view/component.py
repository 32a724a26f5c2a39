"""TfGraphDataViewProvider and DataViewBinder: how records of other messages become tensors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trainwright.components.user_module import check_module_file
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_driver import BaseDriver
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.types.channel import BaseChannel
from trainwright.types.component_spec import ChannelParameter, ComponentSpec, ExecutionParameter
from trainwright.types.standard_artifacts import DataView, Examples


class TfGraphDataViewProviderSpec(ComponentSpec):
    PARAMETERS = {
        "module_file": ExecutionParameter(type=str, optional=True),
        "create_decoder_func": ExecutionParameter(type=str),
    }
    INPUTS = {}
    OUTPUTS = {"data_view": ChannelParameter(type=DataView)}


class DataViewBinderSpec(ComponentSpec):
    PARAMETERS = {}
    INPUTS = {
        "input_examples": ChannelParameter(type=Examples),
        "data_view": ChannelParameter(type=DataView),
    }
    OUTPUTS = {"output_examples": ChannelParameter(type=Examples)}


class TfGraphDataViewProviderDriver(BaseDriver):
    """Looks at the module file before the run; its content is part of the cache key."""

    def check(self, component: BaseComponent, exec_properties: dict[str, Any]) -> None:
        if exec_properties.get("module_file"):
            function = exec_properties["create_decoder_func"]
            check_module_file(exec_properties["module_file"], component.id, function, takes=())

    def checked_paths(
        self, component: BaseComponent, exec_properties: dict[str, Any]
    ) -> Mapping[str, str]:
        module_file = exec_properties.get("module_file")
        return {"module_file": module_file} if module_file else {}

    def source_files(self, exec_properties: dict[str, Any]) -> list[str]:
        module_file = exec_properties.get("module_file")
        return [module_file] if module_file else []


class TfGraphDataViewProvider(BaseComponent):
    """Saves a decoder of records, a `tfx_bsl.coders.tf_graph_record_decoder.TFGraphRecordDecoder`.

    It needs `pip install 'trainwright[transform]'`.

    Args:
        create_decoder_func: The function that returns the decoder: its name in the module file, or
            its dotted path if there is no module file.
        module_file: The file of the function.
        data_view: TFX's way to give the output channel; it is not needed.

    Example:
        ```python
        provider = TfGraphDataViewProvider(
            module_file="decoders.py", create_decoder_func="create_decoder"
        )
        ```
    """

    SPEC_CLASS = TfGraphDataViewProviderSpec
    EXECUTOR_SPEC = ExecutorClassSpec(
        "trainwright.components.data_view.executor:TfGraphDataViewProviderExecutor"
    )
    DRIVER_CLASS = TfGraphDataViewProviderDriver

    def __init__(
        self,
        create_decoder_func: str,
        module_file: str | None = None,
        data_view: BaseChannel | None = None,
    ) -> None:
        outputs = {} if data_view is None else {"data_view": data_view}
        super().__init__(
            spec=TfGraphDataViewProviderSpec(
                module_file=module_file, create_decoder_func=create_decoder_func, **outputs
            )
        )


class DataViewBinder(BaseComponent):
    """Binds a DataView to examples of FORMAT_PROTO: the same files, with the decoder's place.

    Components behind it read the decoder's tensors; a Trainer also finds the decoder itself in
    `fn_args.data_accessor.data_view_decode_fn`.

    Args:
        input_examples: The examples.
        data_view: The DataView of a TfGraphDataViewProvider.
        output_examples: TFX's way to give the output channel; it is not needed.
    """

    SPEC_CLASS = DataViewBinderSpec
    EXECUTOR_SPEC = ExecutorClassSpec(
        "trainwright.components.data_view.executor:DataViewBinderExecutor"
    )

    def __init__(
        self,
        input_examples: BaseChannel,
        data_view: BaseChannel,
        output_examples: BaseChannel | None = None,
    ) -> None:
        outputs = {} if output_examples is None else {"output_examples": output_examples}
        super().__init__(
            spec=DataViewBinderSpec(input_examples=input_examples, data_view=data_view, **outputs)
        )
