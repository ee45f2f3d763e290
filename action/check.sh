#!/usr/bin/env bash
# A step of action.yml: runs the suite. The program itself writes annotations and the summary, since it sees $GITHUB_ACTIONS.
set -euo pipefail

mkdir -p "$REPORT"
read -r -a arguments <<<"${ARGUMENTS//$'\n'/ }"
exec browser-runner check "$SUITE" --report "$REPORT" --junit "$REPORT/junit.xml" "${arguments[@]}"
