// The environment says where and how much: checks.py sets it.
const { BENCH_CHROME, BENCH_COUNT, BENCH_FOLDER, BENCH_JOBS, BENCH_URL } = process.env;
const numbers = Array.from({ length: Number(BENCH_COUNT) }, (_, index) => index + 1);

module.exports = {
    id: 'bench',
    viewports: [{ label: 'desktop', width: 1280, height: 720 }],
    onReadyScript: 'still.cjs',
    scenarios: numbers.map((number) => ({
        label: `page ${number}`,
        url: `${BENCH_URL}page/${number}`,
        selectors: ['viewport'],
        delay: 0,
        misMatchThreshold: 0,
        requireSameDimensions: true,
    })),
    paths: {
        bitmaps_reference: `${BENCH_FOLDER}/baselines`,
        bitmaps_test: `${BENCH_FOLDER}/results`,
        engine_scripts: __dirname,
        html_report: `${BENCH_FOLDER}/html`,
        ci_report: `${BENCH_FOLDER}/ci`,
        json_report: `${BENCH_FOLDER}/json`,
    },
    report: ['json'],
    engine: 'puppeteer',
    engineOptions: { executablePath: BENCH_CHROME, args: ['--no-sandbox'], headless: 'new' },
    asyncCaptureLimit: Number(BENCH_JOBS),
    asyncCompareLimit: Number(BENCH_JOBS),
};
