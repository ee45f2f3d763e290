/** Drags a handle to a place of its slider. */
const drag = (want, id, handle, position, truth, is) => ({
    want,
    ours: { do: 'drag', selector: `#${id} .noUi-handle`, nth: handle, to: { selector: `#${id}`, position } },
    theirs: (page) => page.locator(`#${id} .noUi-handle`).nth(handle)
        .dragTo(page.locator(`#${id}`), { targetPosition: position }),
    truth,
    is,
});

export default [
    drag('the handle to about 70', 'one', 0, { x: 280, y: 9 }, 'Math.abs(at(one) - 70) <= 1', true),
    drag('the lower handle to 40', 'two', 0, { x: 160, y: 9 }, 'at(two)', '40,80'),
    drag('the upper handle to 60', 'two', 1, { x: 240, y: 9 }, 'at(two)', '40,60'),
    drag('a handle that goes up and down to 25', 'tall', 0, { x: 9, y: 50 }, 'Math.abs(at(tall) - 25) <= 1', true),
    {
        want: 'the handle to the left by a key, by role and name',
        setup: 'one.noUiSlider.set(70)',
        ours: { do: 'press', role: 'slider', name: 'Volume', key: 'ArrowLeft' },
        theirs: (page) => page.getByRole('slider', { name: 'Volume' }).press('ArrowLeft'),
        truth: 'at(one)',
        is: '69',
    },
    {
        want: 'the handle by its id to the end',
        ours: { do: 'press', node: 'slider "Volume"', key: 'End' },
        theirs: (page) => page.getByRole('slider', { name: 'Volume' }).press('End'),
        truth: 'at(one)',
        is: '100',
    },
    {
        want: 'a click into the line',
        fresh: true,
        ours: { do: 'click', selector: '#one', position: { x: 200, y: 9 } },
        theirs: (page) => page.locator('#one').click({ position: { x: 200, y: 9 } }),
        truth: 'at(one)',
        is: '50',
    },
    {
        want: 'both handles by what is between them',
        fresh: true,
        ours: {
            do: 'drag', selector: '#two .noUi-connect', position: { x: 120, y: 5 },
            to: { selector: '#two', position: { x: 240, y: 9 } },
        },
        theirs: (page) => page.locator('#two .noUi-connect').dragTo(page.locator('#two'),
            { sourcePosition: { x: 120, y: 5 }, targetPosition: { x: 240, y: 9 } }),
        truth: 'at(two)',
        is: '30,90',
    },
    {
        ...drag('the handle of a slider that is disabled', 'off', 0, { x: 100, y: 9 }, 'at(off)', '50'),
        refused: 'TARGET_DISABLED',
    },
];
