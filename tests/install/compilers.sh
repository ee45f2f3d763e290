#!/usr/bin/env bash
# A build with clang, link-time optimisation, Debian's hardening flags and warnings as errors, in a path with blanks and by a
# user without rights; the program has the hardening, and does the main job as that user.
set -euo pipefail
. "$(dirname "$0")/common.sh"
[ "$(id -u)" = 0 ] || skip "this script changes to the user nobody; start it with sudo"
need clang clang
need ld.lld lld
need dpkg-buildflags dpkg-dev
need setpriv util-linux

outside=$(mktemp -d /tmp/browser-runner-XXXXXX) # nobody may not enter the folders above this one, nor TMPDIR
trap 'rm -rf "$outside"; finish' EXIT
chmod 755 "$outside"
place="$outside/a path with blanks"
mkdir -p "$place/source" "$place/home"
git -C "$source_dir" archive HEAD | tar -C "$place/source" -xf -
chown -R nobody:nogroup "$place"
as_nobody() {
    (cd "$place/source" && HOME=$place/home TMPDIR=/tmp XDG_RUNTIME_DIR='' setpriv --reuid nobody --regid nogroup --clear-groups "$@")
}
flags() { DEB_BUILD_MAINT_OPTIONS=hardening=+all,-format dpkg-buildflags --get "$1" | sed 's/-ffile-prefix-map=[^ ]*//; s/-g //'; }
as_nobody env CC=clang CCACHE_DISABLE=1 CMAKE_C_COMPILER_LAUNCHER= CFLAGS="$(flags CFLAGS) $(flags CPPFLAGS) -flto=thin" \
    LDFLAGS="$(flags LDFLAGS) -fuse-ld=lld -flto=thin" \
    cmake --preset release -DBROWSER_RUNNER_TESTS=OFF >"$work/cmake.log" 2>&1 || { tail -n 20 "$work/cmake.log" >&2; fail "cmake"; }
as_nobody cmake --build build/release >"$work/build.log" 2>&1 || {
    grep -E -A6 'error|warning|FAILED' "$work/build.log" | head -n 40 >&2
    fail "the build with clang"
}
program=$place/source/build/release/browser-runner
readelf -dlhW --dyn-syms "$program" >"$work/elf.txt"
grep -q 'BIND_NOW\|FLAGS.*NOW' "$work/elf.txt" || fail "the program is not bound at once"
grep -q GNU_RELRO "$work/elf.txt" || fail "the program has no relro"
grep -q 'Type:.*DYN' "$work/elf.txt" || fail "the program is not position-independent"
grep -q __stack_chk_fail "$work/elf.txt" || fail "the program has no stack protector"
grep -q '_chk@' "$work/elf.txt" || fail "the program is not fortified"
check_main_job as_nobody "$program" run - --temp-profile
measured "program by clang with LTO" "$(du -h "$program" | cut -f 1)"
measured "start" "$(start_time "$program" --version)"
