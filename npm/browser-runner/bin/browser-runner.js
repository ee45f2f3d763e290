#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { program } from '../program.js';

let path;
try {
    path = program();
} catch (error) {
    console.error(error.message);
    process.exit(3);
}
const child = spawn(path, process.argv.slice(2), { stdio: 'inherit' });
// A terminal sends its signals to both; other senders only know this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => signal === 'SIGINT' && process.stdin.isTTY || child.kill(signal));
}
child.on('error', (error) => {
    console.error(`browser-runner: ${path} cannot be started: ${error.message}`);
    process.exit(3);
});
child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
