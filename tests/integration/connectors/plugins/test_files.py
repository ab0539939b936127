"""Files by FTP and SFTP: content within bounds, nothing outside of the root folder, no server but the one meant."""

import asyncio
from base64 import b64encode
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from openplaybook.connectors.base import EntityQuery, SystemConnection
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import (
    EntityConflict,
    EntityNotFound,
    InvalidConnection,
    InvalidValue,
    PermissionRefused,
    SystemFault,
    SystemUnavailable,
    WriteInDoubt,
)
from openplaybook.connectors.plugins.base import MOST_BYTES
from openplaybook.connectors.plugins.systems import open_plugin
from openplaybook.connectors.settings import ConfigValue, ConnectionSettings, SshKey, UserPassword
from tests.integration.connectors.plugins.conftest import HOST_FINGERPRINT, file_peer
from tests.kit.cutting_proxy import cutting_proxy
from tests.kit.file_servers import PASSWORD, USER, USER_KEY, CountedCommands, ftp_server, sftp_server
from tests.kit.plugin_peers import NAME, LoopbackNames, PluginPeer, call, stalling_proxy
from tests.kit.secure_ftp import SecureFtp, secure_ftp
from tests.kit.sql_databases import NoTransport


@pytest.fixture
async def file_connection(file_system: PluginPeer, stack: AsyncExitStack) -> SystemConnection:
    """An opened connection."""
    opened = await file_system.opened()
    stack.push_async_callback(opened.aclose)
    return opened


async def test_a_file_goes_up_and_comes_down(file_system: PluginPeer, file_connection: SystemConnection) -> None:
    data = bytes(range(256)) * 300
    up = {"path": "in/a b'ü.bin", "contentBytes": b64encode(data).decode()}
    await file_connection.execute("UploadFile", up, call())
    [row] = (await file_connection.execute("DownloadFile", {"path": "in/a b'ü.bin"}, call())).rows
    assert (row["contentBytes"], row["size"], row["content"]) == (up["contentBytes"], len(data), None)
    with pytest.raises(EntityConflict, match="overwrite"):
        await file_connection.execute("UploadFile", {"path": "in/a b'ü.bin", "content": "new"}, call())
    await file_connection.execute("UploadFile", {"path": "in/a b'ü.bin", "content": "nëw", "overwrite": True}, call())
    [row] = (await file_connection.execute("DownloadFile", {"path": "in/a b'ü.bin"}, call())).rows
    assert row["content"] == "nëw"


async def test_files_are_moved_copied_and_put_in_folders(
    file_system: PluginPeer, file_connection: SystemConnection
) -> None:
    await file_system.add(["ada"])
    await file_connection.execute("CreateFolder", {"path": "new"}, call())
    await file_connection.execute("CopyFile", {"path": "ada", "target": "new/ada"}, call())
    await file_connection.execute("MoveFile", {"path": "ada", "target": "new/bob"}, call())
    assert set(file_system.held()) == {"in", "new", "new/ada", "new/bob"}
    with pytest.raises(EntityConflict):
        await file_connection.execute("MoveFile", {"path": "new/ada", "target": "new/bob"}, call())
    await file_connection.execute("MoveFile", {"path": "new/ada", "target": "new/bob", "overwrite": True}, call())
    with pytest.raises(EntityNotFound):
        await file_connection.execute("CopyFile", {"path": "new/ada", "target": "x"}, call())
    await file_connection.delete("Files", "in", call())
    assert set(file_system.held()) == {"new", "new/bob"}


async def test_a_file_is_not_moved_onto_itself(file_system: PluginPeer, file_connection: SystemConnection) -> None:
    await file_system.add(["ada"])
    for action in ("MoveFile", "CopyFile"):
        with pytest.raises(InvalidValue, match="is the path itself"):
            await file_connection.execute(action, {"path": "ada", "target": "/ada/", "overwrite": True}, call())
    assert "ada" in file_system.held()


@pytest.mark.parametrize(
    "path", ["../out", "in/../../out", "in/./x", "in//x", "..", "a\\..\\out", "x\r\nDELE ada", "x\0"]
)
async def test_no_path_leads_out_of_the_root_folder(
    path: str, file_system: PluginPeer, file_connection: SystemConnection
) -> None:
    asked = file_system.asked()
    for action in ("DownloadFile", "CreateFolder"):
        with pytest.raises(InvalidValue):
            await file_connection.execute(action, {"path": path}, call())
    with pytest.raises(InvalidValue):
        await file_connection.get("Files", path, (), call())
    with pytest.raises(InvalidValue):
        await file_connection.execute("MoveFile", {"path": "ada", "target": path}, call())
    assert file_system.asked() == asked


async def test_a_file_above_the_limit_is_not_read(
    file_system: PluginPeer, file_connection: SystemConnection, tmp_path: Path
) -> None:
    with (tmp_path / "files" / "large").open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    with pytest.raises(InvalidValue, match="limit"):
        await file_connection.execute("DownloadFile", {"path": "large"}, call())
    with pytest.raises(InvalidValue, match="limit"):
        await file_connection.execute("UploadFile", {"path": "x", "content": "x" * (MOST_BYTES + 1)}, call())


async def test_a_server_without_mlsd_is_listed_all_the_same(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    commands = CountedCommands()
    with ftp_server(folder, commands, without_mlsd=True) as port:
        peer = file_peer(folder, port, commands, protocol="ftp")
        await peer.add(["ada", "in/a b"])
        connection = await peer.opened()
        found = (await connection.list(EntityQuery("Files", fields=("size", "isFolder")), call())).entities
    assert [each.key for each in found] == ["ada", "in", "in/a b"]
    assert found[2].fields == {"size": 12, "isFolder": False}


async def test_a_write_whose_answer_is_lost_is_in_doubt(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    commands = CountedCommands()
    with ftp_server(folder, commands) as port:
        async with cutting_proxy(port) as proxy:
            peer = file_peer(folder, proxy.port, commands, protocol="ftp")
            connection = await peer.opened()
            # Greeting, USER and PASS are answered, the write is not.
            proxy.cut("answer", 3)
            with pytest.raises(WriteInDoubt):
                await connection.execute("CreateFolder", {"path": "new"}, call())


async def test_a_name_is_resolved_by_the_checked_resolver_alone(
    file_system: PluginPeer, file_connection: SystemConnection
) -> None:
    await file_connection.check(call())
    assert file_system.access.resolver.asked == [("files.example", file_system.settings.number("port", 0))]  # type: ignore[attr-defined]


async def test_links_lead_nowhere_outside(tmp_path: Path, stack: AsyncExitStack) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    (tmp_path / "secret").write_text("word")
    commands = CountedCommands()
    port = await stack.enter_async_context(sftp_server(folder, commands))
    peer = file_peer(folder, port, commands, protocol="sftp", root=str(folder), host_key=HOST_FINGERPRINT)
    (folder / "link").symlink_to(tmp_path / "secret")
    (folder / "up").symlink_to(tmp_path)
    connection = await peer.opened()
    for path in ("link", "up/secret"):
        with pytest.raises(PermissionRefused):
            await connection.execute("DownloadFile", {"path": path}, call())
        with pytest.raises(PermissionRefused):
            await connection.execute("UploadFile", {"path": path, "content": "x", "overwrite": True}, call())
    assert (tmp_path / "secret").read_text() == "word"


async def test_a_server_with_another_key_learns_no_password(tmp_path: Path, stack: AsyncExitStack) -> None:
    commands = CountedCommands()
    port = await stack.enter_async_context(sftp_server(tmp_path, commands))
    other = "SHA256:" + "A" * 43
    peer = file_peer(tmp_path, port, commands, protocol="sftp", root=str(tmp_path), host_key=other)
    connection = await peer.opened()
    with pytest.raises(PermissionRefused, match="host_key"):
        await connection.check(call())
    assert not commands.lines
    with pytest.raises(InvalidConnection, match="host_key"):
        await peer.opened(peer.configured(host_key=""))
    trusting = await peer.opened(peer.configured(host_key="", trust_any_host_key=True))
    await trusting.check(call())


async def test_a_key_proves_a_user_of_sftp(tmp_path: Path, stack: AsyncExitStack) -> None:
    commands = CountedCommands()
    port = await stack.enter_async_context(sftp_server(tmp_path, commands))
    peer = file_peer(tmp_path, port, commands, protocol="sftp", root=str(tmp_path), host_key=HOST_FINGERPRINT)
    pem = USER_KEY.export_private_key("pkcs8-pem").decode()
    connection = await peer.opened(peer.with_login(SshKey(USER, pem)))
    await connection.check(call())
    assert f"password {PASSWORD}" not in commands.lines
    broken = await peer.opened(peer.with_login(SshKey(USER, "no key")))
    with pytest.raises(InvalidConnection):
        await broken.check(call())


async def test_a_private_address_is_refused_before_it_is_dialled(file_system: PluginPeer) -> None:
    class Nowhere:
        async def resolve(self, host: str, port: int) -> tuple[str, ...]:
            await asyncio.sleep(0)
            raise OSError("no such name")

    file_system.access = type(file_system.access)(file_system.access.transport, Nowhere())
    connection = await file_system.opened()
    with pytest.raises(SystemUnavailable, match="has no address"):
        await connection.check(call())


async def test_a_server_that_falls_silent_in_the_middle_is_not_waited_for(file_system: PluginPeer) -> None:
    async with stalling_proxy(file_system.settings.number("port", 0)) as proxy:
        connection = await file_system.opened(file_system.configured(port=proxy.port))
        await connection.check(call())
        for passed in (2_500, 700, 60) if file_system.settings.text("protocol") == "sftp" else (150, 90, 10):
            proxy.stall(passed)
            with pytest.raises((SystemUnavailable, WriteInDoubt)):
                await connection.execute("UploadFile", {"path": "x", "content": "x", "overwrite": True}, call(0.3))


@pytest.mark.parametrize(
    "listing",
    [
        b"type=file;size=\xc2\xb2; a\r\n",
        b"type=file;size=" + b"9" * 5_000 + b"; a\r\n",
        b"\xff\xfe\r\n\r\n;;;\r\ntype=file; ../x\r\ntype=dir; a/b\r\ntype=file;modify=99999999999999; a\r\n",
    ],
)
async def test_what_a_server_lists_is_taken_or_left(listing: bytes) -> None:
    with secure_ftp(SecureFtp(None, listing=listing)) as server:
        config: dict[str, ConfigValue] = {"host": "files.example", "port": server.port, "protocol": "ftp"}
        login = UserPassword("clerk", "s3cret-w0rd")
        access = SystemAccess(NoTransport(), LoopbackNames())
        connection = await open_plugin(ConnectionSettings(NAME, "ftp", config, login), access)
        page = await connection.list(EntityQuery("Files"), call())
        assert [(each.key, each.fields["size"]) for each in page.entities] == [("a", None)]
        server.listing = b"type=file; x\r\n" * 300_000
        with pytest.raises((InvalidValue, SystemFault)):
            await connection.list(EntityQuery("Files"), call())
        with pytest.raises(InvalidConnection, match="line break"):
            await open_plugin(ConnectionSettings(NAME, "ftp", config, UserPassword("u\r\nDELE x", "p")), access)
