"""A metadata store of another package, which an entry point names by the scheme of its URL."""

import subprocess
import sys

import pytest

from trainwright.metadata.connection import open_store
from trainwright.metadata.store import MetadataError
from trainwright.testing.store_contract import MetadataStoreContract

TINY_STORE = """
from trainwright.metadata.sql_store import SqlMetadataStore


class TinyStore(SqlMetadataStore):
    pass


def open_tiny(url, *, create):
    return TinyStore("sqlite:///" + url.partition("://")[2], create=create)


def open_nothing(url, *, create):
    return None
"""


@pytest.fixture
def install(install_package):
    """Installs a package whose entry points are functions of the module `tiny_store`."""

    def install(**functions):
        offered = {scheme: f"tiny_store:{name}" for scheme, name in functions.items()}
        install_package(
            "tiny-store", {"trainwright.metadata_stores": offered}, tiny_store=TINY_STORE
        )

    return install


class TestStoreOfAnotherPackage(MetadataStoreContract):
    @pytest.fixture
    def store_url(self, tmp_path, install):
        install(tiny="open_tiny")
        return f"tiny://{tmp_path}/metadata.db"


def test_a_pipeline_and_the_command_line_use_it(tmp_path, monkeypatch, install):
    install(tiny="open_tiny")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    script = tmp_path / "pipeline.py"
    script.write_text(
        "from trainwright import LocalDagRunner, OutputDict, Pipeline, component\n"
        "@component\n"
        "def count() -> OutputDict(number=int):\n"
        "    return {'number': 3}\n"
        "pipeline = Pipeline(pipeline_name='p', pipeline_root='root', components=[count()])\n"
    )
    url = f"tiny://{tmp_path}/metadata.db"
    command = [sys.executable, "-c", "from trainwright.cli.main import main; main()"]
    finished = [
        subprocess.run([*command, *words], cwd=tmp_path, capture_output=True, text=True)
        for words in (["run", "pipeline.py", "--store", url], ["runs"])
    ]
    assert [one.returncode for one in finished] == [0, 0], finished
    assert f"Store: {url}" in finished[1].stderr
    assert "complete" in finished[1].stdout


def test_a_scheme_that_nobody_offers_names_those_that_are(install):
    install(tiny="open_tiny", void="open_nothing")
    with pytest.raises(MetadataError, match=r"tinny://\w+:\*\*\*@h.*offer \(tiny, void\)"):
        open_store("tinny://me:secret@h/db")


def test_what_is_not_a_store_is_refused(install):
    install(void="open_nothing", broken="no_such_function")
    with pytest.raises(MetadataError, match="'void'.*as a NoneType: expected a MetadataStore"):
        open_store("void://here")
    with pytest.raises(MetadataError, match="tiny_store:no_such_function of tiny-store.*Reinstall"):
        open_store("broken://here")
