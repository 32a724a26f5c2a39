"""Choice of the store: the option, the environment, trainwright.toml, the last run."""

import json
import os
import shutil
import sqlite3

import pytest

LOOKING = ["runs", "show", "artifacts", "lineage 1", "logs count", "cancel latest", "explain", "gc"]


@pytest.fixture(scope="module")
def stores(shared_scene):
    """Four stores with a run each, of pipelines named like them; `last` is the last one used."""
    for name in ("option", "environment", "file", "last"):
        shared_scene.write(f"pipeline = make({name!r}, {name!r})")
        shared_scene.run_here("pipeline.py")
    return shared_scene


def pipeline_of(finished):
    assert finished.returncode == 0, finished.stderr
    return json.loads(finished.stdout)[0]["pipeline"]


@pytest.fixture
def toml(stores):
    path = stores.directory / "trainwright.toml"
    yield path
    path.unlink(missing_ok=True)


def test_the_nearer_setting_wins(stores, toml):
    assert pipeline_of(stores.call("runs", "--json")) == "last"
    toml.write_text('[store]\nurl = "file/metadata.db"\n')
    assert pipeline_of(stores.call("runs", "--json")) == "file"
    environment = {"TRAINWRIGHT_STORE": "environment/metadata.db"}
    assert pipeline_of(stores.call("runs", "--json", **environment)) == "environment"
    option = ["--store", "option/metadata.db"]
    assert pipeline_of(stores.call("runs", "--json", *option, **environment)) == "option"
    # What is not asked is not looked at either.
    toml.write_text("broken [")
    assert pipeline_of(stores.call("runs", "--json", *option)) == "option"


@pytest.fixture(scope="module")
def two_projects(tmp_path_factory, new_scene):
    """Two projects with a run each; the second is the last. Its script was run from elsewhere."""
    home = tmp_path_factory.mktemp("home")
    scenes = {}
    for name in ("first", "second", "elsewhere"):
        (home / name / "below").mkdir(parents=True)
        scenes[name] = new_scene(home / name, XDG_STATE_HOME=str(home / "state"))
    for name in ("first", "second"):
        scenes[name].write(f"pipeline = make({name!r}, '{home}/{name}/output')")
    assert scenes["first"].call("run", "pipeline.py").returncode == 0
    assert scenes["elsewhere"].call("run", home / "second" / "pipeline.py").returncode == 0
    return scenes


@pytest.mark.parametrize(
    ("where", "shown"),
    [
        ("first", "first"),
        ("first/below", "first"),
        ("second", "second"),
        ("elsewhere", "second"),
        (".", "second"),
    ],
)
def test_a_project_shows_its_own_runs_and_names_the_store(two_projects, new_scene, where, shown):
    home = two_projects["first"].directory.parent
    scene = new_scene(home / where, XDG_STATE_HOME=str(home / "state"))
    finished = scene.call("runs")
    assert shown in finished.stdout.splitlines()[1].split()
    assert f"Store: {home}/{shown}/output/metadata.db (named by " in finished.stderr
    assert "Store:" in scene.call("show").stderr
    assert scene.call("show", "--json").stderr == ""


def test_a_store_below_the_directory_needs_no_run_here(two_projects, new_scene, tmp_path):
    """As after a checkout or a copy; of files of that name that are no stores nothing is said."""
    copied = shutil.copytree(two_projects["first"].directory, tmp_path / "copied")
    (copied / "another").mkdir()
    with sqlite3.connect(copied / "another" / "metadata.db") as connection:
        connection.execute("CREATE TABLE MLMDEnv (schema_version INTEGER)")
    (copied / "metadata.db").write_text("not a database")
    finished = new_scene(copied).call("runs")
    assert finished.returncode == 0, finished.stderr
    assert f"Store: {copied}/output/metadata.db (named by its place in" in finished.stderr
    assert new_scene(tmp_path / "copied" / "below").call("runs").returncode == 2


def test_a_store_that_is_gone_is_not_insisted_on(two_projects, new_scene, tmp_path):
    home = two_projects["first"].directory.parent
    moving = new_scene(tmp_path, XDG_STATE_HOME=str(tmp_path / "state"))
    shutil.copytree(home / "state", tmp_path / "state")
    moving.write("pipeline = make('moved', 'output')")
    moving.run_here("pipeline.py")
    (tmp_path / "output").rename(tmp_path / "renamed")
    assert f"Store: {tmp_path}/renamed/metadata.db" in moving.call("runs").stderr


@pytest.mark.parametrize("form", ["{}", "sqlite:///{}"])
@pytest.mark.parametrize("is_absolute", [False, True])
def test_a_store_by_its_path_or_its_url(stores, form, is_absolute):
    path = "option/metadata.db"
    address = form.format(stores.directory / path if is_absolute else path)
    assert pipeline_of(stores.call("runs", "--json", "--store", address)) == "option"
    assert pipeline_of(stores.call("runs", "--json", TRAINWRIGHT_STORE=address)) == "option"


@pytest.mark.parametrize("url", ["file/metadata.db", "sqlite:///file/metadata.db"])
def test_paths_in_the_file_count_from_where_it_is(stores, toml, url):
    toml.write_text(f'[store]\nurl = "{url}"\n')
    below = stores.directory / "some" / "where"
    below.mkdir(parents=True, exist_ok=True)
    from_below = type(stores)(below, **stores.environment)
    assert pipeline_of(from_below.call("runs", "--json")) == "file"


def test_a_path_with_characters_that_urls_treat_specially(stores, tmp_path):
    directory = tmp_path / "100% sure? #1"
    directory.mkdir()
    os.link(stores.directory / "file" / "metadata.db", directory / "metadata.db")
    (directory / "trainwright.toml").write_text('[store]\nurl = "sqlite:///metadata.db"\n')
    assert pipeline_of(type(stores)(directory).call("runs", "--json")) == "file"


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("[stroe]\nurl = 'x'", "has 'stroe', which is not a setting; did you mean 'store'?"),
        ("[store]\nulr = 'x'", "has 'ulr' in [store], which is not a setting; did you mean 'url'?"),
        ("[store]\nurl = 5", 'url in [store] is 5: expected a string such as "sqlite:///'),
        ("[store]\nurl = ''", "url in [store] is ''"),
        ("store = 'x'", "store is 'x': expected a table: a line [store]"),
        ("[store", "is not TOML: "),
    ],
)
def test_mistakes_in_the_file_are_named(scene, content, complaint):
    path = scene.directory / "trainwright.toml"
    path.write_text(content)
    finished = scene.call("runs")
    assert finished.returncode == 2
    assert str(path) in finished.stderr
    assert complaint in finished.stderr
    assert "Traceback" not in finished.stderr


def test_a_file_without_a_store_is_fine(stores, toml):
    toml.write_text("# nothing is set here\n")
    assert pipeline_of(stores.call("runs", "--json")) == "last"


@pytest.mark.parametrize("command", LOOKING)
def test_without_any_run_there_is_nothing_to_look_into(trainwright, command):
    finished = trainwright(*command.split())
    assert finished.returncode == 2
    assert "No run has been remembered yet" in finished.stderr
    assert "--store PATH" in finished.stderr


@pytest.mark.parametrize("command", LOOKING)
@pytest.mark.parametrize("form", ["{}", "sqlite:///{}"])
def test_a_store_that_is_not_there_is_not_created(trainwright, tmp_path, command, form):
    path = tmp_path / "nothing" / "metadata.db"
    path.parent.mkdir()
    finished = trainwright(*command.split(), "--store", form.format(path))
    assert finished.returncode == 2
    assert f"There is no metadata store at {path} (named by --store)" in finished.stderr
    assert list(path.parent.iterdir()) == []


def test_an_empty_file_is_not_made_a_store(trainwright, tmp_path):
    path = tmp_path / "metadata.db"
    path.touch()
    assert trainwright("runs", "--store", path).returncode == 2
    assert path.read_bytes() == b""


def test_a_file_that_is_no_store_is_left_alone(trainwright, tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("not a database " * 100)
    finished = trainwright("runs", "--store", path)
    assert finished.returncode == 2
    assert "notes.txt is not an SQLite database" in finished.stderr
    assert "Traceback" not in finished.stderr
    assert path.read_text() == "not a database " * 100


def test_a_store_that_was_removed_is_named(trainwright, state_home, tmp_path):
    remembered = state_home / "trainwright" / "last_store"
    remembered.parent.mkdir()
    remembered.write_text(f"sqlite:///{tmp_path}/gone.db")
    finished = trainwright("runs")
    assert finished.returncode == 2
    assert f"There is no metadata store at {tmp_path}/gone.db (named by the last run)" in (
        finished.stderr
    )


@pytest.mark.parametrize("command", ["runs", "doctor"])
def test_a_password_is_never_shown(trainwright, command):
    url = "postgresql://ada:secret@127.0.0.1:1/penguin?connect_timeout=2"
    finished = trainwright(command, TRAINWRIGHT_STORE=url)
    assert finished.returncode == (2 if command == "runs" else 1)
    assert "127.0.0.1" in finished.stdout + finished.stderr
    assert "secret" not in finished.stdout + finished.stderr
    assert "Traceback" not in finished.stderr


def test_an_unknown_kind_of_database(trainwright):
    finished = trainwright("runs", "--store", "oracle://somewhere/x")
    assert finished.returncode == 2
    assert "oracle" in finished.stderr
    assert "Traceback" not in finished.stderr


def test_a_store_in_postgresql(scene, postgres_url):
    """Without tables it is not a store, and looking does not make it one; a run does."""
    from trainwright.testing.postgres_server import PASSWORD

    (scene.directory / "trainwright.toml").write_text(f'[store]\nurl = "{postgres_url}"\n')
    for _ in range(2):
        finished = scene.call("runs")
        assert finished.returncode == 2
        assert "There is no metadata store at postgresql://" in finished.stderr
        assert PASSWORD not in finished.stderr

    scene.write("pipeline = make('found', 'root')")
    ran = scene.call("run", "pipeline.py")
    assert ran.returncode == 0, ran.stderr
    assert pipeline_of(scene.call("runs", "--json")) == "found"
    assert scene.call("show", "--node", "double").returncode == 0
    doctor = scene.call("doctor")
    assert doctor.returncode == 0, doctor.stdout
    assert "trainwright.toml; opens, schema version" in doctor.stdout
    assert PASSWORD not in doctor.stdout


def test_a_url_without_its_slashes_is_no_path(scene):
    scene.write("pipeline = make('found', 'root')")
    finished = scene.call("run", "pipeline.py", "--store", "postgres:/ada:secret@host/metadata")
    assert finished.returncode == 2
    assert "looks like a URL without its two slashes" in finished.stderr
    assert "secret" not in finished.stderr
    assert not (scene.directory / "postgres:").exists()
