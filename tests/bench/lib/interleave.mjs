// The contestants in turn, so that what else the machine does falls on all alike.
import { timed } from './measure.mjs';

const WARM_UP = 10;

/**
 * Calls each of `calls` once a round, beginning with another one each time. Resolves to the samples
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
        for (let i = 0; i < names.length; i++) {
            const name = names[(i + round + warmUp) % names.length];
            await prepare(name, round);
            const { ms, value } = await timed(calls.get(name));
            await check(name);
            if (round >= 0) {
                samples.get(name).push(typeof value === 'number' ? value : ms);
            }
        }
    }
    return { samples, called: rounds + warmUp };
}
