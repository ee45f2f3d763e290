// Processes and their clocks: how long one runs, how much memory it ever held.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

const POLL_MS = 2;

/** The most resident memory that a living process has had, in MB; 0 when it is gone. */
export function peakMemory(pid) {
    try {
        const status = readFileSync(`/proc/${pid}/status`, 'latin1');
        return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
    } catch {
        return 0;
    }
}

/** Runs a command to its end. Resolves to { ms, peak }; rejects unless it exits with 0. */
export function runProcess([file, ...args], { watchMemory = false } = {}) {
    return new Promise((resolve, reject) => {
        const start = performance.now();
        const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe'] });
        let words = '';
        let peak = 0;
        const watch = () => {
            peak = Math.max(peak, peakMemory(child.pid));
        };
        const timer = watchMemory ? setInterval(watch, POLL_MS) : undefined;
        child.stderr.on('data', (data) => {
            words = (words + data).slice(-2000);
        });
        child.on('error', reject);
        // Not 'close': what a browser left behind may hold stderr open for longer.
        child.on('exit', (code, signal) => {
            const ms = performance.now() - start;
            clearInterval(timer);
            child.stderr.destroy();
            if (code === 0) {
                resolve({ ms, peak });
            } else {
                reject(new Error(`${file} ${args.join(' ')}: exit ${code ?? signal}\n${words}`));
            }
        });
    });
}

export async function timed(action) {
    const start = performance.now();
    const value = await action();
    return { ms: performance.now() - start, value };
}

export function shuffled(values) {
    return values
        .map((value) => ({ value, at: Math.random() }))
        .sort((a, b) => a.at - b.at)
        .map(({ value }) => value);
}

export function quantile(values, fraction) {
    const sorted = [...values].sort((a, b) => a - b);
    const at = (sorted.length - 1) * fraction;
    const low = Math.floor(at);
    return sorted[low] + (at - low) * (sorted[Math.ceil(at)] - sorted[low]);
}

export const median = (values) => quantile(values, 0.5);

/** The ratios of values that were measured in the same rounds. */
export function pairedRatios(values, others) {
    return values.map((value, round) => value / others[round]);
}

export const pairedRatio = (values, others) => median(pairedRatios(values, others));
