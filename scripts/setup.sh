#!/usr/bin/env bash
# Makes .venv with what running (`run`, and extras by name) or developing (`dev`) needs, and the console's files, unless
# all that is there already.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/environment.sh
source scripts/console.sh

kind=${1:-dev}
shift || true
case $kind in
    run | dev) check_extras "$@" ;;
    *) echo "setup.sh: '$kind' is not a set-up; allowed: run, dev" >&2; exit 2 ;;
esac

make_environment .venv
# An environment for developing has every extra, and stays one.
if [ "$kind" = dev ] || [ -f .venv/dev.stamp ]; then names=(dev); else mapfile -t names < <(wanted .venv "$@"); fi
bring_up .venv "${names[@]}"
parts=(pyproject.toml hatch_build.py build_api src/openplaybook/wire/protos requirements/build.txt)
if ! same .venv/package.stamp "$(code "${parts[@]}")"; then
    say "Building the API's descriptors and installing openplaybook itself"
    build_with .venv -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e .
    code "${parts[@]}" > .venv/package.stamp
    changed=yes
fi
bring_up_console .venv
if [ -n "$changed" ]; then
    say "Set-up is complete ($SECONDS s, $(du -sm .venv | cut -f 1) MB): .venv/bin/openplaybook --help"
else
    say "Set-up is up to date."
fi
