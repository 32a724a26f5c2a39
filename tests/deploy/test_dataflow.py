"""docs/dataflow.md: arguments that Beam knows, its validator passes and our engine takes."""

import ast
import logging
import re
from pathlib import Path

import pytest

from trainwright.cli.commands.run import run
from trainwright.engine.engine_urls import EngineChoiceError, engine_of_flags, read_beam_options
from trainwright.engine.hosted.hosting import HostedTask
from trainwright.engine.on_beam.beam_engine import BeamEngine
from trainwright.engine.on_beam.beam_job import BeamJob
from trainwright.engine.on_beam.exchange import Exchange
from trainwright.history.settings_file import read_settings_file
from trainwright.processes.progress import Progress

pytestmark = pytest.mark.not_quick  # imports Beam by halves

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "dataflow.md").read_text()
TOML = dict(re.findall(r'^```toml title="([^"]+)"\n(.*?)^```$', PAGE, re.M | re.S))
DATAFLOW = "trainwright.toml"


@pytest.fixture(scope="module")
def beam():
    """Beam's options, and its runner for Dataflow; imported by who asks for it."""
    pytest.importorskip("apache_beam", reason="pip install 'trainwright[beam]'")
    pytest.importorskip(
        "apache_beam.runners.dataflow.internal.apiclient", reason="pip install 'apache-beam[gcp]'"
    )
    from apache_beam.options import pipeline_options

    return pipeline_options


@pytest.fixture
def engine_of_page(tmp_path):
    def read(title):
        path = tmp_path / "trainwright.toml"
        path.write_text(TOML[title])
        return read_settings_file(path).engine

    return read


def flags_of_python():
    """The list `flags` in the page's Python."""
    [code] = re.findall(r"^```python\n(.*?)^```$", PAGE, re.M | re.S)
    [flags] = [
        node.value
        for node in ast.parse(code).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "flags"
    ]
    return ast.literal_eval(flags)


def options_of(choice):
    return read_beam_options(choice.removeprefix("beam://"))


def known_to_beam(beam):
    """The names of all of Beam's flags."""
    parser = beam._BeamArgumentParser(allow_abbrev=False)
    for options in {str(one): one for one in beam.PipelineOptions.__subclasses__()}.values():
        options._add_argparse_args(parser)
    return {name for action in parser._actions for name in action.option_strings}


@pytest.mark.parametrize("title", TOML)
def test_the_engine_takes_the_url(engine_of_page, title):
    engine = BeamEngine(options_of(engine_of_page(title)).flags)
    assert not engine.shares_filesystem
    assert engine.carries_files


def test_without_a_temp_location_the_engine_is_refused_in_the_words_of_the_page(engine_of_page):
    flags = options_of(engine_of_page(DATAFLOW)).flags
    with pytest.raises(EngineChoiceError) as refused:
        BeamEngine([flag for flag in flags if not flag.startswith("--temp_location")])
    [said] = re.findall(r"`(The workers of .*?)`", PAGE)
    assert said in str(refused.value)


def test_flags_in_python_choose_the_same_engine(engine_of_page):
    chosen = options_of(engine_of_flags(flags_of_python())).flags
    assert chosen == flags_of_python()
    assert set(chosen) <= set(options_of(engine_of_page(DATAFLOW)).flags)


@pytest.mark.parametrize("title", [*TOML, None])
def test_beam_knows_every_flag(beam, engine_of_page, caplog, title):
    flags = options_of(engine_of_page(title)).flags if title else flags_of_python()
    with caplog.at_level(logging.WARNING):
        beam.PipelineOptions(flags).get_all_options()
    assert "Discarding" not in caplog.text
    assert {flag.partition("=")[0] for flag in flags} <= known_to_beam(beam)


def test_every_flag_that_the_page_names_is_one_of_beam_or_of_the_command(beam):
    ours = {name for one in run.params for name in one.opts}
    of_docker_and_boot = {"--build-arg", "--target", "--worker_pool"}
    named = set(re.findall(r"(?<![\w-])--[a-z][\w-]*", PAGE))
    assert "--sdk_container_image" in named
    assert named - {"--name"} <= known_to_beam(beam) | ours | of_docker_and_boot


@pytest.mark.parametrize("title", TOML)
def test_beams_validator_finds_nothing(beam, engine_of_page, title):
    from apache_beam.options.pipeline_options_validator import PipelineOptionsValidator
    from apache_beam.runners import create_runner

    # Else it asks the bucket, over the network.
    options = beam.PipelineOptions([*options_of(engine_of_page(title)).flags, "--dry_run=True"])
    runner = create_runner(options.view_as(beam.StandardOptions).runner)
    assert PipelineOptionsValidator(options, runner).validate() == []


@pytest.mark.parametrize("missing", ["project", "sdk_container_image"])
def test_what_beam_would_say_of_a_flag_that_is_missing(beam, engine_of_page, missing):
    from apache_beam.options.pipeline_options_validator import PipelineOptionsValidator
    from apache_beam.runners import create_runner

    flags = options_of(engine_of_page(DATAFLOW)).flags
    kept = [flag for flag in flags if not flag.startswith(f"--{missing}=")]
    options = beam.PipelineOptions([*kept, "--dry_run=True"])
    found = PipelineOptionsValidator(options, create_runner("DataflowRunner")).validate()
    # Nobody but Trainwright needs the image.
    assert found == (["Missing required option: project."] if missing == "project" else [])


def test_dataflow_takes_the_pipeline_of_the_engine(beam, engine_of_page, tmp_path, monkeypatch):
    from apache_beam.runners.dataflow.dataflow_runner import DataflowRunner

    jobs = []
    submit = DataflowRunner.run_pipeline

    def noted(self, *arguments, **options):
        result = submit(self, *arguments, **options)
        jobs.append(result.job)
        return result

    monkeypatch.setattr(DataflowRunner, "run_pipeline", noted)
    flags = options_of(engine_of_page(DATAFLOW)).flags
    task = HostedTask(job={}, name="")
    job = BeamJob(
        Exchange(str(tmp_path), "key"),
        task,
        task,
        [*flags, "--dry_run=True"],
        [f"shard {number}" for number in range(40)],
        Progress(None),
        levels=1,
        start_seconds=60,
    )
    job._thread.join()
    assert job._failure is None
    [submitted] = jobs
    environments = submitted.proto_pipeline.components.environments.values()
    [image] = re.findall(r"sdk_container_image=(\S+?)\\", TOML[DATAFLOW])
    assert all(image.encode() in environment.payload for environment in environments)
