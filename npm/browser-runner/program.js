import { createRequire } from 'node:module';

/** Returns the path of the program: $BROWSER_RUNNER_PROGRAM, or that of this platform's package. */
export function program() {
    if (process.env.BROWSER_RUNNER_PROGRAM) {
        return process.env.BROWSER_RUNNER_PROGRAM;
    }
    const name = `@browser-runner/${process.platform}-${process.arch}`;
    try {
        return createRequire(import.meta.url).resolve(`${name}/bin/browser-runner`);
    } catch (cause) {
        throw new Error(
            `browser-runner: the package ${name} is not installed. Install without --omit=optional; where there is no ` +
                'such package, build the program and name it in BROWSER_RUNNER_PROGRAM.',
            { cause },
        );
    }
}
