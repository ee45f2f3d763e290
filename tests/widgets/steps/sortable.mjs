/** Drags an item, named by its words, onto a place of another. */
const drag = (want, from, to, position, truth, is) => ({
    want,
    fresh: true,
    ours: { do: 'drag', text: from, to: { text: to, ...(position && { position }) } },
    theirs: (page) => page.getByText(from, { exact: true })
        .dragTo(page.getByText(to, { exact: true }), position && { targetPosition: position }),
    truth,
    is,
});
const low = { x: 40, y: 30 };
const high = { x: 40, y: 4 };

export default [
    drag('A1 to the place of A3', 'A1', 'A3', low, 'order(plain)', 'A2 A3 A1 A4'),
    drag('A4 to the top', 'A4', 'A1', high, 'order(plain)', 'A4 A1 A2 A3'),
    drag('B1 to the place of B3, where the others move aside slowly', 'B1', 'B3', low, 'order(slow)', 'B2 B3 B1 B4'),
    drag('B1 to the end', 'B1', 'B4', low, 'order(slow)', 'B2 B3 B4 B1'),
    drag('B4 to the top', 'B4', 'B1', high, 'order(slow)', 'B4 B1 B2 B3'),
    drag('C2 into another list, after D1', 'C2', 'D1', low, 'order(left, right)', 'C1 C3 | D1 C2 D2'),
    drag('D2 to the top of the other list', 'D2', 'C1', high, 'order(left, right)', 'D2 C1 C2 C3 | D1'),
    {
        want: 'E1 to the end by its handle',
        fresh: true,
        ours: {
            do: 'drag', selector: '#handles li:nth-child(1) .handle',
            to: { selector: '#handles li:nth-child(3)', position: low },
        },
        theirs: (page) => page.locator('#handles li').nth(0).locator('.handle')
            .dragTo(page.locator('#handles li').nth(2), { targetPosition: low }),
        truth: 'order(handles)',
        is: 'E2 E3 E1',
    },
    {
        want: 'E1 beside its handle: it stays',
        refused: 'TARGET_DISABLED',
        fresh: true,
        ours: {
            do: 'drag', selector: '#handles li:nth-child(1)', position: { x: 90, y: 16 },
            to: { selector: '#handles li:nth-child(3)', position: low },
        },
        theirs: (page) => page.locator('#handles li').nth(0).dragTo(page.locator('#handles li').nth(2),
            { sourcePosition: { x: 90, y: 16 }, targetPosition: low }),
        truth: 'order(handles)',
        is: 'E1 E2 E3',
    },
    {
        want: 'J2, which is not to be moved',
        refused: 'TARGET_DISABLED',
        fresh: true,
        ours: { do: 'drag', text: 'J2', to: { text: 'J3', position: low } },
        theirs: (page) => page.getByText('J2').dragTo(page.getByText('J3'), { targetPosition: low }),
        truth: 'order(fixed)',
        is: 'J1 J2 J3',
    },
    {
        want: 'F11 into the empty list of F2',
        fresh: true,
        ours: { do: 'drag', text: 'F11', to: { selector: '#nest > li:nth-child(2) > ul' } },
        theirs: (page) => page.getByText('F11').dragTo(page.locator('#nest > li:nth-child(2) > ul')),
        truth: "order(...document.querySelectorAll('#nest ul'))",
        is: 'F12 | F11',
    },
    {
        want: 'F11 behind F12',
        fresh: true,
        ours: { do: 'drag', text: 'F11', to: { text: 'F12', position: low } },
        theirs: (page) => page.getByText('F11').dragTo(page.getByText('F12'), { targetPosition: low }),
        truth: "order(...document.querySelectorAll('#nest ul'))",
        is: 'F12 F11 | ',
    },
    drag('G1 to the end, where the library draws what is dragged', 'G1', 'G3', low, 'order(forced)', 'G2 G3 G1'),
    drag('G3 to the top', 'G3', 'G1', high, 'order(forced)', 'G3 G1 G2'),
    {
        want: 'dragula: H1 behind I1',
        fresh: true,
        ours: { do: 'drag', text: 'H1', to: { text: 'I1', position: low } },
        theirs: (page) => page.getByText('H1').dragTo(page.getByText('I1'), { targetPosition: low }),
        truth: "order(document.getElementById('from'), document.getElementById('to'))",
        is: 'H2 | I1 H1',
    },
    {
        want: 'dragula: H2 before H1',
        fresh: true,
        ours: { do: 'drag', text: 'H2', to: { text: 'H1', position: high } },
        theirs: (page) => page.getByText('H2').dragTo(page.getByText('H1'), { targetPosition: high }),
        truth: "order(document.getElementById('from'))",
        is: 'H2 H1',
    },
    {
        want: 'dragula: H1 to where no list is: it stays',
        refused: 'TARGET_DISABLED',
        late: true,
        fresh: true,
        ours: { do: 'drag', text: 'H1', to: { x: 1200, y: 600 } },
        theirs: async (page) => {
            await page.getByText('H1').hover();
            await page.mouse.down();
            await page.mouse.move(1200, 600, { steps: 5 });
            await page.mouse.up();
        },
        truth: "order(document.getElementById('from'), document.getElementById('to'))",
        is: 'H1 H2 | I1',
        tells: ({ source }) => `document.querySelector('#from').children[${source.index}]?.textContent.includes('H1')`,
    },
];
