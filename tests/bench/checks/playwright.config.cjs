// The environment says where and how much: checks.py sets it.
const { BENCH_CHROME, BENCH_FOLDER, BENCH_JOBS } = process.env;

module.exports = {
    testDir: __dirname,
    testMatch: 'playwright.spec.cjs',
    outputDir: `${BENCH_FOLDER}/results`,
    snapshotPathTemplate: `${BENCH_FOLDER}/baselines/{arg}{ext}`,
    reporter: 'line',
    workers: Number(BENCH_JOBS),
    fullyParallel: true,
    retries: 0,
    use: {
        viewport: { width: 1280, height: 720 },
        locale: 'en-US',
        timezoneId: 'UTC',
        reducedMotion: 'reduce',
        launchOptions: { executablePath: BENCH_CHROME },
    },
    expect: {
        toHaveScreenshot: { animations: 'disabled', caret: 'hide', threshold: 0.1, maxDiffPixels: 0 },
    },
};
