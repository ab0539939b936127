#!/usr/bin/env bash
# Runs the tests. Arguments go to pytest; without any the whole suite runs and the requirements ledger is closed.
# Folders are run by several workers; single files, a choice of marks and a debugger by one process.
set -euo pipefail
cd "$(dirname "$0")/.."

node_is_new_enough() {
    command -v npm >/dev/null 2>&1 && node -e 'process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)'
}

# Google's Node client, for the end-to-end tests; they skip themselves without it (and fail in CI).
prepare_node() {
    folder=tests/e2e/node
    [ -f "$folder/package-lock.json" ] || return 0
    if ! node_is_new_enough && command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
        printf '==> Installing nodejs and npm with apt-get\n'
        apt-get update -qq || true
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends nodejs npm >/dev/null || true
    fi
    if ! node_is_new_enough; then
        printf '==> Node 18 or newer is not here: the tests with the Node client are skipped\n'
        return 0
    fi
    stamp="$folder/node_modules/.stamp"
    wanted=$(cksum < "$folder/package-lock.json")
    [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ] && return 0
    printf '==> Installing the Node client (npm ci)\n'
    if ! npm ci --prefix "$folder" --no-audit --no-fund --loglevel=error; then
        printf '==> The Node client could not be installed: its tests are skipped\n' >&2
        return 0
    fi
    printf '%s\n' "$wanted" > "$stamp"
}

has_postgres() {
    ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null 2>&1
}

# PostgreSQL, for the store of many servers; its tests skip themselves without it (and fail in CI).
prepare_postgres() {
    has_postgres && return 0
    if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
        printf '==> Installing postgresql with apt-get\n'
        apt-get update -qq || true
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql >/dev/null || true
    fi
    has_postgres || printf '==> PostgreSQL is not here: the tests with it are skipped\n'
}

has_mariadb() {
    command -v mariadbd >/dev/null 2>&1 || [ -x /usr/sbin/mariadbd ]
}

# MariaDB, for connections to it; its tests skip themselves without it (and fail in CI).
prepare_mariadb() {
    has_mariadb && return 0
    if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
        printf '==> Installing mariadb-server with apt-get\n'
        apt-get update -qq || true
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends mariadb-server >/dev/null || true
    fi
    has_mariadb || printf '==> MariaDB is not here: the tests with it are skipped\n'
}

has_wordpress() {
    command -v php >/dev/null 2>&1 && [ -f /usr/share/wordpress/wp-load.php ]
}

# WordPress on PHP, for the test of its connector; it skips itself without them (and fails in CI).
prepare_wordpress() {
    has_wordpress && return 0
    if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
        printf '==> Installing wordpress and php with apt-get\n'
        apt-get update -qq || true
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
            wordpress php-cli php-mysql php-mbstring php-xml >/dev/null || true
    fi
    has_wordpress || printf '==> WordPress is not here: the tests with it are skipped\n'
}

has_browser() {
    command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1 ||
        command -v google-chrome >/dev/null 2>&1
}

# A browser, for pages of other origins; its tests skip themselves without it (and fail in CI).
prepare_browser() {
    has_browser && return 0
    if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
        printf '==> Installing chromium with apt-get\n'
        apt-get update -qq || true
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null || true
    fi
    has_browser || printf '==> Chromium is not here: the tests with it are skipped\n'
}

# Another day for servers over data of an older version; their tests skip themselves without it (and fail in CI).
prepare_clock() {
    ls /usr/lib/*/faketime/libfaketimeMT.so.1 >/dev/null 2>&1 && return 0
    if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
        printf '==> Installing faketime with apt-get\n'
        apt-get update -qq || true
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends faketime >/dev/null || true
    fi
    ls /usr/lib/*/faketime/libfaketimeMT.so.1 >/dev/null 2>&1 ||
        printf '==> libfaketime is not here: the tests over data of older versions are skipped\n'
}

# Tests make thousands of small databases, each of which waits for the disk several times: they are in memory where
# there is enough of it for all that a run keeps at a time, and where programs can be run from there. Whole runs, which
# keep more, are on the disk.
folder_in_memory() {
    folder=/dev/shm needed_kb=2000000
    [ "${OPENPLAYBOOK_WHOLE:-}" != 1 ] || return 1
    [ "$(df --output=avail -k $folder 2>/dev/null | tail -n 1)" -ge $needed_kb ] 2>/dev/null || return 1
    [ "$(awk '/^MemAvailable/ {print $2}' /proc/meminfo)" -ge $((2 * needed_kb)) ] 2>/dev/null || return 1
    program=$(mktemp "$folder/openplaybook-XXXXXX" 2>/dev/null) || return 1
    printf '#!/bin/sh\n' > "$program"
    chmod +x "$program"
    status=0
    "$program" 2>/dev/null || status=1
    rm -f "$program"
    return $status
}

for_workers() {
    for argument in "$@"; do
        case $argument in
            -n* | --numprocesses* | -m* | -s | --pdb | --trace | *.py | *::*) return 1 ;;
        esac
    done
}

# Without compiled files each of the many processes that tests start would compile the whole product.
unset PYTHONDONTWRITEBYTECODE
[ -n "${PYTEST_DEBUG_TEMPROOT:-}" ] || ! folder_in_memory || export PYTEST_DEBUG_TEMPROOT=/dev/shm
how=(--durations=20 --durations-min=1 --budgets)
! for_workers "$@" || how+=(-n "${OPENPLAYBOOK_TEST_WORKERS:-3}" --dist loadscope)
[ "$#" -gt 0 ] || prepare_node
[ "$#" -gt 0 ] || prepare_postgres
[ "$#" -gt 0 ] || prepare_mariadb
[ "$#" -gt 0 ] || prepare_wordpress
[ "$#" -gt 0 ] || prepare_browser
[ "$#" -gt 0 ] || prepare_clock
if .venv/bin/python -m pytest "${how[@]}" "$@"; then
    printf '==> All tests passed.\n'
else
    status=$?
    printf '==> Tests failed (pytest exit code %s); the list is above.\n' "$status" >&2
    exit "$status"
fi
