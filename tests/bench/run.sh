#!/bin/sh
# Measures browser-runner against its peers and prints one table; --help says more.
# Builds what it measures in build/bench, and fetches the peers once from the npm registry.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

fail() {
    echo "bench: $1" >&2
    exit 2
}

command -v node >/dev/null || fail "Node.js 20 or newer is needed for the peers (apt install nodejs npm)"
program=
previous=
for argument in "$@"; do
    case $argument in
    -h | --help) exec node "$here/bench.mjs" --help ;;
    --program=*) program=${argument#*=} ;;
    esac
    [ "$previous" = --program ] && program=$argument
    previous=$argument
done

if [ ! -f "$here/node_modules/.package-lock.json" ] ||
    [ "$here/package-lock.json" -nt "$here/node_modules/.package-lock.json" ]; then
    log=$(npm install --no-save --prefix "$here" --no-audit --no-fund 2>&1) || fail "npm install failed: $log"
    touch "$here/node_modules/.package-lock.json"
fi

if [ -z "$program" ]; then
    build=$root/build/bench
    # These rows need the tests' build, and that needs cmocka; without it they are out.
    if pkg-config --exists cmocka; then tests=ON; else tests=OFF; fi
    log=$(cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
        -DBROWSER_RUNNER_TESTS=$tests 2>&1) || fail "cmake failed: $log"
    targets=browser-runner
    if ninja -C "$build" -t targets all 2>/dev/null | grep -q '^bench_evaluate:'; then
        targets="$targets bench_evaluate bench_sessions"
    fi
    log=$(ninja -C "$build" $targets 2>&1) || fail "the build failed: $log"
    set -- --program "$build/browser-runner" "$@"
    core=$(find "$build" -name bench_evaluate -type f -perm -u+x | head -n 1)
    [ -z "$core" ] || set -- --core "$core" "$@"
    sessions=$(find "$build" -name bench_sessions -type f -perm -u+x | head -n 1)
    [ -z "$sessions" ] || set -- --sessions "$sessions" "$@"
fi
exec node "$here/bench.mjs" "$@"
