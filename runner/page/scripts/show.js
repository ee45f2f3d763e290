/*
 * Draws actions, in the top layer and in a closed shadow root that only this world knows: the
 * drawings receive no clicks, and the page sees at most an empty element beside its body. The
 * modes:
 * 'mouse': a cursor at x, y, a frame around `area`, and a ring if it `isPressed`;
 * 'focus': a frame around the focused element, and the name of `keys`; if they are typed
 *          (`isTyped`) into what might be a field for a secret, a dot instead;
 * 'hide': nothing is drawn until 'again';
 * 'remove': removes everything from the document.
 * Unless it `isKept` the drawing fades and is removed by itself.
 */
function ({ mode, x, y, area, isPressed, keys, isTyped, isKept }) {
    const FADE_MS = 1200;
    const XHTML = 'http://www.w3.org/1999/xhtml';
    const SVG = 'http://www.w3.org/2000/svg';
    const key = 'browserRunnerShown';

    /*
     * Important styles do not fade: only the host needs them, since the page's styles can reach it.
     */
    const styled = (element, styles, priority = '') => {
        const own = { all: 'initial', 'pointer-events': 'none', display: 'block', ...styles };
        for (const [name, value] of Object.entries(own)) {
            element.style.setProperty(name, value, priority);
        }
        return element;
    };
    const make = (styles, priority) =>
        styled(document.createElementNS(XHTML, 'div'), styles, priority);

    const remove = () => {
        const shown = globalThis[key];
        globalThis[key] = undefined;
        if (shown) {
            clearTimeout(shown.timer);
            shown.host.remove();
        }
    };

    /* A popover is above modal dialogs, too, if it is shown later. */
    const begin = () => {
        const host = make({ position: 'fixed', width: '0', height: '0' }, 'important');
        const layer = make({
            position: 'fixed', inset: '0', width: 'auto', height: 'auto', overflow: 'hidden',
            background: 'none',
        });
        layer.popover = 'manual';
        host.browserRunnerShown = true; /* for code in this world that watches the page */
        host.attachShadow({ mode: 'closed' }).append(layer);
        document.documentElement.append(host);
        layer.showPopover();
        const timer = isKept ? 0 : setTimeout(remove, FADE_MS);
        globalThis[key] = { host, timer };
        return layer;
    };

    const fade = (element, frames) => {
        if (!isKept) {
            element.animate(frames, { duration: FADE_MS, fill: 'forwards', easing: 'ease-out' });
        }
        return element;
    };

    const frame = ({ x: left, y: top, width, height }) => fade(make({
        position: 'absolute', 'box-sizing': 'border-box', left: `${left - 3}px`,
        top: `${top - 3}px`, width: `${width + 6}px`, height: `${height + 6}px`,
        border: '2px solid #1f5fe0', 'border-radius': '4px',
    }), [{ opacity: 1 }, { opacity: 1 }, { opacity: 0 }]);

    const ring = () => fade(make({
        position: 'absolute', 'box-sizing': 'border-box', left: `${x - 16}px`,
        top: `${y - 16}px`, width: '32px', height: '32px', border: '3px solid #e01030',
        'border-radius': '50%',
    }), [{ transform: 'scale(0.2)', opacity: 1 }, { transform: 'scale(1.4)', opacity: 0 }]);

    const cursor = () => {
        const picture = styled(document.createElementNS(SVG, 'svg'), {
            position: 'absolute', left: `${x}px`, top: `${y}px`, width: '20px', height: '24px',
            overflow: 'visible',
        });
        const arrow = document.createElementNS(SVG, 'path');
        arrow.setAttribute('d', 'M0 0V18L4.5 14L7.5 21L11 19.5L8 13H14Z');
        arrow.setAttribute('fill', '#000');
        arrow.setAttribute('stroke', '#fff');
        picture.append(arrow);
        return picture;
    };

    const findFocused = () => {
        let element = document.activeElement;
        while (element && element.shadowRoot && element.shadowRoot.activeElement) {
            element = element.shadowRoot.activeElement;
        }
        return element === document.body ? null : element;
    };

    /* Places it below the frame; above it if there is no room; otherwise in the lower corner. */
    const badge = (box, isSecret) => {
        const left = box ? Math.max(Math.min(box.left, innerWidth - 100), 4) : 16;
        const below = box ? box.bottom + 6 : innerHeight;
        const top = below + 24 <= innerHeight ? below : (box && box.top >= 30 ? box.top : innerHeight) - 30;
        const element = fade(make({
            position: 'absolute', left: `${left}px`, top: `${top}px`, padding: '0 8px',
            font: '14px/24px sans-serif', 'white-space': 'pre', color: '#fff', background: '#1f5fe0',
            'border-radius': '4px',
        }), [{ opacity: 1 }, { opacity: 1 }, { opacity: 0 }]);
        element.textContent = isSecret ? '\u2022' : keys;
        return element;
    };

    const shown = globalThis[key];
    if (mode === 'hide' || mode === 'again') {
        shown?.host.style.setProperty('display', mode === 'hide' ? 'none' : 'block', 'important');
        return;
    }
    remove();
    if (mode === 'remove') {
        return;
    }
    const focused = mode === 'focus' ? findFocused() : null;
    const box = focused ? focused.getBoundingClientRect() : area;
    /* Any other focused element may be a field, or contain one that is not visible here. */
    const isSecret = isTyped && focused && !focused.matches('a, button');
    const parts = [box && frame(box), isPressed && ring(), mode === 'mouse' && cursor(),
        keys && badge(box, isSecret)];
    begin().append(...parts.filter(Boolean));
}
