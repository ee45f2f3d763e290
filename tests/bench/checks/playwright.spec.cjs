const { expect, test } = require('@playwright/test');

const { BENCH_COUNT, BENCH_URL } = process.env;

for (let number = 1; number <= Number(BENCH_COUNT); number++) {
    test(`page ${number}`, async ({ page }) => {
        await page.goto(`${BENCH_URL}page/${number}`);
        await expect(page).toHaveScreenshot(`page-${number}.png`, { fullPage: false });
    });
}
