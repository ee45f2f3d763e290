#!/bin/sh
# Runs run.mjs with the node of the packages, which is pinned as they are, or else the one of PATH.
# Exit code 77: nothing to run it with, or the packages are not installed.
here=$(dirname "$0")
for node in "$here"/node_modules/node-linux-*/bin/node node; do
    # A package for another machine does not run.
    if "$node" --version >/dev/null 2>&1; then
        # Node 20 has WebSocket only with this option.
        exec "$node" --experimental-websocket --no-warnings "$here/run.mjs" "$@"
    fi
done
echo "skipped: no node"
exit 77
