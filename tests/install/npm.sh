#!/usr/bin/env bash
# The npm packages: installed without a network and without scripts from what `npm pack` made, then npx, and what
# npm/browser-runner/index.js exports.
set -euo pipefail
. "$(dirname "$0")/common.sh"
need node nodejs
need npm npm

cd "$source_dir"
archive_lock
tools/release.sh --dirty >/dev/null
tools/npm.sh >"$work/packages.txt"
for package in build/dist/*.tgz; do
    ! tar -xzOf "$package" package/package.json | grep -q '"\(pre\|post\)\?install"' || fail "$package has an install script"
done
serve_pages
mkdir "$work/project"
export HOME=$work XDG_RUNTIME_DIR=$work npm_config_cache=$work/cache
packages=("$source_dir"/build/dist/*.tgz)
cd "$work/project"
echo '{ "private": true, "type": "module" }' >package.json
npm install --offline --no-audit --no-fund --ignore-scripts "${packages[@]}" >"$work/npm.log" 2>&1 || {
    tail -n 15 "$work/npm.log" >&2
    fail "npm install"
}
[[ $(npx browser-runner --version) == browser-runner\ [0-9]* ]] || fail "npx browser-runner --version"
npx browser-runner act open "$origin/shop/" >"$work/opened.txt" || fail "npx browser-runner act open"
npx browser-runner act title 2>/dev/null | grep -q Tideline || grep -q Tideline "$work/opened.txt" || fail "the page is not open"
npx browser-runner session stop --all >/dev/null || fail "npx browser-runner session stop"
code=0
npx browser-runner clik 2>/dev/null || code=$?
[ "$code" = 2 ] || fail "the exit code of the program is lost: $code"

cat >try.js <<'JS'
import assert from 'node:assert/strict';
import { BrowserRunnerError, open, run, shot } from 'browser-runner';
const [origin] = process.argv.slice(2);
const args = ['--temp-profile', '--screenshots', 'post'];

const png = await shot(`${origin}/shop/`, { format: 'png', args: ['--temp-profile'] });
assert.equal(png.subarray(1, 4).toString(), 'PNG');
await assert.rejects(shot(`${origin}/status/500`, { args: ['--temp-profile'] }), (error) =>
    error instanceof BrowserRunnerError && error.exitCode === 1);

const { responses, summary } = await run([
    { type: 'start', url: `${origin}/shop/` },
    { type: 'click', selector: '#nowhere', timeout: 500 },
    { type: 'evaluate', expression: 'document.title' },
], { args });
assert.deepEqual(responses.map(({ type, success }) => [type, success]), [['start', true], ['click', false], ['evaluate', true]]);
assert.equal(summary.failed, 1);
assert.ok(responses[0].screenshots.post.source.data.startsWith('/9j/'));

const browser = open({ args });
const read = (async () => {
    const types = [];
    for await (const response of browser) {
        types.push(response.type);
    }
    return types;
})();
await browser.act('start', { url: `${origin}/shop/` });
await assert.rejects(browser.act('click', { selector: '#nowhere', timeout: 500 }), (error) =>
    error.response.errorCode === 'TARGET_NOT_FOUND');
assert.equal((await browser.close()).actions, 2);
assert.deepEqual(await read, ['start', 'click']);
await assert.rejects(browser.send({ type: 'reload' }), /closed/);

const wrong = open({ args: ['--no-such-option'] });
await assert.rejects(wrong.act('start', { url: 'about:blank' }), (error) => error.exitCode === 2);
await assert.rejects(wrong.close());

const aborter = new AbortController();
const aborted = open({ args, signal: aborter.signal });
const started = aborted.act('start', { url: `${origin}/hang` });
aborter.abort();
await assert.rejects(started);
console.log('ok');
JS
timeout 300 node try.js "$origin" >"$work/try.txt" 2>&1 || { cat "$work/try.txt" >&2; fail "the functions of the package"; }
# Where there is no package for the platform.
rm -rf node_modules/@browser-runner
! npx browser-runner --version 2>"$work/missing.txt" || fail "a program is found without its package"
grep -q 'is not installed' "$work/missing.txt" || { cat "$work/missing.txt" >&2; fail "no word of the missing package"; }
for package in "${packages[@]}"; do
    measured "$(basename "$package")" "$(du -h "$package" | cut -f 1)"
done
