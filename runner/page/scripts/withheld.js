/*
 * Where the document, with its open shadow roots, shows what is marked by data-no-ai: boxes in the
 * frame's viewport, of the elements and of what they hold that goes beyond them. Also where the
 * viewport is in the document.
 */
function () {
    const MAX_BOXES = 2000;
    const boxes = [];
    const size = (box) => box.width > 0 && box.height > 0;
    const add = (list, clip) => {
        for (const box of list) {
            const left = Math.max(box.left, clip.left);
            const top = Math.max(box.top, clip.top);
            const kept = { x: left, y: top, width: Math.min(box.right, clip.right) - left, height: Math.min(box.bottom, clip.bottom) - top };
            if (size(box) && size(kept)) {
                boxes.push(kept);
            }
        }
    };

/* include around.js */
    /* What scrolls it away, or cuts it; what is placed by itself may lie outside of that. */
    const clipOf = (element) => {
        const clip = { left: -1e7, top: -1e7, right: 1e7, bottom: 1e7 };
        for (let node = element; node && node !== document.body; node = parentOf(node)) {
            if (!(node instanceof Element)) {
                continue;
            }
            const style = getComputedStyle(node);
            if (node !== element && style.overflowX !== 'visible' && node !== document.documentElement) {
                const box = node.getBoundingClientRect();
                clip.left = Math.max(clip.left, box.left);
                clip.top = Math.max(clip.top, box.top);
                clip.right = Math.min(clip.right, box.right);
                clip.bottom = Math.min(clip.bottom, box.bottom);
            }
            if (/fixed|absolute/.test(style.position)) {
                break;
            }
        }
        return clip;
    };

    const addContent = (root, clip) => {
        const range = document.createRange();
        range.selectNodeContents(root);
        const parts = [...range.getClientRects()];
        add(parts.length > MAX_BOXES ? [range.getBoundingClientRect()] : parts, clip);
    };

    const addElement = (element) => {
        const clip = clipOf(element);
        const box = element.getBoundingClientRect();
        add([box], clip);
        if (getComputedStyle(element).overflowX === 'visible' || !size(box)) {
            addContent(element, clip);
            for (const part of [element, ...element.querySelectorAll('*')]) {
                if (part.shadowRoot) {
                    addContent(part.shadowRoot, clip);
                }
            }
        }
    };

    const roots = [document];
    for (let i = 0; i < roots.length; i++) {
        roots[i].querySelectorAll('[data-no-ai]').forEach(addElement);
        for (const element of roots[i].querySelectorAll('*')) {
            if (element.shadowRoot) {
                roots.push(element.shadowRoot);
            }
        }
    }
    /* A few large ones in the place of very many. */
    const joined = () => {
        const edge = (name, of) => of(...boxes.map(name));
        const x = edge((box) => box.x, Math.min);
        const y = edge((box) => box.y, Math.min);
        return [{ x, y, width: edge((box) => box.x + box.width, Math.max) - x, height: edge((box) => box.y + box.height, Math.max) - y }];
    };
    return { left: scrollX, top: scrollY, boxes: boxes.length > MAX_BOXES ? joined() : boxes };
}
