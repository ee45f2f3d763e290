#!/usr/bin/env bash
# Installs what the tests need, builds, and passes all tests. Quiet when all is well.
#   ./test.sh            everything: ASan and UBSan with fuzz targets, TSan, plain, end to end
#   ./test.sh --fast     the plain build with unit and integration tests only
set -euo pipefail
cd "$(dirname "$0")"
. scripts/common.sh

packages_install "${BUILD_PACKAGES[@]}" "${BROWSER_PACKAGES[@]}" "${TEST_PACKAGES[@]}"
total_passed=0

# run_suite PRESET CTEST-ARGUMENT…: builds the preset and runs its tests. What passed at its second
# try only is named in the end.
run_suite() {
    local preset=$1 log
    shift
    log="build/$preset/test.log"
    build "$preset"
    say "testing $preset"
    if ! ctest --test-dir "build/$preset" --output-on-failure -j 2 "$@" >"$log" 2>&1; then
        tail -n 200 "$log"
        exit 1
    fi
    grep -E '^[0-9]+% tests passed' "$log" | sed "s/^/$preset: /" >>build/summary
    grep -E '^FLAKY ' "build/$preset/Testing/Temporary/LastTest.log" >>build/summary || true
    sed -nE -e 's/^.*Test +#[0-9]+: ([^ ]+) .*\*\*\*Skipped.*$/skipped \1/p; t' \
        -e 's/^.*Test +#[0-9]+: ([^ ]+) .*\*\*\*.*$/FLAKY \1/p' "$log" >>build/summary
    total_passed=$((total_passed + $(grep -c ' Passed ' "$log" || true)))
}

mkdir -p build
: >build/summary
if [ "${1:-}" = --fast ]; then
    run_suite dev -L 'unit|integration'
else
    widgets_install # first: what the network does not give is better known before the long suites
    run_suite asan -L 'unit|integration|fuzz'
    run_suite tsan -L threads
    run_suite dev -L 'unit|integration'
    run_suite dev -LE 'unit|integration'
    # The optimiser sees more: the release has to build without a warning, too.
    build release -DBROWSER_RUNNER_TESTS=OFF
fi

cat build/summary
echo "$total_passed passed, 0 failed"
echo "Next: ./quickstart.sh shows the main job; build/dev/browser-runner is the program; tests/e2e/README.md says how cases are made."
