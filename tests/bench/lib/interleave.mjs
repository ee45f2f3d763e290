// The contestants in random order, so that what else the machine does falls on all alike.
import { setTimeout as pause } from 'node:timers/promises';

import { shuffled, timed } from './measure.mjs';

const WARM_UP = 10;
/** Chrome draws 60 frames a second: a call may begin anywhere between some of them. */
const MAX_PAUSE_MS = 40;

/**
 * Calls each of `calls` once a round, in random order and after random pauses: at equal distances
 * the phase of the frames would decide. Resolves to the samples
 * of each and how often it was called; a number that a call resolves to is its own time.
 * Outside the time, `prepare(name, round)` goes before a call, and `check(name)` throws when it has
 * not done its work.
 */
export async function interleave({ report }, part, calls, rounds, check = () => {}, prepare = () => {}) {
    const names = [...calls.keys()];
    const samples = new Map(names.map((name) => [name, []]));
    const warmUp = Math.min(WARM_UP, Math.ceil(rounds / 5));
    for (let round = -warmUp; round < rounds; round++) {
        report.progress(part, round, rounds);
        for (const name of shuffled(names)) {
            await prepare(name, round);
            await pause(Math.random() * MAX_PAUSE_MS);
            const { ms, value } = await timed(calls.get(name));
            await check(name);
            if (round >= 0) {
                samples.get(name).push(typeof value === 'number' ? value : ms);
            }
        }
    }
    return { samples, called: rounds + warmUp };
}
