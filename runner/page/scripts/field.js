    /* Detects what accepts text, and reads its content. Needs around.js. */

    /* Set as a whole: a person picks the value, or fills in its parts. */
    const WHOLE = /^(date|datetime-local|month|week|time|range|color)$/;
    const isSetWhole = (element) => element instanceof HTMLInputElement && WHOLE.test(element.type);

    /* Fields, rich text, and elements whose text is drawn by a script (EditContext). */
    const takesText = (element) => element instanceof HTMLTextAreaElement ||
        Boolean(element.isContentEditable || element.editContext) ||
        (element instanceof HTMLInputElement &&
            !/^(button|submit|reset|checkbox|radio|file|image|hidden)$/.test(element.type));

    /* Returns whether clipping ancestors leave nothing of the box. */
    const isCutOff = (element) => {
        let { left, top, right, bottom } = element.getBoundingClientRect();
        for (let node = parentOf(element); node && node !== document; node = parentOf(node)) {
            if (node instanceof Element && getComputedStyle(node).overflow !== 'visible') {
                const clip = node.getBoundingClientRect();
                left = Math.max(left, clip.left);
                top = Math.max(top, clip.top);
                right = Math.min(right, clip.right);
                bottom = Math.min(bottom, clip.bottom);
            }
        }
        return right - left < 1 || bottom - top < 1;
    };

    /*
     * Editors that draw their own text receive the keys in an invisible field. Returns the box that
     * a person sees around such a field; null for any other field.
     */
    const standInFor = (field) => {
        const MIN_SEEN = 4;
        const MIN_BOX = 10;
        const { width, height } = field.getBoundingClientRect();
        const { position, zIndex } = getComputedStyle(field);
        const isSeen = Math.min(width, height) >= MIN_SEEN &&
            field.checkVisibility({ opacityProperty: true }) && !isCutOff(field) &&
            !(position !== 'static' && Number(zIndex) < 0);
        for (let node = parentOf(field); !isSeen && node; node = parentOf(node)) {
            const box = node instanceof HTMLElement && node.getBoundingClientRect();
            if (box && Math.min(box.width, box.height) >= MIN_BOX && node.checkVisibility() &&
                !isCutOff(node)) {
                return node;
            }
        }
        return null;
    };

    const activeElement = (wanted) => {
        let active = document.activeElement;
        while (active && active.shadowRoot && active.shadowRoot.activeElement) {
            active = active.shadowRoot.activeElement;
        }
        /* In a closed shadow root; only its host is the document's active element. */
        return wanted && wanted.getRootNode().activeElement === wanted ? wanted : active;
    };
