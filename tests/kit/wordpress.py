"""A real WordPress for tests: PHP's own web server over a MariaDB, both on loopback."""

import contextlib
import shutil
import subprocess
import tempfile
import time
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.kit.mariadb import MariadbServer, running_mariadb
from tests.kit.ports import free_ports

MISSING = "WordPress is not installed here (apt-get install wordpress php-cli php-mysql)"
SOURCES = Path("/usr/share/wordpress")
USER = "editor"
_START_S = 60.0
_CONFIG = """<?php
define('DB_NAME', 'wordpress');
define('DB_USER', 'wordpress');
define('DB_PASSWORD', 'word');
define('DB_HOST', 'localhost:{socket}');
define('DB_CHARSET', 'utf8mb4');
define('WP_HOME', 'http://127.0.0.1:{port}');
define('WP_SITEURL', 'http://127.0.0.1:{port}');
// Application passwords are there without TLS on such a machine alone.
define('WP_ENVIRONMENT_TYPE', 'local');
define('DISABLE_WP_CRON', true);
define('AUTOMATIC_UPDATER_DISABLED', true);
define('WP_HTTP_BLOCK_EXTERNAL', true);
$table_prefix = 'wp_';
if (!defined('ABSPATH')) {{ define('ABSPATH', __DIR__ . '/'); }}
require_once ABSPATH . 'wp-settings.php';
"""
_INSTALL = """<?php
define('WP_INSTALLING', true);
$_SERVER['HTTP_HOST'] = '127.0.0.1:{port}';
require __DIR__ . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
add_filter('pre_wp_mail', '__return_true');
wp_install('Shop', 'editor', 'editor@example.com', true, '', 'unused-Password-1');
update_option('permalink_structure', '/%postname%/');
$made = WP_Application_Passwords::create_new_application_password(1, array('name' => 'tests'));
echo $made[0];
"""


@dataclass(frozen=True, slots=True)
class WordpressSite:
    """A site with one user, who may do everything."""

    port: int
    password: str
    """An application password of `USER`."""


@contextlib.contextmanager
def running_wordpress() -> Generator[WordpressSite]:
    """A site of its own; skips where WordPress, PHP or MariaDB is not installed."""
    php = shutil.which("php")
    if php is None or not (SOURCES / "wp-load.php").exists():
        pytest.skip(MISSING)
    with running_mariadb() as database, tempfile.TemporaryDirectory(prefix="openplaybook-wordpress-") as place:
        [port] = free_ports(1)
        folder = Path(place) / "site"
        _lay_out(folder, database, port)
        installed = subprocess.run(
            [php, "install.php"], cwd=folder, capture_output=True, text=True, timeout=_START_S, check=False
        )
        assert installed.returncode == 0, installed.stdout[-2000:] + installed.stderr[-2000:]
        password = installed.stdout.strip().splitlines()[-1]
        (folder / "install.php").unlink()
        with (Path(place) / "log").open("wb") as log:
            server = subprocess.Popen(
                [php, "-S", f"127.0.0.1:{port}", "-t", str(folder)], cwd=folder, stdout=log, stderr=log
            )
            try:
                _await(server, port, Path(place) / "log")
                yield WordpressSite(port, password)
            finally:
                server.terminate()
                server.wait(_START_S)


def _lay_out(folder: Path, database: MariadbServer, port: int) -> None:
    shutil.copytree(SOURCES, folder, ignore=shutil.ignore_patterns("wp-config.php", "languages"))
    (folder / "wp-content" / "languages").mkdir(parents=True, exist_ok=True)
    socket = database.folder / "socket"
    (folder / "wp-config.php").write_text(_CONFIG.format(socket=socket, port=port), encoding="utf-8")
    (folder / "install.php").write_text(_INSTALL.replace("{port}", str(port)), encoding="utf-8")
    database.sql(
        "CREATE DATABASE wordpress CHARACTER SET utf8mb4",
        "CREATE USER wordpress@localhost IDENTIFIED BY 'word'",
        "GRANT ALL ON wordpress.* TO wordpress@localhost",
    )


def _await(server: "subprocess.Popen[bytes]", port: int, log: Path) -> None:
    import http.client

    give_up = time.monotonic() + _START_S
    while True:
        if server.poll() is not None or time.monotonic() > give_up:
            raise RuntimeError(log.read_text(encoding="utf-8", errors="replace")[-2000:])
        with contextlib.suppress(OSError):
            link = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            link.request("GET", "/wp-json/")
            if link.getresponse().status == 200:
                return
        time.sleep(0.05)
