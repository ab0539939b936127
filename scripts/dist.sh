#!/usr/bin/env bash
# Builds the source distribution and the wheel into dist/, with the packages that requirements/build.txt pins.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/environment.sh
source scripts/console.sh
[ ! -d console ] || [ -f "$CONSOLE_BUILT/index.html" ] || fail "a distribution contains the console, and it could not be built here"
rm -f dist/openplaybook-*
build_with .venv -m hatchling build -t sdist -t wheel -d dist
say "Built: $(printf '%s ' dist/openplaybook-*)"
