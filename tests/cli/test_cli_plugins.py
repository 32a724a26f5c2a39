"""Commands, runners and engines of other packages, as the command line finds them."""

import json

import pytest

COMMANDS = """
    import click

    @click.command()
    @click.argument("name")
    @click.option("--json", "as_json", is_flag=True)
    def greet(name, as_json):
        "Greet somebody."
        click.echo(f"Hello, {name}!")

    def not_a_command():
        pass

    raise_at = None
"""

RUNNERS = """
    import json

    class Noting:
        def run(self, pipeline, run_options=None, *, runtime_parameters=None):
            chosen = run_options and list(run_options.to_nodes)
            print(json.dumps([pipeline.pipeline_name, chosen, runtime_parameters, pipeline.engine]))
            return "noted"

    class Refusing:
        def run(self, pipeline, run_options=None, *, runtime_parameters=None):
            raise ValueError("no nodes of this kind")

    class Idle:
        pass
"""


@pytest.fixture
def commands(install_package):
    offered = {"greet": "greetings:greet", "wrong": "greetings:not_a_command", "runs": "x:y"}
    install_package("greetings", {"trainwright.commands": offered}, greetings=COMMANDS)


@pytest.fixture
def runners(install_package):
    offered = {"noting": "noting:Noting", "refusing": "noting:Refusing", "idle": "noting:Idle"}
    install_package("noting-runners", {"trainwright.runners": offered}, noting=RUNNERS)


def test_a_command_of_another_package_runs_and_is_listed(commands, trainwright):
    finished = trainwright("greet", "Ada")
    assert (finished.returncode, finished.stdout) == (0, "Hello, Ada!\n"), finished.stderr
    assert "Greet somebody." in trainwright("greet", "--help").stdout
    listed = trainwright("--help").stdout
    assert "Commands of other packages:\n  greet  Of the package greetings." in listed
    assert listed.count("\n  runs ") == 1  # ours


def test_a_command_that_nobody_has_is_compared_with_all(commands, trainwright):
    finished = trainwright("gret")
    assert finished.returncode == 2
    assert "no command 'gret'; did you mean 'greet'?" in finished.stderr


def test_what_is_not_a_command_is_refused_with_its_package(commands, trainwright):
    finished = trainwright("wrong")
    assert finished.returncode == 2
    assert "of greetings, which is a function: expected a click.Command" in finished.stderr
    assert "Traceback" not in finished.stderr


def noted(finished):
    assert finished.returncode == 0, finished.stderr
    return json.loads(finished.stdout.splitlines()[-1])


def test_a_runner_by_option_or_by_the_projects_file(runners, scene):
    scene.write(
        "from trainwright import RuntimeParameter\n"
        "pipeline = make('found', 'root', RuntimeParameter('start', int, 3))"
    )
    options = ["--to", "count", "--set", "start=5", "--engine", "local://?processes=2"]
    finished = scene.call("run", "pipeline.py", "--runner", "noting", *options)
    assert noted(finished) == ["found", ["count"], {"start": "5"}, "local://?processes=2"]
    (scene.directory / "trainwright.toml").write_text('runner = "noting"\nengine = "local"\n')
    assert noted(scene.call("run", "pipeline.py")) == ["found", None, {}, "local"]
    assert not (scene.directory / "root").exists()
    finished = scene.call("run", "pipeline.py", "--runner", "local", "--json")
    assert '"state": "complete"' in finished.stdout.splitlines()[-1]


def test_a_script_that_runs_its_pipeline_gets_what_the_runner_returns(runners, scene):
    scene.write(
        "from trainwright import LocalDagRunner\n"
        "print('result:', LocalDagRunner(engine='local').run(make('found', 'root')))"
    )
    finished = scene.call("run", "pipeline.py", "--runner", "noting")
    assert noted(finished) == ["found", None, {}, "local"]
    assert "result: noted" in finished.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--runner", "notting"], "no runner 'notting'; did you mean 'noting'?"),
        (["--runner", "idle"], "of noting-runners, which made a Idle without a method run()"),
        (["--runner", "refusing"], "no nodes of this kind"),
        (["--runner", "noting", "--max-parallel", "2"], "--max-parallel is an option of the local"),
        (["--runner", "noting", "--explain"], "--explain says what the local runner would do"),
        (["--engine", "lokal"], "no engine 'lokal'; did you mean 'local'?"),
        (["--engine", "local://?processes=x"], "has 'x' for a number: expected one of at least 1"),
    ],
)
def test_mistakes_end_the_command_before_anything_runs(runners, scene, options, message):
    scene.write("pipeline = make('found', 'root')")
    finished = scene.call("run", "pipeline.py", *options)
    assert finished.returncode == 2
    assert message in " ".join(finished.stderr.split())
    assert "Traceback" not in finished.stderr
    assert not (scene.directory / "root").exists()


ENGINE_OF = """
    from trainwright.dsl.base_component import BaseComponent
    from trainwright.dsl.base_executor import BaseExecutor
    from trainwright.dsl.executor_spec import ExecutorClassSpec
    from trainwright.types.component_spec import ComponentSpec

    class Executor(BaseExecutor):
        def Do(self, input_dict, output_dict, exec_properties):
            with open("engine.txt", "w") as file:
                file.write(str(self.context.engine))

    class Spec(ComponentSpec):
        PARAMETERS, INPUTS, OUTPUTS = {}, {}, {}

    class Ask(BaseComponent):
        SPEC_CLASS = Spec
        EXECUTOR_SPEC = ExecutorClassSpec(Executor)

        def __init__(self):
            super().__init__(Spec())

"""


@pytest.mark.parametrize(
    ("of_file", "of_pipeline", "option", "expected"),
    [
        (None, None, None, "None"),
        ("local://?processes=1", None, None, "local://?processes=1"),
        ("local://?processes=1", "local://?processes=2", None, "local://?processes=2"),
        ("local://?processes=1", "local://?processes=2", "local", "local"),
    ],
)
def test_the_nearer_choice_of_an_engine_wins(scene, of_file, of_pipeline, option, expected):
    made = f"    pipeline = Pipeline('p', 'root', components=[Ask()], engine={of_pipeline!r})"
    scene.write(ENGINE_OF + made)
    if of_file:
        (scene.directory / "trainwright.toml").write_text(f'engine = "{of_file}"\n')
    finished = scene.call("run", "pipeline.py", *(["--engine", option] if option else []))
    assert finished.returncode == 0, finished.stderr
    assert (scene.directory / "engine.txt").read_text() == expected


@pytest.mark.parametrize("line", ["engine = 3", 'runner = ""', "[engine]"])
def test_a_mistake_in_the_projects_file_is_named(scene, line):
    scene.write("pipeline = make('found', 'root')")
    (scene.directory / "trainwright.toml").write_text(line)
    finished = scene.call("run", "pipeline.py")
    assert finished.returncode == 2
    assert "expected a string such as" in finished.stderr
