export default [
    {
        want: 'zoom in by the button',
        ours: { do: 'click', role: 'button', name: 'Zoom in' },
        theirs: (page) => page.getByRole('button', { name: 'Zoom in' }).click(),
        truth: 'map.getZoom()',
        is: 7,
    },
    {
        want: 'zoom out by its id',
        fresh: true,
        setup: 'map.setZoom(7, {animate: false})',
        ours: { do: 'click', node: 'button "Zoom out"' },
        theirs: (page) => page.getByRole('button', { name: 'Zoom out' }).click(),
        truth: 'map.getZoom()',
        is: 6,
    },
    {
        want: 'zoom in by the wheel over the map',
        fresh: true,
        ours: { do: 'wheel', selector: '#map', deltaY: -240 },
        theirs: async (page) => {
            await page.locator('#map').hover();
            await page.mouse.wheel(0, -240);
        },
        truth: 'map.getZoom() > 6 && scrollY === 0',
        is: true,
    },
    {
        want: 'zoom in by a double click',
        fresh: true,
        ours: { do: 'click', selector: '#map', position: { x: 500, y: 350 }, clickCount: 2 },
        theirs: (page) => page.locator('#map').dblclick({ position: { x: 500, y: 350 } }),
        truth: 'map.getZoom()',
        is: 7,
    },
    {
        want: 'move the map by dragging',
        fresh: true,
        ours: {
            do: 'drag', selector: '#map', position: { x: 500, y: 350 },
            to: { selector: '#map', position: { x: 300, y: 250 } },
        },
        theirs: (page) => page.locator('#map').dragTo(page.locator('#map'),
            { sourcePosition: { x: 500, y: 350 }, targetPosition: { x: 300, y: 250 } }),
        truth: 'map.getCenter().lng > start.lng + 2 && map.getCenter().lat < start.lat - 0.5',
        is: true,
    },
    {
        want: 'the popup of a marker',
        fresh: true,
        ours: { do: 'click', role: 'button', name: 'Wick' },
        theirs: (page) => page.getByRole('button', { name: 'Wick' }).click(),
        truth: "document.querySelector('.leaflet-popup-content')?.textContent ?? ''",
        is: 'The harbour of Wick',
    },
    {
        want: 'close the popup',
        ours: { do: 'click', role: 'button', name: 'Close popup' },
        theirs: (page) => page.getByRole('button', { name: 'Close popup' }).click(),
        truth: "document.querySelectorAll('.leaflet-popup').length",
        is: 0,
    },
    {
        want: 'move a buoy',
        fresh: true,
        ours: {
            do: 'drag', role: 'button', name: 'Buoy', to: { selector: '#map', position: { x: 600, y: 400 } },
        },
        theirs: (page) => page.getByRole('button', { name: 'Buoy' })
            .dragTo(page.locator('#map'), { targetPosition: { x: 600, y: 400 } }),
        truth: 'map.latLngToContainerPoint(buoy.getLatLng()).distanceTo([600, 410]) < 30',
        is: true,
    },
    {
        want: 'show the circle by the menu of layers',
        fresh: true,
        ours: [{ do: 'hover', selector: '.leaflet-control-layers' }, { do: 'check', role: 'checkbox', name: 'Circle' }],
        theirs: async (page) => {
            await page.locator('.leaflet-control-layers').hover();
            await page.getByRole('checkbox', { name: 'Circle' }).check();
        },
        truth: "document.querySelectorAll('path.leaflet-interactive').length",
        is: 1,
    },
    {
        want: 'move the map by keys',
        fresh: true,
        ours: [{ do: 'focus', selector: '#map' }, { do: 'press', key: 'ArrowRight' }],
        theirs: (page) => page.locator('#map').press('ArrowRight'),
        truth: 'map.getCenter().lng > start.lng + 0.5',
        is: true,
    },
];
