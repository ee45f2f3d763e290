#!/usr/bin/env bash
# The Debian packages: built by tools/deb.sh, accepted by lintian, and in a fresh root installed, tried by the package's own
# tests (debian/tests), removed and purged, with nothing left.
set -euo pipefail
. "$(dirname "$0")/common.sh"
need_roots
need lintian lintian

# try_suite SUITE DEBS: installs, runs the packages' tests, purges.
try_suite() {
    local suite=$1 debs=$2 root=$work/$1 after
    root_make "$root" "$suite"
    mkdir "$root/debs"
    cp "$debs"/*.deb "$root/debs"
    root_apt "$root" chromium-headless-shell fonts-liberation python3 gcc libc6-dev pkg-config
    list_files "$root" >"$work/before.txt"
    root_run "$root" sh -c 'apt-get install -q -y --no-install-recommends /debs/*.deb' >"$work/apt.log" 2>&1 || {
        tail -n 20 "$work/apt.log" >&2
        fail "installing the packages on $suite"
    }
    for test in main-job library; do
        mkdir -p "$root/source"
        cp -r "$source_dir/debian" "$source_dir/docs" "$source_dir/fixtures" "$source_dir/tests" "$root/source"
        root_run "$root" sh -c "cd /source && debian/tests/$test" >"$work/test.log" 2>&1 || {
            tail -n 20 "$work/test.log" | cut -c 1-400 >&2
            fail "debian/tests/$test on $suite"
        }
    done
    rm -rf "$root/source"
    root_run "$root" test -e /etc/systemd/system/sockets.target.wants && fail "a socket is enabled by the installation"
    root_run "$root" man -w browser-runner >/dev/null 2>&1 || [ -s "$root/usr/share/man/man1/browser-runner.1.gz" ] ||
        fail "no manual page"
    if [ "$suite" = bookworm ]; then
        measured "installed, without a browser" "$(root_run "$root" dpkg-query -W -f '${Installed-Size}\n' browser-runner) KB"
        measured "start" "$(start_time chroot "$root" browser-runner --version)"
    fi
    root_run "$root" sh -c 'apt-get purge -q -y browser-runner libbrowser-runner0.2 libbrowser-runner-dev browser-runner-doc \
        && apt-get autoremove -q -y --purge' >"$work/apt.log" 2>&1 || {
        tail -n 20 "$work/apt.log" >&2
        fail "purging the packages on $suite"
    }
    after=$(list_files "$root" | comm -13 "$work/before.txt" - || true)
    [ -z "$after" ] || fail "left after the purge on $suite: $after"
}

# list_files ROOT: all but what apt, dpkg and programs in /tmp write for themselves.
list_files() {
    (cd "$1" && find . -xdev \( -path ./var/cache -o -path ./var/lib/apt -o -path ./var/lib/dpkg -o -path ./var/log -o -path ./tmp \
        -o -path ./debs -o -path ./source -o -path ./root -o -path ./proc -o -path ./dev -o -name __pycache__ \) -prune -o -print) | sort
}

cd "$source_dir"
tools/deb.sh >/dev/null
# Its databases may be left behind, so they get a folder that goes.
TMPDIR=$work lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs build/deb/*.changes || fail "lintian"
measured "browser-runner.deb" "$(du -h build/deb/browser-runner_*.deb | cut -f 1)"
try_suite bookworm build/deb
