#!/usr/bin/env bash
# Makes build/dist/browser-runner-VERSION-linux-ARCH.tar.gz and its SHA256SUMS from the commit that is checked out, by the
# preset `static`. The same commit gives the same bytes on the same Debian release.
#   tools/release.sh [--dirty]    --dirty also packs changes that are not committed
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh

OLDEST_GLIBC=2.34
FROM_GLIBC='^(libc|libm|ld-linux[a-z0-9-]*)\.so\.[0-9]$'

fail() {
    echo "tools/release.sh: $*" >&2
    exit 1
}

# Fails if the program needs a newer glibc, or a library that is not glibc's.
check_symbols() {
    local newest foreign
    newest=$(objdump -T "$1" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1)
    if [ "$(printf '%s\n' "$newest" "GLIBC_$OLDEST_GLIBC" | sort -V | tail -n 1)" != "GLIBC_$OLDEST_GLIBC" ]; then
        fail "the program needs $newest: $(objdump -T "$1" | grep -F "$newest" | awk '{print $NF}' | xargs)." \
            "Build on Debian 12, or add the function to cmake/old_glibc.c"
    fi
    foreign=$(objdump -p "$1" | awk '$1 == "NEEDED" {print $2}' | grep -Ev "$FROM_GLIBC" || true)
    [ -z "$foreign" ] || fail "the program needs the libraries" "$foreign"
}

# The licence texts of the archives that the link command names, from the packages that own them.
copy_licences() {
    local archive package
    sed -n '/^build browser-runner: /,/^$/s/^  LINK_LIBRARIES = //p' build/static/build.ninja |
        tr ' ' '\n' | grep '^/.*\.a$' | sort -u |
        while read -r archive; do
            package=$(dpkg-query -S "$archive" | cut -d : -f 1) || fail "$archive belongs to no package"
            cp "/usr/share/doc/$package/copyright" "$1/${package%-dev}.txt"
        done
    [ -n "$(ls "$1")" ] || fail "no licence texts were found"
}

[ "${1:-}" = --dirty ] || [ -z "$(git status --porcelain)" ] ||
    fail "commit the changes first, or pack them with --dirty"
build static
program=build/static/browser-runner
check_symbols $program

version=$($program --version | awk 'NR == 1 {print $2}')
name=browser-runner-$version-linux-$(uname -m)
rm -rf build/dist
mkdir -p "build/dist/$name/licences"
quietly cmake --install build/static --prefix "build/dist/$name" --strip
cp LICENSE CHANGELOG.md "build/dist/$name"
copy_licences "build/dist/$name/licences"

cd build/dist
# GNU tar: order, owners, modes and times are the commit's, not those of this machine.
tar --sort=name --owner=0 --group=0 --numeric-owner --mode='u+rw,go=u-w' --mtime="@$(git log -1 --format=%ct)" \
    --format=gnu -cf - "$name" | gzip -9n >"$name.tar.gz"
rm -rf "$name"
sha256sum "$name.tar.gz" >SHA256SUMS
echo "build/dist/$name.tar.gz"
