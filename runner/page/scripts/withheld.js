/*
 * Returns where the document, with its open shadow roots, shows what data-no-ai marks: `boxes` in
 * the frame's viewport, of the elements and of descendants that extend beyond them, each with a
 * `key` by which the same part is recognised in the next search. Also the viewport's position in
 * the document.
 */
function () {
    const MAX_BOXES = 2000;
    const MAX_PARTS = 100000; /* examined; if there are more, their positions are unknown */
    /* The visible area: a frame shows nothing beyond its edges. */
    const ALL = window === top ? { left: -1e7, top: -1e7, right: 1e7, bottom: 1e7 }
        : { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    const boxes = [];
    let partCount = 0;

/* include around.js */
    const shadowOf = ownOf(Element, 'shadowRoot');
    const childNodesOf = ownOf(Node, 'childNodes');
    const rectOf = ownOf(Element, 'getBoundingClientRect');
    const matchesOf = ownOf(Element, 'matches');

    /* Returns the part of a box inside a clip; null: none. */
    const cut = (box, clip) => {
        const left = Math.max(box.left, clip.left);
        const top = Math.max(box.top, clip.top);
        const right = Math.min(box.right, clip.right);
        const bottom = Math.min(box.bottom, clip.bottom);
        return right > left && bottom > top ? { left, top, right, bottom } : null;
    };
    const holds = (outer, inner) => Boolean(outer) && outer.left <= inner.left && outer.top <= inner.top &&
        outer.right >= inner.right && outer.bottom >= inner.bottom;

    const numbers = globalThis.browserRunnerNumbers ??= { next: 0, of: new WeakMap() };
    const numberOf = (node) => {
        if (!numbers.of.has(node)) {
            numbers.of.set(node, numbers.next++);
        }
        return numbers.of.get(node);
    };
    const add = (node, box, part = 0) => boxes.push({ key: `${numberOf(node)}.${part}`, x: box.left, y: box.top,
        width: box.right - box.left, height: box.bottom - box.top });

    /*
     * Content that an element does not clip: fixed and absolute boxes are clipped by ancestors of
     * their own (CSS 2, 10.1; css-transforms, 3), the top layer by none.
     */
    const isBox = (element, style) => style.display !== 'inline' || element instanceof SVGSVGElement;
    const isAround = (style) => (style.transform !== 'none' ||
        style.translate !== 'none' || style.rotate !== 'none' || style.scale !== 'none' ||
        style.perspective !== 'none' || style.filter !== 'none' ||
        /paint|layout|strict|content/.test(style.contain) || /transform|perspective|filter/.test(style.willChange));
    const isPlaced = ({ position }) => position === 'fixed' || position === 'absolute';
    const clipOf = (element, style, clips) => !isPlaced(style) ? clips.flow
        : matchesOf(element, ':modal, :popover-open') ? ALL : clips[style.position];

    /* Returns the clip for the content of an element, within the element's own clip. */
    const flowIn = (element, style, own) => {
        const [isWide, isHigh] = [style.overflowX === 'visible', style.overflowY === 'visible'];
        if ((isWide && isHigh) || !isBox(element, style) || element === document.documentElement ||
            element === document.body) {
            return own;
        }
        const box = rectOf(element);
        return {
            left: isWide ? own.left : Math.max(own.left, box.left),
            top: isHigh ? own.top : Math.max(own.top, box.top),
            right: isWide ? own.right : Math.min(own.right, box.right),
            bottom: isHigh ? own.bottom : Math.min(own.bottom, box.bottom),
        };
    };
    /* Returns the clips for an element's content; needed where something leaves its container. */
    const known = new Map();
    const clipsIn = (element) => {
        const around = [];
        for (let node = element; node && !known.has(node); node = parentOf(node)) {
            around.push(node);
        }
        while (around.length) {
            const node = around.pop();
            const clips = known.get(parentOf(node)) ?? { flow: ALL, absolute: ALL, fixed: ALL };
            if (!(node instanceof Element)) {
                known.set(node, clips);
                continue;
            }
            const style = getComputedStyle(node);
            const flow = flowIn(node, style, clipOf(node, style, clips));
            const isFixed = isBox(node, style) && isAround(style);
            known.set(node, {
                flow,
                absolute: isFixed || style.position !== 'static' ? flow : clips.absolute,
                fixed: isFixed ? flow : clips.fixed,
            });
        }
        return known.get(element);
    };

    const childrenIn = (element) => {
        const slotted = element instanceof HTMLSlotElement ? element.assignedNodes() : [];
        return slotted.length ? slotted : (shadowOf(element) ?? element) === element ? childNodesOf(element)
            : childNodesOf(shadowOf(element));
    };

    const isSeen = (element) => getComputedStyle(element).visibility === 'visible';
    const range = document.createRange();
    const addText = (text, parent, within) => {
        range.selectNode(text);
        [...range.getClientRects()].forEach((line, i) => {
            const box = holds(within, line) ? null : cut(line, clipsIn(parent).flow);
            if (box && !holds(within, box) && isSeen(parent)) {
                add(text, box, i + 1);
            }
        });
    };
    /* Returns whether text in an element, at any depth, leaves the covered area. */
    const isTextLoose = (element, within) => {
        range.selectNodeContents(shadowOf(element) ?? element);
        const box = cut(range.getBoundingClientRect(), ALL);
        return Boolean(box) && !holds(within, box);
    };

    /*
     * Adds all parts of a marked element that leave the box `within`, which covers their ancestors.
     */
    const addElement = (marked) => {
        const rest = [{ element: marked, within: null, isLoose: true }];
        while (rest.length && ++partCount <= MAX_PARTS) {
            const { element, within, isLoose } = rest.pop();
            const rect = rectOf(element);
            let covered = within;
            if (cut(rect, ALL) && !holds(within, rect) && (!within || isSeen(element))) {
                const box = cut(rect, clipOf(element, getComputedStyle(element), clipsIn(parentOf(element))));
                if (box && !holds(within, box)) {
                    add(element, box);
                    covered = box;
                }
            }
            const inside = childrenIn(element);
            const isOther = shadowOf(element) || element instanceof HTMLSlotElement;
            const hasLooseText = inside.length > 0 && (isLoose || isOther) && isTextLoose(element, covered);
            for (const node of inside) {
                if (node instanceof Element) {
                    rest.push({ element: node, within: covered, isLoose: hasLooseText });
                } else if (hasLooseText && node instanceof Text && node.data.trim()) {
                    addText(node, element, covered);
                }
            }
        }
    };

    /* A closed list shows the selected option, which has no box of its own. */
    const showsKept = (list) => !list.multiple && list.size <= 1 && !isKeptFromModels(list) &&
        [...list.selectedOptions].some((option) => isKeptFromModels(option));

    const isWhole = isKeptFromModels(document.body ?? document);
    const roots = isWhole ? [] : [document];
    for (let i = 0; i < roots.length; i++) {
        for (const element of roots[i].querySelectorAll('*')) {
            if (hasAttributeOf(element, 'data-no-ai') && !isKeptFromModels(parentOf(element))) {
                addElement(element);
            }
            if (element instanceof HTMLSelectElement && showsKept(element)) {
                addElement(element);
            }
            if (shadowOf(element)) {
                roots.push(shadowOf(element));
            }
        }
    }
    const whole = { key: 'all', x: ALL.left, y: ALL.top, width: ALL.right - ALL.left, height: ALL.bottom - ALL.top };
    /* Returns one large box in place of very many. */
    const hull = () => {
        const edge = (side, least) => boxes.reduce((edge, box) => least(edge, side(box)), least());
        const x = edge((box) => box.x, Math.min);
        const y = edge((box) => box.y, Math.min);
        return { key: 'all', x, y, width: edge((box) => box.x + box.width, Math.max) - x,
            height: edge((box) => box.y + box.height, Math.max) - y };
    };
    return {
        left: scrollX, top: scrollY,
        boxes: isWhole || partCount > MAX_PARTS ? [whole]
            : boxes.length > MAX_BOXES ? [hull()] : boxes,
    };
}
