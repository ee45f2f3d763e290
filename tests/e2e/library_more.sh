#!/usr/bin/env bash
# The library in other hands: by C++ and strict C without a warning, as a part of another CMake project,
# and what is installed beside it. No browser is started.
set -euo pipefail
build=$1
source=$(cd "$(dirname "$0")/../.." && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
export TMPDIR=$place
fail() { echo "$*"; exit 1; }

cmake --install "$build" --prefix "$place/usr" >"$place/install.log"
libraries=$(dirname "$(find "$place/usr" -name browser-runner.pc)")
export PKG_CONFIG_PATH=$libraries LD_LIBRARY_PATH=$(dirname "$libraries")
read -ra flags <<<"$(pkg-config --cflags browser-runner)"
read -ra libs <<<"$(pkg-config --libs browser-runner)"

# Each header by itself, and a program with all of them.
strict=(-Wall -Wextra -Wpedantic -Wshadow -Werror)
for compiler in cc clang; do
    command -v $compiler >/dev/null || continue
    for header in "$place"/usr/include/browser_runner/*.h; do
        $compiler -std=c11 "${strict[@]}" -D_POSIX_C_SOURCE=200809L -fsyntax-only -x c "$header" "${flags[@]}" ||
            fail "$compiler: $(basename "$header")"
    done
done
for compiler in c++ clang++; do
    command -v $compiler >/dev/null || continue
    for standard in c++11 c++17 c++20; do
        $compiler -std=$standard "${strict[@]}" -fsyntax-only "${flags[@]}" "$source/tests/e2e/library_user.cpp" ||
            fail "$compiler -std=$standard"
    done
done
if command -v c++ >/dev/null; then
    c++ -std=c++17 "${strict[@]}" -o "$place/user" "${flags[@]}" "$source/tests/e2e/library_user.cpp" "${libs[@]}"
    "$place/user" | grep -Eq '^[0-9]+\.[0-9]+\.[0-9]+ 1$' || fail "the C++ program"
fi

# Structs may change from one minor version to the next: a program keeps to its own.
version=$("$place/usr/bin/browser-runner" --version | grep -oE '[0-9]+\.[0-9]+' | head -1)
soname=$(readelf -d "$LD_LIBRARY_PATH/libbrowser-runner.so" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
[ "$soname" = "libbrowser-runner.so.$version" ] || fail "SONAME $soname of version $version"

# What is installed beside it.
share=$place/usr/share
for file in browser-runner/schema/{smoke,results,instruction,response}.schema.json \
    doc/browser-runner/README.md doc/browser-runner/CHANGELOG.md doc/browser-runner/docs/{checks,library}.md \
    doc/browser-runner/docs/example.c man/man1/browser-runner.1 \
    bash-completion/completions/browser-runner zsh/site-functions/_browser-runner \
    fish/vendor_completions.d/browser-runner.fish; do
    [ -s "$share/$file" ] || fail "not installed: $file"
done

# A part of another project: only the library is made for it, and warnings are no errors of its build.
mkdir "$place/project"
cat >"$place/project/CMakeLists.txt" <<TEXT
cmake_minimum_required(VERSION 3.25)
project(user C)
add_subdirectory("$source" browser-runner)
add_executable(user "$source/docs/example.c")
target_link_libraries(user browser-runner::browser-runner)
add_executable(user-static "$source/docs/example.c")
target_link_libraries(user-static browser-runner::static)
add_custom_target(manual) # a name that is the project's own
TEXT
cmake -G Ninja -S "$place/project" -B "$place/made" >"$place/cmake.log" 2>&1 || fail "$(tail -20 "$place/cmake.log")"
ninja -C "$place/made" -n user user-static >"$place/steps" || fail "$(tail -20 "$place/steps")"
grep -q 'Linking C executable user$' "$place/steps" || fail "the project's program is not made"
grep -q 'Linking C executable user-static$' "$place/steps" || fail "not with the archive either"
ninja -C "$place/made" -n -v user | grep -q -e '-Werror' && fail "-Werror in somebody else's build"
ninja -C "$place/made" -n -v user | grep -q 'example.c.*-DBROWSER_RUNNER_VERSION' && fail "our definitions in its build"
ninja -C "$place/made" -n all | grep -Eq 'test_|browser-runner.1' && fail "tests or manual in somebody else's build"
cmake --install "$place/made" --prefix "$place/other" >/dev/null
[ ! -e "$place/other" ] || fail "installed with somebody else's project: $(find "$place/other" -type f | head -3)"
grep -q '"BROWSER_RUNNER_WERROR": "ON"' "$source/CMakePresets.json" || fail "warnings are no errors of our own build"
