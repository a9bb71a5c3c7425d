"""A private server: who starts it, who stops it, and what is left after a kill."""

from __future__ import annotations

import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psycopg
import pytest

from lastro.errors import LastroError
from lastro.stores.postgres import Store, place
from lastro.stores.postgres.server import PrivateServer

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a private server needs Linux or macOS")
linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
root = pytest.mark.skipif(os.geteuid() != 0, reason="only root hands the server to another user")

USER = """
import sys, pathlib, time
from lastro.stores.postgres import Store
with Store.open(pathlib.Path(sys.argv[1])) as store:
    with store.transaction() as db:
        db.execute("SELECT count(*) FROM lastro.entry")
    print("in", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture(autouse=True)
def own_server(monkeypatch):
    monkeypatch.delenv("DATABASE_URL", raising=False)


@pytest.fixture
def folder():
    """A data folder that the server's user can walk to, also for root."""
    parent = Path(tempfile.mkdtemp(prefix="lastro-"))
    parent.chmod(0o755)
    yield parent / "data"
    shutil.rmtree(parent)


def processes(folder):
    """The processes that serve this data folder: keepers and servers."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes().decode()
            except OSError:
                continue
            if str(folder) in command and ("postgres\0-D" in command or "keeper.py" in command):
                found[int(entry.name)] = "keeper" if "keeper.py" in command else "server"
    return found


def gone(folder):
    """Whether all of them leave, given a while."""
    for _ in range(400):
        if not processes(folder):
            return True
        time.sleep(0.05)
    return False


def a_user(folder):
    """Another process that has the store open until it is told to leave."""
    return subprocess.Popen(
        [sys.executable, "-c", USER, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def entered(user):
    return user.stdout.readline() == "in\n"


def leave(user):
    user.communicate("\n", timeout=60)
    return user.returncode


def works(folder):
    with Store.open(folder) as store, store.transaction() as db:
        return db.execute("SELECT current_user").fetchone() == ("lastro_app",)


@linux
def test_the_server_is_up_while_it_is_used_and_down_when_the_last_user_has_left(folder):
    with Store.open(folder):
        assert sorted(processes(folder).values()) == ["keeper", "server"]
        with Store.open(folder):
            pass
        assert sorted(processes(folder).values()) == ["keeper", "server"]
    assert processes(folder) == {}
    assert works(folder)
    assert processes(folder) == {}


@linux
def test_many_processes_may_start_at_once(folder):
    users = [a_user(folder) for _ in range(4)]
    assert [entered(user) for user in users] == [True] * 4
    assert sorted(processes(folder).values()) == ["keeper", "server"]
    assert [leave(user) for user in users] == [0] * 4
    assert processes(folder) == {}


@linux
def test_a_killed_last_user_leaves_no_server_behind(folder):
    with a_user(folder) as user:
        assert entered(user)
        user.kill()
    assert gone(folder)
    assert works(folder)


@linux
def test_a_killed_user_takes_nothing_from_the_others(folder):
    with Store.open(folder) as store, a_user(folder) as user:
        assert entered(user)
        user.kill()
        user.wait()
        with store.transaction() as db:
            assert db.execute("SELECT 1").fetchone() == (1,)
    assert processes(folder) == {}


@linux
def test_a_child_that_outlives_its_killed_parent_keeps_no_server(folder):
    """A worker forked while the store is open is no user of the database."""
    script = USER.replace('print("in"', 'import os\n    if os.fork() == 0: time.sleep(600)\n    print("in"')
    with subprocess.Popen(
        [sys.executable, "-c", script, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as user:
        assert entered(user)
        user.kill()
        try:
            assert gone(folder)
        finally:
            os.killpg(user.pid, signal.SIGKILL)


@linux
@pytest.mark.parametrize("victims", [["keeper"], ["server"], ["keeper", "server"]])
def test_the_next_user_starts_anew_after_a_crash(folder, victims):
    with a_user(folder) as user:
        assert entered(user)
        for pid, what in processes(folder).items():
            if what in victims:
                os.kill(pid, signal.SIGKILL)
        user.kill()
    assert works(folder)
    assert gone(folder)


@linux
def test_the_next_user_starts_anew_while_an_earlier_one_still_hopes(folder):
    with a_user(folder) as user:
        assert entered(user)
        for pid in processes(folder):
            os.kill(pid, signal.SIGKILL)
        assert works(folder)
        user.kill()
    assert gone(folder)


@linux
def test_what_was_committed_survives_a_kill_of_everything(folder):
    with PrivateServer(folder) as server:
        with psycopg.connect(server.conninfo("lastro_owner")) as owner:
            owner.execute("CREATE SCHEMA kept CREATE TABLE note (word text)")
            owner.execute("INSERT INTO kept.note VALUES ('kept')")
        for pid in processes(folder):
            os.kill(pid, signal.SIGKILL)
    with PrivateServer(folder) as server, psycopg.connect(server.conninfo("lastro_owner")) as owner:
        assert owner.execute("SELECT word FROM kept.note").fetchall() == [("kept",)]


@linux
def test_a_note_left_by_a_crash_may_name_a_process_that_lives_by_now(folder):
    """After a restart of the machine the old process id may be anybody's; nobody must be stopped for it."""
    assert works(folder)
    served = place.place_of(folder)
    with subprocess.Popen(["sleep", "600"], **served.identity) as somebody:
        note = served.cluster / "postmaster.pid"
        note.write_text(f"{somebody.pid}\n{served.cluster}\n1\n5432\n{served.home}\n\n0 0\nready\n")
        served.give(note)
        assert works(folder)
        assert somebody.poll() is None
        somebody.kill()


@linux
def test_a_process_id_in_the_users_file_that_is_reused_is_no_user(folder):
    assert works(folder)
    with subprocess.Popen(["sleep", "600"]) as somebody:
        place.place_of(folder).home.joinpath("users").write_text(f"{somebody.pid} 1\n{2**22 + 1} 5\n")
        assert works(folder)
        assert processes(folder) == {}  # the last to leave waited: it counted nobody else
        somebody.kill()


def test_an_interrupted_creation_is_begun_again(folder):
    with PrivateServer(folder):
        pass
    home = place.place_of(folder).home
    (home / "cluster").rename(home / "cluster.new")
    (home / "cluster.new" / "PG_VERSION").unlink()
    assert works(folder)


def test_a_lost_password_is_told_with_what_to_do(folder):
    assert works(folder)
    (folder / "keys" / "postgres-lastro_app").unlink()
    with pytest.raises(LastroError, match="cópia de segurança"), Store.open(folder):
        pass
    assert gone(folder)


def test_the_socket_stands_in_a_short_folder_when_the_data_folder_is_deep(folder):
    deep = folder.joinpath(*["pasta-de-nome-comprido"] * 6)
    with PrivateServer(deep) as server:
        socket = server.place.socket_folder()
        assert len(os.fsencode(socket)) < 80
        assert not socket.is_relative_to(deep)
        assert stat.S_IMODE(socket.stat().st_mode) == 0o700
    assert works(deep)
    shutil.rmtree(socket)


def test_somebody_elses_short_folder_is_not_used(folder, monkeypatch):
    deep = folder.joinpath(*["pasta-de-nome-comprido"] * 6)
    served = place.Place(deep, deep)
    short = served.socket_folder()
    short.chmod(0o777)
    with pytest.raises(LastroError, match="não é uma pasta só do servidor"):
        served.socket_folder()
    short.rmdir()
    short.symlink_to(folder.parent)
    with pytest.raises(LastroError, match="não é uma pasta só do servidor"):
        served.socket_folder()
    short.unlink()


def test_nothing_is_open_to_others_and_no_network_is_listened_to(folder):
    before = [stat.S_IMODE(p.stat().st_mode) for p in folder.parents]
    with PrivateServer(folder) as server:
        assert stat.S_IMODE((folder / "keys").stat().st_mode) == 0o700
        assert {stat.S_IMODE(p.stat().st_mode) for p in (folder / "keys").iterdir()} == {0o600}
        for name in ("cluster", "socket"):
            assert stat.S_IMODE((server.place.home / name).stat().st_mode) == 0o700
        with psycopg.connect(server.conninfo()) as db:
            settings = {
                name: db.execute(f"SHOW {name}").fetchone()[0]
                for name in (
                    "listen_addresses",
                    "fsync",
                    "server_encoding",
                    "password_encryption",
                    "data_checksums",
                )
            }
            assert db.execute("SELECT datlocale FROM pg_database WHERE datname = 'lastro'").fetchone() == (
                "C.UTF-8",
            )
        assert settings == {
            "listen_addresses": "",
            "fsync": "on",
            "server_encoding": "UTF8",
            "password_encryption": "scram-sha-256",
            "data_checksums": "on",
        }
        for wrong in ({"password": "x"}, {"user": "postgres"}):
            with pytest.raises(psycopg.OperationalError):
                psycopg.connect(server.conninfo(), **wrong)
    assert [stat.S_IMODE(p.stat().st_mode) for p in folder.parents] == before


def test_variables_of_another_server_do_not_disturb(folder, monkeypatch):
    for name, value in {
        "PGDATA": "/nowhere",
        "PGPORT": "1",
        "PGHOST": "nowhere",
        "PGOPTIONS": "-c x=y",
    }.items():
        monkeypatch.setenv(name, value)
    assert works(folder)


def test_destroy_leaves_no_database(folder):
    with Store.open(folder), pytest.raises(LastroError, match="em uso"):
        place.destroy(folder)
    place.destroy(folder)
    assert not (folder / "postgres").exists()
    assert works(folder)


@root
def test_as_root_the_server_runs_as_a_user_of_its_own(folder):
    with PrivateServer(folder) as server:
        owner = server.place.cluster.stat().st_uid
        assert owner == server.place.user != 0
        if sys.platform == "linux":
            (pid,) = [pid for pid, what in processes(folder).items() if what == "server"]
            assert Path(f"/proc/{pid}").stat().st_uid == owner


@root
def test_as_root_a_closed_folder_stays_closed_and_the_database_stands_elsewhere(folder, monkeypatch, caplog):
    state = folder.parent / "state"
    monkeypatch.setattr(place, "STATE", state)
    folder.mkdir()
    folder.chmod(0o700)
    with PrivateServer(folder) as server:
        home = server.place.home
        assert home.parent == state
    assert str(home) in caplog.text
    assert (folder / "postgres.home").read_text() == f"{home}\n"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    with PrivateServer(folder) as again:
        assert again.place.home == home
    home.rename(folder.parent / "away")
    with pytest.raises(LastroError, match="não está lá"):
        PrivateServer(folder)
    (folder.parent / "away").rename(home)
    (folder / "postgres.home").unlink()
    caplog.clear()
    with PrivateServer(folder) as anew:
        assert anew.place.home not in (home, folder / "postgres")
        assert f"anterior desta mesma pasta está em {home}" in caplog.text
    assert home.exists()
    place.destroy(folder)
    assert list(state.iterdir()) == []


@root
def test_as_root_closed_programs_are_copied_for_the_servers_user(folder, monkeypatch):
    closed, package = folder.parent / "closed", place._wheel().parent
    for part in (package, package.with_name(f"{package.name}.libs")):
        if part.is_dir():
            shutil.copytree(part, closed / part.name, symlinks=True)
    closed.chmod(0o700)
    monkeypatch.setattr(place, "_wheel", lambda: closed / package.name / "pginstall")
    with PrivateServer(folder) as server:
        assert server.place.programs.is_relative_to(folder)
    assert works(folder)
    assert stat.S_IMODE(closed.stat().st_mode) == 0o700


def test_a_folder_of_somebody_else_is_told(folder):
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    folder.mkdir(mode=0o500)
    for closed in (folder, folder / "more"):
        with pytest.raises(LastroError, match="--data"):
            PrivateServer(closed)


def test_a_data_folder_that_cannot_be_one_is_told(folder):
    folder.write_text("a file")
    with pytest.raises(LastroError, match="--data"):
        PrivateServer(folder / "data")


def test_windows_is_told_to_name_a_server(folder, monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(LastroError, match="DATABASE_URL"), Store.open(folder):
        pass
