/*
 * Draws what is done to the page, in the top layer and in a closed shadow root that only this world
 * knows: nothing of it takes clicks, and the page sees an empty element beside its body at most. The
 * modes:
 * 'mouse':  a cursor at x, y, a frame around `area`, and when it `isPressed` a ring;
 * 'focus':  a frame around what has the focus, and the name of `keys`, unless they are typed (`isTyped`)
 *           into what might be a field for a secret: that one is a dot;
 * 'hide':   nothing is drawn until
 * 'again';
 * 'remove': nothing is in the document any more.
 * Unless it `isKept` it fades, and goes by itself.
 */
function ({ mode, x, y, area, isPressed, keys, isTyped, isKept }) {
    const FADE_MS = 1200;
    const XHTML = 'http://www.w3.org/1999/xhtml';
    const SVG = 'http://www.w3.org/2000/svg';
    const key = 'browserRunnerShown';

    /* What is important does not fade: only the host, which the page's styles reach, has to be. */
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

    /* A popover shows above modal dialogs, too, when it is shown after them. */
    const begin = () => {
        const host = make({ position: 'fixed', width: '0', height: '0' }, 'important');
        const layer = make({
            position: 'fixed', inset: '0', width: 'auto', height: 'auto', overflow: 'hidden',
            background: 'none',
        });
        layer.popover = 'manual';
        host.browserRunnerShown = true; /* for what watches the page, in this world */
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

    /* Below the frame, above it where there is no room, in the lower corner where there is none. */
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
    /* What else has the focus may be a field, or hold one that nothing here gets to see. */
    const isSecret = isTyped && focused && !focused.matches('a, button');
    const parts = [box && frame(box), isPressed && ring(), mode === 'mouse' && cursor(),
        keys && badge(box, isSecret)];
    begin().append(...parts.filter(Boolean));
}
