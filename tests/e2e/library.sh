#!/usr/bin/env bash
# Installs a build into a temporary place, builds docs/example.c against it by pkg-config and by
# CMake, and runs it: a JPEG has to come of it.
set -euo pipefail
build=$1
source=$(cd "$(dirname "$0")/../.." && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
export TMPDIR=$place

cmake --install "$build" --prefix "$place/usr" >"$place/install.log"
libraries=$(dirname "$(find "$place/usr" -name browser-runner.pc)")
export PKG_CONFIG_PATH=$libraries LD_LIBRARY_PATH=$(dirname "$libraries")

# Only br_ functions are exported.
foreign=$(nm -D --defined-only "$LD_LIBRARY_PATH"/libbrowser-runner.so | awk '$3 !~ /^br_/ {print $3}')
[ -z "$foreign" ] || { echo "exported beside br_: $foreign"; exit 1; }

mkdir "$place/work"
cd "$place/work"
# shellcheck disable=SC2046
cc -Wall -Wextra -Werror -o example "$source/docs/example.c" $(pkg-config --cflags --libs browser-runner)
page='{"type":"start","url":"data:text/html,<title>An example</title><h1>Hello</h1>"}'
./example "$page" | grep -q '^An example' || { echo "the title is missing"; exit 1; }
[ "$(head -c 3 page.jpg | od -An -tx1 | tr -d ' ')" = ffd8ff ] || { echo "no JPEG"; exit 1; }
[ -z "$(./example '{"type":"clik"}' 2>/dev/null)" ] || { echo "a wrong action was run"; exit 1; }

cat >CMakeLists.txt <<TEXT
cmake_minimum_required(VERSION 3.25)
project(example C)
find_package(browser-runner REQUIRED)
add_executable(example "$source/docs/example.c")
target_link_libraries(example browser-runner::browser-runner)
TEXT
cmake -S . -B cmake -DCMAKE_PREFIX_PATH="$place/usr" >cmake.log
cmake --build cmake >>cmake.log
(cd cmake && ./example "$page" >/dev/null && [ -s page.jpg ]) || { echo "the CMake build failed"; exit 1; }

# The C++ compiler takes the headers as they are.
if command -v c++ >/dev/null; then
    echo '#include <browser_runner/session.h>' | c++ -std=c++17 -Wall -fsyntax-only -x c++ \
        $(pkg-config --cflags browser-runner) -
fi
find "$place/usr" -name browser-runner.1 | grep -q . || { echo "no manual page"; exit 1; }
"$place/usr/bin/browser-runner" --version | grep -q '^browser-runner [0-9]' || exit 1
