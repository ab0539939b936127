"""Files by FTP and SFTP: content within bounds, nothing outside of the root folder, no server but the one meant."""

import asyncio
from base64 import b64encode
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from openplaybook.connectors.base import EntityQuery, SystemConnection
from openplaybook.connectors.errors import (
    EntityConflict,
    EntityNotFound,
    InvalidConnection,
    InvalidValue,
    PermissionRefused,
    SystemUnavailable,
    WriteInDoubt,
)
from openplaybook.connectors.plugins.base import MOST_BYTES
from openplaybook.connectors.settings import SshKey
from tests.integration.connectors.plugins.conftest import HOST_FINGERPRINT, file_peer
from tests.kit.cutting_proxy import cutting_proxy
from tests.kit.file_servers import PASSWORD, USER, USER_KEY, CountedCommands, ftp_server, sftp_server
from tests.kit.plugin_peers import PluginPeer, call


async def test_a_file_goes_up_and_comes_down(peer: PluginPeer, connection: SystemConnection) -> None:
    data = bytes(range(256)) * 300
    up = {"path": "in/a b'ü.bin", "contentBytes": b64encode(data).decode()}
    await connection.execute("UploadFile", up, call())
    [row] = (await connection.execute("DownloadFile", {"path": "in/a b'ü.bin"}, call())).rows
    assert (row["contentBytes"], row["size"], row["content"]) == (up["contentBytes"], len(data), None)
    with pytest.raises(EntityConflict, match="overwrite"):
        await connection.execute("UploadFile", {"path": "in/a b'ü.bin", "content": "new"}, call())
    await connection.execute("UploadFile", {"path": "in/a b'ü.bin", "content": "nëw", "overwrite": True}, call())
    [row] = (await connection.execute("DownloadFile", {"path": "in/a b'ü.bin"}, call())).rows
    assert row["content"] == "nëw"


async def test_files_are_moved_copied_and_put_in_folders(peer: PluginPeer, connection: SystemConnection) -> None:
    await peer.add(["ada"])
    await connection.execute("CreateFolder", {"path": "new"}, call())
    await connection.execute("CopyFile", {"path": "ada", "target": "new/ada"}, call())
    await connection.execute("MoveFile", {"path": "ada", "target": "new/bob"}, call())
    assert set(peer.held()) == {"in", "new", "new/ada", "new/bob"}
    with pytest.raises(EntityConflict):
        await connection.execute("MoveFile", {"path": "new/ada", "target": "new/bob"}, call())
    await connection.execute("MoveFile", {"path": "new/ada", "target": "new/bob", "overwrite": True}, call())
    with pytest.raises(EntityNotFound):
        await connection.execute("CopyFile", {"path": "new/ada", "target": "x"}, call())
    await connection.delete("Files", "in", call())
    assert set(peer.held()) == {"new", "new/bob"}


@pytest.mark.parametrize(
    "path", ["../out", "in/../../out", "in/./x", "in//x", "..", "a\\..\\out", "x\r\nDELE ada", "x\0"]
)
async def test_no_path_leads_out_of_the_root_folder(path: str, peer: PluginPeer, connection: SystemConnection) -> None:
    asked = peer.asked()
    for action in ("DownloadFile", "CreateFolder"):
        with pytest.raises(InvalidValue):
            await connection.execute(action, {"path": path}, call())
    with pytest.raises(InvalidValue):
        await connection.get("Files", path, (), call())
    with pytest.raises(InvalidValue):
        await connection.execute("MoveFile", {"path": "ada", "target": path}, call())
    assert peer.asked() == asked


async def test_a_file_above_the_limit_is_not_read(
    peer: PluginPeer, connection: SystemConnection, tmp_path: Path
) -> None:
    with (tmp_path / "files" / "large").open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    with pytest.raises(InvalidValue, match="limit"):
        await connection.execute("DownloadFile", {"path": "large"}, call())
    with pytest.raises(InvalidValue, match="limit"):
        await connection.execute("UploadFile", {"path": "x", "content": "x" * (MOST_BYTES + 1)}, call())


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


async def test_a_name_is_resolved_by_the_checked_resolver_alone(peer: PluginPeer, connection: SystemConnection) -> None:
    await connection.check(call())
    assert peer.access.resolver.asked == [("files.example", peer.settings.number("port", 0))]  # type: ignore[attr-defined]


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


async def test_a_private_address_is_refused_before_it_is_dialled(peer: PluginPeer) -> None:
    class Nowhere:
        async def resolve(self, host: str, port: int) -> tuple[str, ...]:
            await asyncio.sleep(0)
            raise OSError("no such name")

    peer.access = type(peer.access)(peer.access.transport, Nowhere())
    connection = await peer.opened()
    with pytest.raises(SystemUnavailable, match="has no address"):
        await connection.check(call())
