# Sourced by the scripts of this folder: fresh roots of Debian, made by mmdebstrap, and what is tried in them.
# shellcheck shell=bash

ROOT_DAYS=7 # A root older than that is made again, for the packages' updates.
SKIPPED=77  # what ctest takes for "skipped"

source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cache=$source_dir/build/install
work=$(mktemp -d)
mkdir -p "$cache"

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

skip() {
    echo "skipped: $*" >&2
    exit $SKIPPED
}

# measured WHAT VALUE: a line of the report.
measured() {
    printf '%-44s %s\n' "$1" "$2"
}

finish() {
    [ -z "${server_input:-}" ] || exec {server_input}>&-
    jobs -p | xargs -r kill 2>/dev/null || true
    rm -rf --one-file-system "$work"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# need PROGRAM PACKAGE
need() {
    command -v "$1" >/dev/null || skip "$1 is missing; on Debian: apt-get install $2"
}

need_roots() {
    [ "$(id -u)" = 0 ] || skip "fresh roots are made as root; start this script with sudo"
    need mmdebstrap mmdebstrap
    need unshare util-linux
}

# archive_lock: waits until no other script uses build/dist, where tools/release.sh writes; held until archive_unlock or the end.
archive_lock() {
    exec {archive_lock}>"$cache/archive.lock"
    flock "$archive_lock"
}

archive_unlock() {
    exec {archive_lock}>&-
}

# root_make DIRECTORY SUITE: a fresh minimal Debian with apt.
root_make() {
    local archive=$cache/$2.tar root_lock
    exec {root_lock}>"$archive.lock"
    flock "$root_lock"
    if [ -z "$(find "$archive" -mtime -$ROOT_DAYS 2>/dev/null)" ]; then
        mmdebstrap --quiet --mode=root --variant=apt --format=tar "$2" "$archive.new" "${MIRROR:-http://deb.debian.org/debian}" \
            >"$work/mmdebstrap.log" 2>&1 || {
            tail -n 5 "$work/mmdebstrap.log" >&2
            skip "no root of Debian $2 can be made; is ${MIRROR:-http://deb.debian.org/debian} reachable? MIRROR= names another"
        }
        mv "$archive.new" "$archive"
    fi
    exec {root_lock}>&-
    mkdir -p "$1"
    tar -C "$1" -xf "$archive"
    rm -f "$1/etc/resolv.conf"
    cat /etc/resolv.conf >"$1/etc/resolv.conf"
}

# root_run DIRECTORY COMMAND…: runs in the root, in namespaces of processes and mounts. $shm is the size of its /dev/shm,
# 0 for none; with $read_only only /tmp, and what is mounted below the root, can be written to; $user is who runs it, in
# $directory; $environment has assignments; with $isolated it has a network of its own, without an outside; $wrapper is a
# command that starts all of it.
root_run() {
    local root=$1
    shift
    root=$root shm=${shm:-1g} read_only=${read_only:-} user=${user:-0} directory=${directory:-/} environment=${environment:-} \
        isolated=${isolated:-} ${wrapper:-} unshare --mount --pid --fork --kill-child --propagation private ${isolated:+--net} bash -eu -c '
            [ -z "$isolated" ] || ip link set lo up
            mount --rbind "$root" "$root"
            [ -z "$read_only" ] || mount -o remount,bind,ro "$root"
            mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
            mount -t proc proc "$root/proc"
            mount -t tmpfs -o mode=755 tmpfs "$root/dev"
            for node in null zero full random urandom tty; do
                : >"$root/dev/$node"
                mount --bind "/dev/$node" "$root/dev/$node"
            done
            ln -s /proc/self/fd "$root/dev/fd"
            ln -s fd/0 "$root/dev/stdin"
            ln -s fd/1 "$root/dev/stdout"
            ln -s fd/2 "$root/dev/stderr"
            if [ "$shm" != 0 ]; then
                mkdir "$root/dev/shm"
                mount -t tmpfs -o "size=$shm,mode=1777" tmpfs "$root/dev/shm"
            fi
            home=/root
            as=
            if [ "$user" != 0 ]; then
                home=/tmp
                as="setpriv --reuid $user --regid $user --clear-groups"
            fi
            # Not chroot: the kernel gives no user namespace, which is what a browser isolates pages with, to who is in one.
            cd "$root"
            pivot_root . tmp
            cd /
            /tmp/usr/bin/umount -l /tmp
            exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=$home LC_ALL=C.UTF-8 \
                DEBIAN_FRONTEND=noninteractive $environment $as sh -c "cd \"\$0\" && exec \"\$@\"" "$directory" "$@"' root_run "$@"
}

# root_apt DIRECTORY PACKAGE…: installs packages without what they recommend.
root_apt() {
    local root=$1
    shift
    root_run "$root" sh -c 'apt-get update -q && apt-get install -q -y --no-install-recommends "$@"' sh "$@" >"$work/apt.log" 2>&1 || {
        tail -n 15 "$work/apt.log" >&2
        fail "apt-get install $*"
    }
}

# serve_pages: starts the tests' web server; $origin is its address.
serve_pages() {
    coproc SERVER { exec /usr/bin/env python3 "$source_dir/tests/e2e/server.py"; }
    server_input=${SERVER[1]}
    read -r -t 20 origin <&"${SERVER[0]}" || fail "the fixture server did not start"
}

# check_main_job COMMAND…: the command reads the batch of the shop from standard input and writes the answers.
check_main_job() {
    local summary
    [ -n "${origin:-}" ] || serve_pages
    sed "s|http://127.0.0.1:8765|$origin|g" "$source_dir/fixtures/batches/shop.xml" >"$work/shop.xml"
    "$@" <"$work/shop.xml" >"$work/answers.ndjson" 2>"$work/errors.txt" || {
        cat "$work/errors.txt" >&2
        grep -m 2 '"success":false' "$work/answers.ndjson" | cut -c 1-600 >&2
        fail "the main job: $*"
    }
    summary=$(tail -n 1 "$work/answers.ndjson")
    [[ $summary == *'"kind":"summary"'*'"failed":0'* ]] || fail "the main job ended with: $summary"
    grep -q '"media_type":"image/jpeg"' "$work/answers.ndjson" || fail "the main job gave no pictures"
}

# start_time COMMAND…: milliseconds, the median of 11.
start_time() {
    python3 - "$@" <<'PYTHON'
import statistics, subprocess, sys, time
def once():
    began = time.perf_counter()
    subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
    return (time.perf_counter() - began) * 1000
print(f"{statistics.median(once() for _ in range(11)):.1f} ms")
PYTHON
}
