#!/bin/sh
# Makes .venv with what running (`run`) or developing (`dev`) needs. Does nothing when that is there already.
set -eu
cd "$(dirname "$0")/.."
kind=${1:-dev}
case $kind in
    run) requirements="requirements/run.txt requirements/build.txt" ;;
    dev) requirements="requirements/dev.txt" ;;
    *) echo "setup.sh: '$kind' is not a set-up; allowed: run, dev" >&2; exit 2 ;;
esac

say() { printf '==> %s\n' "$*"; }
fail() { printf 'Set-up failed: %s\n' "$*" >&2; exit 1; }

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

find_python() {
    for candidate in ${PYTHON:-} python3 python3.13 python3.12 python3.11 python3.14; do
        if new_enough "$candidate"; then command -v "$candidate"; return; fi
    done
}

apt_install() {
    command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ] || return 1
    say "Installing $* with apt-get"
    # A stale package list is the usual reason for a failed install; one that cannot be refreshed may still do.
    apt-get update -qq || say "apt-get update failed; going on with the package lists that are here"
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

make_environment() {
    python=$(find_python)
    if [ -z "$python" ]; then
        apt_install python3 python3-venv || true
        python=$(find_python)
    fi
    [ -n "$python" ] || fail "no Python 3.11 or newer found. Install one, or name it: PYTHON=/path/to/python make setup"
    say "Making .venv with $("$python" --version) ($python)"
    if ! "$python" -m venv --clear .venv >/dev/null 2>&1; then
        apt_install python3-venv || fail "$python cannot make environments. Debian and Ubuntu: apt-get install python3-venv"
        "$python" -m venv --clear .venv
    fi
}

# Installs a requirements file and tells how far it is; of what pip says, errors are passed on.
install() {
    say "Installing the packages of $1"
    {
        .venv/bin/python -m pip install --progress-bar off --disable-pip-version-check --require-hashes -r "$1" 2>&1 ||
            echo FAILED
    } | awk '
        $0 == "FAILED" { failed = 1; next }
        /^ *(ERROR|error):/ { said = 1 }
        said { print > "/dev/stderr" }
        /^(Collecting|Processing) / && ++found % 25 == 0 { print "    " found " fetched"; fflush() }
        /^Installing collected packages/ { print "    unpacking"; fflush() }
        END { exit failed }'
}

# What an installation depends on; it is repeated when any of it changes.
fingerprint() {
    { cat $requirements; echo "$PWD"; .venv/bin/python --version; } | cksum
}
package_fingerprint() {
    find pyproject.toml hatch_build.py build_api src/openplaybook/wire/protos requirements/build.txt \
        -type f ! -name '*.pyc' -exec cksum {} + 2>/dev/null | LC_ALL=C sort | cksum
    [ -s src/openplaybook/wire/_generated/api.binpb ] || echo "no descriptor set"
}
same() { [ -f ".venv/$1.stamp" ] && [ "$(cat ".venv/$1.stamp")" = "$2" ]; }

started=$(date +%s)
[ -x .venv/bin/python ] && new_enough .venv/bin/python && .venv/bin/python -m pip --version >/dev/null 2>&1 || make_environment

installed=
case $kind in run) [ -f .venv/dev.stamp ] && kind=dev && requirements="requirements/dev.txt" ;; esac
if ! same "$kind" "$(fingerprint)"; then
    rm -f ".venv/$kind.stamp" .venv/package.stamp
    for file in $requirements; do
        install "$file" || fail "pip could not install $file; its message is above ('from versions: none': no package index was reached)"
    done
    fingerprint > ".venv/$kind.stamp"
    installed=yes
fi
if ! same package "$(package_fingerprint)"; then
    say "Building the API's descriptors and installing openplaybook itself"
    .venv/bin/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e . ||
        fail "openplaybook could not be built; the message is above"
    package_fingerprint > .venv/package.stamp
    installed=yes
fi
if [ -n "$installed" ]; then
    say "Set-up is complete ($(($(date +%s) - started)) s): .venv/bin/openplaybook --help"
else
    say "Set-up is up to date."
fi
