#!/usr/bin/env bash
# Installs what is missing, builds, and does the main job: a batch of XML instructions drives Chrome
# through the shop in fixtures/pages; the answers and the pictures land in out/.
set -euo pipefail
cd "$(dirname "$0")"
. scripts/common.sh

packages_install "${BUILD_PACKAGES[@]}" "${BROWSER_PACKAGES[@]}" python3
build release -DBROWSER_RUNNER_TESTS=OFF

rm -rf out
mkdir -p out
# The server ends when its standard input closes, that is with this script.
coproc SERVER { python3 tests/e2e/server.py; }
read -r -t 10 origin <&"${SERVER[0]}" || { echo "the fixture server did not start" >&2; exit 1; }

say "running fixtures/batches/shop.xml"
sed "s|http://127.0.0.1:8765|$origin|g" fixtures/batches/shop.xml >out/batch.xml
build/release/browser-runner run --temp-profile --save-dir out/pictures out/batch.xml \
    >out/responses.ndjson || { echo "an action failed: see out/responses.ndjson" >&2; exit 1; }
exec {SERVER[1]}>&-

tail -n 1 out/responses.ndjson
cat <<TEXT
Pictures of every step:   out/pictures/ ($(find out/pictures -name '*.jpg' | wc -l) JPEGs, $(du -sh out/pictures | cut -f1))
One JSON line per action: out/responses.ndjson
The batch:                fixtures/batches/shop.xml
Next: build/release/browser-runner --help, README.md, ./test.sh
TEXT
