/*
 * Supports comparing pictures of the page around a click, according to `mode`:
 * 'begin':  hides this document's blinking caret;
 * 'settle': waits for animations that end within `patience` ms, such as hover effects, and returns
 *           whether there were any; also the boxes of longer animations and of the focused element,
 *           since any click takes the focus away;
 * 'around': returns the boxes of the elements at `points`, where the page was seen to move;
 * 'end':    undoes 'begin'.
 * Boxes are in the viewport. Omits those that contain the click point x, y, and large ones: there
 * only the parts that are seen to move are excluded.
 */
async function ({ mode, x, y, points, patience }) {
    const MAX_ROOTS = 1000;
    const MAX_BOXES = 200;
    const MAX_PARTS = 50;

    /*
     * Returns the document, open shadow roots, and with hasFrames the documents of same-origin
     * frames, each with the origin of its coordinates.
     */
    const findRoots = (hasFrames) => {
        const found = [{ root: document, left: 0, top: 0 }];
        for (let i = 0; i < found.length && found.length < MAX_ROOTS; i++) {
            const { root, left, top } = found[i];
            const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
            for (let node = walker.nextNode(); node; node = walker.nextNode()) {
                if (node.shadowRoot) {
                    found.push({ root: node.shadowRoot, left, top });
                } else if (hasFrames && node.contentDocument) {
                    const box = node.getBoundingClientRect();
                    found.push({
                        root: node.contentDocument,
                        left: left + box.left + node.clientLeft,
                        top: top + box.top + node.clientTop,
                    });
                }
            }
        }
        return found;
    };

    const begin = () => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync('* { caret-color: transparent !important; }');
        globalThis.browserRunnerCarets = findRoots(false).map(({ root }) => {
            root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
            return { root, sheet };
        });
    };

    const end = () => {
        for (const { root, sheet } of globalThis.browserRunnerCarets || []) {
            root.adoptedStyleSheets = [...root.adoptedStyleSheets].filter((one) => one !== sheet);
        }
        globalThis.browserRunnerCarets = undefined;
    };

    /* Returns the box of the element with its parts, and room for rotation. */
    const boxOf = (element, left, top) => {
        const boxes = [element, ...[...element.querySelectorAll('*')].slice(0, MAX_PARTS)]
            .map((part) => part.getBoundingClientRect())
            .filter((box) => box.width > 0 && box.height > 0);
        const from = (side) => Math.min(...boxes.map((box) => box[side]));
        const to = (side) => Math.max(...boxes.map((box) => box[side]));
        const width = to('right') - from('left');
        const height = to('bottom') - from('top');
        return {
            x: from('left') + left - width / 4, y: from('top') + top - height / 4,
            width: width * 1.5, height: height * 1.5,
        };
    };

    const isOfUse = (box) => {
        const isAtPoint = x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
        const isSmall = box.width * box.height <= innerWidth * innerHeight / 8;
        return Number.isFinite(box.width + box.height) && isSmall && !isAtPoint;
    };

    const focusBoxes = () => findRoots(true)
        .filter(({ root }) => root.activeElement)
        .map(({ root, left, top }) => boxOf(root.activeElement, left, top));

    /* Returns animations driven by time, not by scrolling. */
    const findAnimations = () => {
        const found = new Map();
        for (const { root, left, top } of findRoots(true)) {
            for (const animation of root.getAnimations()) {
                if (animation.playState === 'running' && animation.effect && animation.timeline &&
                    !('source' in animation.timeline)) {
                    found.set(animation, { animation, left, top });
                }
            }
        }
        return [...found.values()];
    };

    const timeLeft = ({ animation }) => {
        const left = animation.effect.getComputedTiming().endTime - animation.currentTime;
        return left / Math.abs(animation.playbackRate || 1);
    };

    const settle = async () => {
        const brief = findAnimations().filter((one) => timeLeft(one) <= patience);
        await Promise.race([
            Promise.allSettled(brief.map(({ animation }) => animation.finished)),
            new Promise((resolve) => setTimeout(resolve, patience)),
        ]);
        const boxes = findAnimations()
            .filter(({ animation }) => animation.effect.target)
            .map(({ animation, left, top }) => boxOf(animation.effect.target, left, top));
        return { hasWaited: brief.length > 0, boxes: [...boxes, ...focusBoxes()] };
    };

    const elementAt = (point) => {
        let element = document.elementFromPoint(point.x, point.y);
        while (element && element.shadowRoot) {
            const inner = element.shadowRoot.elementFromPoint(point.x, point.y);
            if (!inner || inner === element) {
                break;
            }
            element = inner;
        }
        return element;
    };

    if (mode === 'begin') {
        return begin();
    }
    if (mode === 'end') {
        return end();
    }
    const { boxes, hasWaited } = mode === 'settle' ? await settle() : {
        boxes: [...new Set(points.map(elementAt).filter(Boolean))].map((one) => boxOf(one, 0, 0)),
    };
    return { hasWaited, boxes: boxes.filter(isOfUse).slice(0, MAX_BOXES) };
}
