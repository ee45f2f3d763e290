#!/usr/bin/env bash
# A step of action.yml: one comment on the pull request, with the checks of $REPORT that did not pass and their pictures;
# a later run replaces it. Comments cannot contain pictures, so these become a commit without parents, in a branch of
# their own for each pull request.
set -euo pipefail

MOST_CHECKS=20
MARK="<!-- browser-runner: $REPORT -->"
results=$REPORT/results.json
if [ ! -s "$results" ]; then
    echo "::warning::$results does not exist, so there is nothing to comment"
    exit 0
fi
number=$(jq -er '.pull_request.number' "$GITHUB_EVENT_PATH")
branch=browser-runner/pictures-$number
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# api METHOD PATH [FILE]: the answer of GitHub's API; FILE is the body.
api() {
    curl --fail-with-body --silent --show-error --retry 2 --max-time 60 --request "$1" \
        --header "Authorization: Bearer $TOKEN" --header "Accept: application/vnd.github+json" \
        ${3:+--header "Content-Type: application/json" --data-binary "@$3"} "$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/$2"
}

# commit_pictures: prints the commit with the pictures of $work/shown.json, one path on each line.
commit_pictures() {
    local path sha
    : >"$work/tree.jsonl"
    while read -r path; do
        jq -n --rawfile content <(base64 -w 0 "$REPORT/$path") '{content: $content, encoding: "base64"}' >"$work/blob.json"
        sha=$(api POST git/blobs "$work/blob.json" | jq -er .sha)
        jq -nc --arg path "$path" --arg sha "$sha" '{path: $path, mode: "100644", type: "blob", sha: $sha}' >>"$work/tree.jsonl"
    done
    jq -s '{tree: .}' "$work/tree.jsonl" >"$work/tree.json"
    sha=$(api POST git/trees "$work/tree.json" | jq -er .sha)
    jq -n --arg tree "$sha" --arg message "Pictures of pull request $number" \
        '{message: $message, tree: $tree, parents: []}' >"$work/commit.json"
    sha=$(api POST git/commits "$work/commit.json" | jq -er .sha)
    jq -n --arg sha "$sha" '{sha: $sha, force: true}' >"$work/ref.json"
    if ! api PATCH "git/refs/heads/$branch" "$work/ref.json" >/dev/null 2>&1; then
        jq -n --arg sha "$sha" --arg ref "refs/heads/$branch" '{sha: $sha, ref: $ref}' >"$work/ref.json"
        api POST git/refs "$work/ref.json" >/dev/null
    fi
    echo "$sha"
}

jq --argjson most $MOST_CHECKS '[.checks[] | select(.status | IN("failed", "error", "new"))] | .[:$most]' "$results" \
    >"$work/shown.json"
commit=
if [ "$(jq '[.[].images // empty] | length' "$work/shown.json")" != 0 ]; then
    jq -r '.[].images // empty | .expected, .actual, .diff | strings' "$work/shown.json" >"$work/paths.txt"
    commit=$(commit_pictures <"$work/paths.txt")
fi
jq -r --arg mark "$MARK" --arg report "$REPORT" --slurpfile results "$results" \
    --arg run "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID" \
    --arg raw "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/raw/$commit" '
    # Nothing of it is markup, ends a cell or mentions a person.
    def cell: gsub("(?<c>[^A-Za-z0-9 .,:%/-])"; "&#\(.c | explode[0]);");
    def picture: if . then "<img width=\"260\" src=\"\($raw)/\(@uri "\(.)" | gsub("%2F"; "/"))\">" else "" end;
    $mark,
    (if length == 0 then "**All checks passed.**" else "**Checks that did not pass**" end)
        + " \($results[0].totals | to_entries | map(select(.value | type == "number" and . > 0) | "\(.value) \(.key)") | join(", "))"
        + " ([\($report | cell)](\($run)#artifacts))",
    (if length == 0 then empty else "", "| check | expected | actual | difference |", "|---|---|---|---|",
        (.[] | "| <code>\(.id | cell)</code><br>\(.status): \(.reason // "" | cell) | \(.images.expected | picture) | "
            + "\(.images.actual | picture) | \(.images.diff | picture) |") end)' "$work/shown.json" >"$work/text.md"
jq -n --rawfile body "$work/text.md" '{body: $body}' >"$work/comment.json"

comment=
page=1
while [ -z "$comment" ]; do
    api GET "issues/$number/comments?per_page=100&page=$page" >"$work/comments.json"
    comment=$(jq -r --arg mark "$MARK" 'map(select(.body | startswith($mark)))[0].id // empty' "$work/comments.json")
    [ "$(jq length "$work/comments.json")" = 100 ] || break
    page=$((page + 1))
done
if [ -n "$comment" ]; then
    api PATCH "issues/comments/$comment" "$work/comment.json" >/dev/null
else
    api POST "issues/$number/comments" "$work/comment.json" >/dev/null
fi
