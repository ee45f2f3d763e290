export default [
    {
        want: 'turn the cube by dragging',
        ours: {
            do: 'drag', selector: 'canvas', position: { x: 200, y: 200 },
            to: { selector: 'canvas', position: { x: 320, y: 200 } },
        },
        theirs: (page) => page.locator('canvas').dragTo(page.locator('canvas'),
            { sourcePosition: { x: 200, y: 200 }, targetPosition: { x: 320, y: 200 } }),
        truth: 'Math.abs(angle() + 1.885) < 0.1',
        is: true,
    },
    {
        want: 'come nearer by the wheel',
        fresh: true,
        ours: { do: 'wheel', selector: 'canvas', deltaY: -300 },
        theirs: async (page) => {
            await page.locator('canvas').hover();
            await page.mouse.wheel(0, -300);
        },
        truth: 'distance() < 6.2 && scrollY === 0',
        is: true,
    },
    {
        want: 'go away by the wheel, by the id of the canvas',
        fresh: true,
        ours: { do: 'wheel', node: '"A cube"', deltaY: 300 },
        theirs: async (page) => {
            await page.getByLabel('A cube').hover();
            await page.mouse.wheel(0, 300);
        },
        truth: 'distance() > 6.4 && scrollY === 0',
        is: true,
    },
    {
        want: 'move the cube aside by dragging with Shift',
        fresh: true,
        ours: {
            do: 'drag', selector: 'canvas', position: { x: 200, y: 200 }, modifiers: ['Shift'],
            to: { selector: 'canvas', position: { x: 320, y: 200 } },
        },
        theirs: async (page) => {
            await page.locator('canvas').hover({ position: { x: 200, y: 200 } });
            await page.keyboard.down('Shift');
            await page.mouse.down();
            await page.locator('canvas').hover({ position: { x: 320, y: 200 } });
            await page.mouse.up();
            await page.keyboard.up('Shift');
        },
        truth: 'controls.target.x < -0.5',
        is: true,
    },
    {
        want: 'pick the cube by a click',
        fresh: true,
        ours: { do: 'click', selector: 'canvas', position: { x: 320, y: 200 } },
        theirs: (page) => page.locator('canvas').click({ position: { x: 320, y: 200 } }),
        truth: 'picked',
        is: true,
    },
    {
        want: 'a click beside the cube',
        ours: { do: 'click', selector: 'canvas', position: { x: 30, y: 30 } },
        theirs: (page) => page.locator('canvas').click({ position: { x: 30, y: 30 } }),
        truth: 'picked',
        is: false,
    },
];
