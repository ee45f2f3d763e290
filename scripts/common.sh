# Shared by quickstart.sh and test.sh, which source it with the repository as working directory.

BUILD_PACKAGES=(build-essential cmake ninja-build pkg-config libwebsockets-dev libjansson-dev
    libexpat1-dev libpng-dev libjpeg62-turbo-dev zlib1g-dev libdeflate-dev libhiredis-dev libssl-dev
    libcmocka-dev)
BROWSER_PACKAGES=(chromium chromium-headless-shell fonts-liberation)
TEST_PACKAGES=(clang libclang-rt-14-dev lld python3 python3-fastjsonschema python3-jsonschema python3-websockets procps libxml2-utils
    zsh fish mandoc redis-server)

# What tests/install needs beside these.
INSTALL_PACKAGES=(mmdebstrap debhelper dpkg-dev lintian openssl jq python3-yaml iproute2 curl)

# Prints progress on a terminal.
say() {
    if [ -t 2 ]; then
        printf '%s…\n' "$*" >&2
    fi
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        echo "This needs root: $*" >&2
        echo "Install sudo, or run that command as root and start again." >&2
        return 1
    fi
}

# quietly COMMAND…: shows the command's output only if it fails. Runs in a subshell, so that the traps are local.
quietly() (
    log=$(mktemp)
    trap 'rm -f "$log"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    if ! "$@" >"$log" 2>&1; then
        cat "$log" >&2
        echo "failed: $*" >&2
        exit 1
    fi
)

# Installs missing Debian packages.
packages_install() {
    local missing=() package
    for package in "$@"; do
        if ! dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed'; then
            missing+=("$package")
        fi
    done
    if [ "${#missing[@]}" -gt 0 ]; then
        say "installing ${missing[*]}"
        quietly as_root apt-get update -q
        quietly as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y \
            --no-install-recommends "${missing[@]}"
    fi
}

# build PRESET [OPTION…] [-- TARGET…]: configures and builds a preset of CMakePresets.json; without targets everything.
build() {
    local preset=$1 options=()
    shift
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    say "building $preset"
    quietly cmake --preset "$preset" "${options[@]}"
    quietly cmake --build --preset "$preset" ${2:+--target "${@:2}"}
}

# Installs the widget libraries that tests use, pinned by their lock file, into tests/widgets/node_modules.
widgets_install() {
    local place=tests/widgets
    if [ $place/package-lock.json -nt $place/node_modules/.package-lock.json ]; then
        command -v npm >/dev/null || packages_install nodejs npm
        say "installing the widget libraries of the tests"
        quietly npm ci --prefix $place --ignore-scripts --no-audit --no-fund
        touch $place/node_modules/.package-lock.json
    fi
}
