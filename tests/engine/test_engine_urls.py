"""URLs of the built-in engines, and Beam's flags that stand for one."""

import pytest

from trainwright.engine.choice import check_engine, open_engine
from trainwright.engine.engine_urls import (
    EngineChoiceError,
    engine_of_flags,
    read_beam_options,
    read_ray_options,
)
from trainwright.engine.on_beam.beam_engine import BeamEngine
from trainwright.engine.on_beam.beam_flags import shown
from trainwright.engine.on_ray.ray_engine import RayEngine


def test_an_engine_is_opened_by_its_url_and_nothing_is_connected_yet():
    for choice in ("ray", "ray://", "ray://auto", "ray://10.0.0.5:6379?processes=8"):
        check_engine(choice)
        assert isinstance(open_engine(choice), RayEngine)
    check_engine("beam://?runner=InMemoryRunner")
    assert isinstance(open_engine("beam://?runner=InMemoryRunner"), BeamEngine)


def test_what_urls_say():
    ray = read_ray_options("head:6379?processes=8&filesystem=own")
    assert (ray.address, ray.processes, ray.shares_filesystem) == ("head:6379", 8, False)
    assert read_ray_options("head:6379").shares_filesystem is None
    beam = read_beam_options(
        "?runner=PortableRunner&job_endpoint=h:8099&filesystem=shared&start_seconds=60"
        "&flag=--experiments%3Da&flag=--experiments%3Db"
    )
    assert beam.flags == [
        "--runner=PortableRunner",
        "--job_endpoint=h:8099",
        "--experiments=a",
        "--experiments=b",
    ]
    assert (beam.shares_filesystem, beam.start_seconds) == (True, 60)


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ("ray://10.0.0.5", "expected ray://host:6379, with the address of a cluster's head"),
        ("ray://h:70000", "expected ray://host:6379"),
        ("ray://h:6379?proceses=2", "an option 'proceses' .*; did you mean 'processes'?"),
        ("ray://h:6379?processes=0", "has '0' for a number: expected one of at least 1"),
        ("ray://h:6379?filesystem=shard", "filesystem=shard; did you mean 'shared'?"),
        ("ray://h:6379?processes", "expected as option=value"),
        ("beam", "expected beam://.runner=FlinkRunner, or another of Beam's runners"),
        ("beam://FlinkRunner", "expected beam://.runner=FlinkRunner"),
        ("beam://?runer=FlinkRunner", "'runer' .*; did you mean 'runner'?"),
        (
            "beam://?runner=InMemoryRuner",
            "no runner '.*'; did you mean 'InMemoryRunner'",
        ),
        ("beam://?runner=FlinkRunner", "need a place that they and this process see"),
        ("beams", "no engine 'beams'; did you mean 'beam'?"),
    ],
)
def test_a_wrong_url_is_refused_before_the_run(choice, words):
    for refuse in (check_engine, open_engine):
        with pytest.raises(EngineChoiceError, match=words):
            refuse(choice)


@pytest.mark.parametrize(
    ("flags", "engine"),
    [
        ([], None),
        (["--runner=DirectRunner"], None),
        (["--direct_num_workers=0", "--direct_running_mode=multi_processing"], None),
        (["--direct_num_workers=10"], "local://?processes=10"),
        (["--runner=PrismRunner"], None),
        (
            ["--runner", "FlinkRunner", "--temp_location=s3://b/t"],
            "beam://?flag=--runner&flag=FlinkRunner&flag=--temp_location%3Ds3%3A%2F%2Fb%2Ft",
        ),
        (
            ["--runner=InMemoryRunner"],
            "beam://?flag=--runner%3DInMemoryRunner&flag=--runner%3DFnApiRunner",
        ),
    ],
)
def test_tfx_arguments_choose_an_engine(flags, engine):
    assert engine_of_flags(flags) == engine
    check_engine(engine)


def test_workers_elsewhere_need_a_place_that_both_see():
    with pytest.raises(
        EngineChoiceError,
        match=r"a place that they and this process see, but there is no --temp_location",
    ):
        open_engine("beam://?runner=DataflowRunner&region=europe-west1")
    with pytest.raises(EngineChoiceError, match=r"but --temp_location=/tmp/x is a directory"):
        open_engine("beam://?runner=FlinkRunner&temp_location=/tmp/x")
    for place in ("&temp_location=gs://bucket/temp", "&filesystem=shared&temp_location=/tmp/x"):
        open_engine("beam://?runner=FlinkRunner" + place)
    assert open_engine("beam://?runner=FlinkRunner&environment_type=LOOPBACK").shares_filesystem


def test_the_memory_of_this_machine_is_no_place_for_workers_elsewhere():
    url = "beam://?runner={}&temp_location=memory://bucket/temp"
    for flags in ("", "&filesystem=shared"):
        with pytest.raises(
            EngineChoiceError, match=r"memory://bucket/temp is shared memory of this one: .* gs://"
        ):
            check_engine(url.format("FlinkRunner") + flags)
    check_engine(url.format("InMemoryRunner"))
    check_engine(url.format("FlinkRunner") + "&environment_type=LOOPBACK")


_ADDRESS = "s3%3A%2F%2FAKIA%3Aabc%2FSECRET%40bucket%2Ftemp"


@pytest.mark.parametrize(
    "rest",
    [
        f"?runner=FlinkRunner&temp_location={_ADDRESS}",
        "?flag=--runner%3DFlinkRunner&flag=--temp_location%3Ds3%3A%2F%2FAKIA%3ASECRET%40bucket",
        f"?runner=FlinkRunner&temp_location={_ADDRESS}&filesystem=shard",
        f"?runer=FlinkRunner&temp_location={_ADDRESS}",
        f"here?runner=FlinkRunner&temp_location={_ADDRESS}",
        "?runer=FlinkRunner&s3_secret_access_key=SECRET",
    ],
)
def test_credentials_in_a_url_are_never_shown(rest):
    with pytest.raises(EngineChoiceError) as info:
        read_beam_options(rest)
    assert "SECRET" not in str(info.value)
    assert "AKIA" not in str(info.value)


@pytest.mark.parametrize(
    "rest",
    [
        "user:SECRET@host:6379",
        "user:SECRET%40host:6379",
        "SECRET@host:6379?processes=2",
        "user:SECRET@host:6379?proceses=2",
        "user:SEC?SECRET@host:6379",
        "auto?filesystem=SECRET@host",
    ],
)
def test_a_password_in_the_address_of_a_ray_cluster_is_refused_and_not_shown(rest):
    for refuse in (check_engine, open_engine):
        with pytest.raises(EngineChoiceError, match="has an '@': expected host:port alone") as info:
            refuse(f"ray://{rest}")
        assert "SECRET" not in str(info.value)


def test_a_temporary_place_that_no_store_has_is_refused():
    with pytest.raises(EngineChoiceError, match=r"--temp_location .* has an empty step"):
        read_beam_options("?runner=FlinkRunner&temp_location=s3://bucket//temp")
    read_beam_options("?runner=FlinkRunner&temp_location=hdfs://namenode:8020/temp")


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ("--temp_location=s3://k:a/b@bucket/t --x=1", "--temp_location=s3://bucket/t --x=1"),
        ("--s3_secret_access_key abc --x 1", "--s3_secret_access_key *** --x 1"),
        ("--s3_access_key_id=abc --x=1", "--s3_access_key_id=*** --x=1"),
        ("--job_endpoint=h:8099 --output=s3://b/a@c", "--job_endpoint=h:8099 --output=s3://b/a@c"),
        ("the token has expired", "the token has expired"),
    ],
)
def test_flags_as_messages_show_them(flags, expected):
    assert shown(flags) == expected
