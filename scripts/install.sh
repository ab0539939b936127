#!/usr/bin/env bash
# Installs the command `openplaybook` for this user, in an environment of its own, with extras by name; or removes both.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/environment.sh
source scripts/console.sh

app=${XDG_DATA_HOME:-$HOME/.local/share}/openplaybook-app
environment=$app/venv
bin=$HOME/.local/bin
action=${1:-install}
shift || true

is_ours() { [ "$(readlink "$bin/openplaybook")" = "$environment/bin/openplaybook" ]; }

uninstall() {
    rm -rf "$app"
    if is_ours; then rm "$bin/openplaybook"; fi
    say "openplaybook is removed. Its data are kept: ${XDG_DATA_HOME:-$HOME/.local/share}/openplaybook"
}

install() {
    local package parts=(pyproject.toml hatch_build.py build_api src)
    [ ! -d console ] || parts+=(console/src console/package-lock.json)
    check_extras "$@"
    if [ -e "$bin/openplaybook" ] && ! is_ours; then fail "$bin/openplaybook is not ours; remove it first"; fi
    mkdir -p "$app" "$bin"
    make_environment "$environment"
    mapfile -t names < <(wanted "$environment" "$@")
    bring_up "$environment" "${names[@]}"
    package=$(code "${parts[@]}")
    if ! same "$environment/package.stamp" "$package"; then
        say "Building the API's descriptors and installing openplaybook itself"
        rm -rf "$environment/wheel"
        if [ -d console ]; then
            build_with "$environment" -m build_api > /dev/null
            bring_up_console "$environment"
        fi
        build_with "$environment" -m hatchling build -t wheel -d "$environment/wheel"
        pip_in "$environment" install -qq --no-deps --no-index --force-reinstall "$environment"/wheel/*.whl ||
            fail "the wheel could not be installed; the message is above"
        code "${parts[@]}" > "$environment/package.stamp"
    fi
    ln -sfn "$environment/bin/openplaybook" "$bin/openplaybook"
    say "openplaybook is installed ($(du -sm "$app" | cut -f 1) MB): $bin/openplaybook"
    case ":$PATH:" in
        *":$bin:"*) ;;
        *) say "$bin is not on your PATH: export PATH=$bin:\$PATH" ;;
    esac
}

case $action in
    install | uninstall) "$action" "$@" ;;
    *) echo "install.sh: '$action' is neither install nor uninstall" >&2; exit 2 ;;
esac
