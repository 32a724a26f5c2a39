"""Data views are declared, bound and found; what is wrong is refused before the run."""

import pytest

from tfx.components.experimental.data_view import (
    binder_component,
    binder_executor,
    constants,
    provider_component,
    utils,
)
from tfx.components.util import tfxio_utils
from tfx.proto import example_gen_pb2
from tfx.types import channel_utils, standard_artifacts


def examples(view=None, time="1", payload_format="FORMAT_PROTO"):
    artifact = standard_artifacts.Examples()
    artifact.uri = "/root/examples"
    artifact.set_string_custom_property("payload_format", payload_format)
    if view:
        artifact.set_string_custom_property(constants.DATA_VIEW_URI_PROPERTY_KEY, view)
        artifact.set_string_custom_property(constants.DATA_VIEW_CREATE_TIME_KEY, time)
    return artifact


def test_the_binder_gives_on_the_same_files_with_the_view():
    view, bound = standard_artifacts.DataView(), standard_artifacts.Examples()
    view.uri = "/root/view"
    inputs = {"input_examples": [examples()], "data_view": [view]}
    binder_executor.DataViewBinderExecutor().Do(inputs, {"output_examples": [bound]}, {})
    assert bound.uri == "/root/examples"
    assert bound.get_string_custom_property("payload_format") == "FORMAT_PROTO"
    assert utils.get_data_view_uri(bound) == "/root/view"
    assert int(bound.get_string_custom_property(constants.DATA_VIEW_CREATE_TIME_KEY)) > 0


def test_the_newest_view_counts():
    resolve = tfxio_utils.resolve_payload_format_and_data_view_uri
    proto = example_gen_pb2.FORMAT_PROTO
    assert resolve([examples("a", "9"), examples("b", "10")]) == (proto, "b")
    assert resolve([examples()]) == (proto, None)
    with pytest.raises(ValueError, match="did not have DataView attached"):
        resolve([examples("a"), examples()])
    with pytest.raises(ValueError, match="different payload formats"):
        resolve([examples(), examples(payload_format="FORMAT_TF_EXAMPLE")])
    with pytest.raises(AssertionError, match="At least one Examples artifact"):
        resolve([])


def test_components_are_declared(tmp_path):
    provider = provider_component.TfGraphDataViewProvider(
        module_file=str(tmp_path / "absent.py"), create_decoder_func="create_decoder"
    )
    binder = binder_component.DataViewBinder(
        input_examples=channel_utils.as_channel([examples()]),
        data_view=provider.outputs["data_view"],
    )
    assert provider.outputs["data_view"].type is standard_artifacts.DataView
    assert binder.outputs["output_examples"].type is standard_artifacts.Examples
    with pytest.raises(ValueError, match=r"absent\.py' .* does not exist"):
        provider.DRIVER_CLASS().check(provider, dict(provider.exec_properties))


def test_a_reader_needs_what_the_format_needs():
    with pytest.raises(AssertionError, match="requires a DataView"):
        tfxio_utils.make_tfxio("a/*", ["test"], "FORMAT_PROTO")
    with pytest.raises(AssertionError, match="must provide raw_record_column_name"):
        tfxio_utils.make_tfxio("a/*", ["test"], "FORMAT_TF_EXAMPLE", read_as_raw_records=True)
    with pytest.raises(ValueError, match="type of file_pattern and file_formats"):
        tfxio_utils.make_tfxio("a/*", ["test"], 6, file_format=["tfrecords_gzip"])
    with pytest.raises(NotImplementedError, match="Unsupport payload format"):
        tfxio_utils.make_tfxio("a/*", ["test"], 99)
