#!/bin/sh
# Runs run.mjs with the node of the packages, which is pinned as they are, or else the one of PATH.
# Exit code 77: nothing to run it with, or the packages are not installed.
here=$(dirname "$0")
for node in "$here"/node_modules/node-linux-*/bin/node node; do
    # A package for another machine does not run. Node 20 has WebSocket only with this option, node 18 not at all.
    if "$node" --experimental-websocket -e 'process.exit(typeof WebSocket === "function" ? 0 : 1)' 2>/dev/null; then
        exec "$node" --experimental-websocket --no-warnings "$here/run.mjs" "$@"
    fi
done
version=$(node --version 2>/dev/null) || version=none
echo "skipped: no node with WebSocket, which 20.10 and later have (in PATH: $version): npm ci --prefix tests/widgets --ignore-scripts"
exit 77
