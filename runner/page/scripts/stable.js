/*
 * Keeps a document still for pictures, and resumes it, according to `mode`:
 * 'check': returns the first invalid selector of `selectors`, or null;
 * 'begin': removes the elements of `remove` and makes those of `hide` invisible, in this document
 *          and its open shadow roots; with isFrozen it also hides the caret, ends animations,
 *          pauses media and turns smooth scrolling off; with isMoving animations go on. Returns
 *          `unmatched`: selectors without an element, including those of `mask`, `ignore` and
 *          `locate`;
 * 'load':  waits for fonts and for the images in the picture, at most `patience` ms together: with
 *          isWhole for all images, scrolling through the page and back, otherwise for those in
 *          view. Returns what did not load, as sentences;
 * 'look':  ends what has begun to move since, with isMoving pauses it where it is, and returns the boxes, in the document, of the
 *          visible elements of `mask`, of `ignore` and of `locate`, and the viewport's position in
 *          it;
 * 'name':  returns what is at `box` of the document, such as "<canvas#clock>", or null;
 * 'end':   undoes what can be undone.
 */
async function ({
    mode, selectors, hide = [], remove = [], mask = [], ignore = [], locate = [], isFrozen, isMoving, isWhole, patience,
    box: wanted,
}) {
    const MAX_ROOTS = 1000;
    const MAX_BOXES = 1000;
    const MAX_FALLBACKS = 10000; /* elements that are styled one by one */
    const MAX_STEPS = 40;        /* when scrolling through a page for its images */
    const MAX_NAMED = 3;

    const STILL = '* { caret-color: transparent !important; scroll-behavior: auto !important; }';
    const WAYS = { hide: ['visibility', 'hidden'], remove: ['display', 'none'] };

    const findRoots = () => {
        const roots = [document];
        for (let i = 0; i < roots.length && roots.length < MAX_ROOTS; i++) {
            const walker = document.createTreeWalker(roots[i], NodeFilter.SHOW_ELEMENT);
            for (let node = walker.nextNode(); node; node = walker.nextNode()) {
                if (node.shadowRoot) {
                    roots.push(node.shadowRoot);
                }
            }
        }
        return roots;
    };

    const findAll = (selector) => findRoots().flatMap((root) => [...root.querySelectorAll(selector)]);

    const isSelector = (selector) => {
        try {
            document.createDocumentFragment().querySelector(selector);
            return true;
        } catch {
            return false;
        }
    };

    const state = globalThis.browserRunnerStable ||= {
        sheet: null, adopted: new Set(), styled: new Map(), cancelled: [], standing: [], paused: [], pictures: [], lazy: [],
    };

    /* Rules also apply to elements that the page creates later, and leave no trace in elements. */
    const ruleText = () => {
        const rules = Object.entries(WAYS).flatMap(([name, [property, value]]) =>
            ({ hide, remove })[name].map((selector) => `${selector} { ${property}: ${value} !important; }`));
        return [...(isFrozen ? [STILL] : []), ...rules];
    };

    const adopt = () => {
        for (const root of findRoots()) {
            if (!state.adopted.has(root)) {
                root.adoptedStyleSheets = [...root.adoptedStyleSheets, state.sheet];
                state.adopted.add(root);
            }
        }
    };

    /* For elements that override the rule by a style of their own, or have a visible part. */
    const force = (element, [property, value]) => {
        if (getComputedStyle(element)[property] === value || state.styled.size >= MAX_FALLBACKS) {
            return;
        }
        const style = element.style;
        if (!state.styled.has(element)) {
            const before = ['transition', property].map((name) =>
                [name, style.getPropertyValue(name), style.getPropertyPriority(name)]);
            state.styled.set(element, { before, hadNone: !element.hasAttribute('style') });
        }
        style.setProperty('transition', 'none', 'important');
        style.setProperty(property, value, 'important');
    };

    const cover = () => {
        remove.flatMap(findAll).forEach((element) => force(element, WAYS.remove));
        for (const element of hide.flatMap(findAll)) {
            [element, ...element.querySelectorAll('*')].forEach((part) => force(part, WAYS.hide));
        }
    };

    /* Returns running animations driven by time, not by scrolling. */
    const findMoving = () => [...new Set(findRoots().flatMap((root) => root.getAnimations()))]
        .filter((animation) => animation.playState === 'running' && animation.effect &&
            animation.timeline instanceof DocumentTimeline && animation.playbackRate !== 0);

    const endAnimation = (animation) => {
        try {
            if (Number.isFinite(animation.effect.getComputedTiming().endTime)) {
                animation.finish();
            } else {
                const time = animation.currentTime;
                animation.cancel();
                state.cancelled.push({ animation, time });
            }
        } catch {
            /* an animation that cannot be ended stays visible in the pictures */
        }
    };

    /* The frames of a capture have times of their own, which differ by microseconds. */
    const rounded = (ms) => Math.round(ms * 10) / 10;

    const standStill = (animation) => {
        try {
            const time = rounded(animation.currentTime);
            animation.pause();
            animation.currentTime = time;
            state.standing.push(animation);
        } catch {
            /* an animation that cannot be paused goes on */
        }
    };

    const pausePlayers = () => {
        for (const player of findAll('video, audio')) {
            if (!player.paused) {
                player.pause();
                state.paused.push(player);
            }
        }
    };

    /* Animations inside SVG have a clock of their own. */
    const pausePictures = (timeOf) => {
        for (const svg of findAll('svg')) {
            const isOutermost = !svg.ownerSVGElement && typeof svg.pauseAnimations === 'function';
            if (isOutermost && !svg.animationsPaused() &&
                svg.querySelector('animate, animateTransform, animateMotion, set')) {
                const time = svg.getCurrentTime();
                state.pictures.push({ svg, time });
                svg.pauseAnimations();
                svg.setCurrentTime(timeOf(time));
            }
        }
    };

    const freeze = () => {
        adopt();
        cover();
        if (isFrozen) {
            pausePlayers();
        }
        if (isFrozen && !isMoving) {
            findMoving().forEach(endAnimation);
            pausePictures(() => 0);
        }
    };

    const begin = () => {
        state.sheet ||= new CSSStyleSheet();
        for (const rule of ruleText()) {
            state.sheet.insertRule(rule, state.sheet.cssRules.length);
        }
        freeze();
        const unmatched = Object.entries({ hide, remove, mask, ignore, locate }).flatMap(([name, list]) =>
            list.filter((selector) => !findAll(selector).length).map((selector) => ({ name, selector })));
        return { unmatched };
    };

    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

    const nextFrame = () => Promise.race([new Promise(requestAnimationFrame), pause(100)]);

    /* Returns true if it finished in time. */
    const within = (promise, end) => Promise.race([
        promise.then(() => true), pause(Math.max(end - performance.now(), 0)).then(() => false),
    ]);

    const isInView = (element) => {
        const box = element.getBoundingClientRect();
        return box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
    };

    const isShown = (element) => isWhole || isInView(element);

    /*
     * Scrolls like a reader, for pages that load what comes into view. Stops at the original length
     * of the page.
     */
    const scrollThrough = async (end) => {
        const { scrollX, scrollY } = window;
        const height = document.scrollingElement ? document.scrollingElement.scrollHeight : 0;
        const step = Math.max(innerHeight, height / MAX_STEPS);
        let y = 0;
        for (; y < height && height > innerHeight && performance.now() < end; y += step) {
            window.scrollTo(scrollX, y);
            await nextFrame();
            await nextFrame();
        }
        if (window.scrollY !== scrollY || window.scrollX !== scrollX) {
            window.scrollTo(scrollX, scrollY);
            await nextFrame();
        }
        return y >= height || height <= innerHeight ? [] :
            [`the page was scrolled down to ${Math.round(y)} of ${height} px only`];
    };

    const wakeLazy = () => {
        for (const element of findAll('img[loading=lazy], iframe[loading=lazy]')) {
            if (isShown(element)) {
                element.loading = 'eager';
                state.lazy.push(element);
            }
        }
    };

    const loaded = (image) => new Promise((resolve) => {
        image.addEventListener('load', resolve, { once: true });
        image.addEventListener('error', resolve, { once: true });
    });

    const named = (names) => names.slice(0, MAX_NAMED).join(', ') + (names.length > MAX_NAMED ? ', \u2026' : '');

    const sources = (list) => named(list.map((image) => (image.currentSrc || image.src).slice(0, 200)));

    const seconds = () => `within ${Math.round(patience / 100) / 10} s`;

    const awaitImages = async (end) => {
        const images = findAll('img').filter((image) => (image.currentSrc || image.src) && isShown(image));
        const missing = new Set(images);
        const decode = (image) => image.decode().catch(() => {}).then(() => missing.delete(image));
        await within(Promise.all(images.map((image) =>
            image.complete ? decode(image) : loaded(image).then(() => decode(image)))), end);
        const late = [...missing];
        return late.length === 0 ? [] :
            [`${late.length === 1 ? 'an image' : late.length + ' images'} did not load ${seconds()}: ${sources(late)}`];
    };

    const awaitFonts = async (end) => {
        const isLoaded = document.fonts.status === 'loaded' || await within(document.fonts.ready, end);
        const late = [...document.fonts].filter((font) => font.status === 'loading').map((font) => font.family.replace(/^(['"])(.*)\1$/, '$2'));
        return isLoaded ? [] : [`fonts did not finish loading ${seconds()}${late.length ? ': ' + named([...new Set(late)]) : ''}`];
    };

    const load = async () => {
        const end = performance.now() + patience;
        wakeLazy();
        const scrolling = isWhole ? await scrollThrough(end) : [];
        wakeLazy();
        const [fonts, images] = await Promise.all([awaitFonts(end), awaitImages(end)]);
        return [...scrolling, ...fonts, ...images].map((text) => text.toWellFormed());
    };

    const boxesOf = (elements) => [...new Set(elements)]
        .filter((element) => element.checkVisibility({ visibilityProperty: true }))
        .map((element) => element.getBoundingClientRect())
        .filter((box) => box.width > 0 && box.height > 0)
        .slice(0, MAX_BOXES)
        .map((box) => ({ x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: box.height }));

    const namedBoxesOf = (list) => list.flatMap((selector) =>
        boxesOf(findAll(selector)).map((box) => ({ selector, ...box }))).slice(0, MAX_BOXES);

    const look = () => {
        freeze();
        if (isFrozen && isMoving) {
            findMoving().forEach(standStill);
            pausePictures((seconds) => rounded(seconds * 1000) / 1000);
        }
        const view = { left: visualViewport.pageLeft, top: visualViewport.pageTop };
        return { ...view, boxes: boxesOf(mask.flatMap(findAll)), ignored: namedBoxesOf(ignore), located: namedBoxesOf(locate) };
    };

    /* Returns the smallest element around it; of several the innermost. */
    const name = () => {
        const { left, top, right, bottom } = new DOMRect(wanted.x - scrollX, wanted.y - scrollY, wanted.width, wanted.height);
        let best = null;
        let bestSize = Infinity;
        for (const element of findAll('*')) {
            const box = element.getBoundingClientRect();
            const holds = box.left <= left + 1 && box.top <= top + 1 && box.right >= right - 1 && box.bottom >= bottom - 1;
            if (holds && box.width * box.height <= bestSize && element.checkVisibility({ visibilityProperty: true })) {
                best = element;
                bestSize = box.width * box.height;
            }
        }
        const id = best && best.id ? '#' + best.id : '';
        const classes = best ? [...best.classList].slice(0, 3).map((one) => '.' + one).join('') : '';
        return best && `<${best.localName}${id}${classes}>`.toWellFormed();
    };

    const resume = ({ animation, time }) => {
        const target = animation.effect && animation.effect.target;
        if (animation.playState === 'idle' && target && target.isConnected) {
            animation.play();
            animation.currentTime = time;
        }
    };

    const restoreStyle = ([element, { before, hadNone }]) => {
        for (const [name, value, priority] of before) {
            element.style.setProperty(name, value, priority);
        }
        /*
         * Reading it first makes Chrome serialise it: otherwise the removed attribute comes back as
         * "".
         */
        if (hadNone && !element.getAttribute('style')) {
            element.removeAttribute('style');
        }
    };

    /* Each step by itself: if one fails, the others are still undone. */
    const undo = (list, step) => {
        for (const one of list) {
            try {
                step(one);
            } catch {
                continue;
            }
        }
    };

    const end = () => {
        const before = new Set(findMoving());
        undo(state.styled, restoreStyle);
        undo(state.adopted, (root) => {
            root.adoptedStyleSheets = [...root.adoptedStyleSheets].filter((one) => one !== state.sheet);
        });
        /* Restored elements should not fade in. */
        undo(findMoving().filter((one) => one instanceof CSSTransition && !before.has(one)), (one) => one.finish());
        undo(state.cancelled, resume);
        undo(state.standing, (animation) => animation.playState === 'paused' && animation.play());
        undo(state.pictures, ({ svg, time }) => {
            svg.setCurrentTime(time);
            svg.unpauseAnimations();
        });
        undo(state.paused, (player) => player.play().catch(() => {}));
        undo(state.lazy, (element) => { element.loading = 'lazy'; });
        globalThis.browserRunnerStable = undefined;
    };

    const check = () => selectors.find((selector) => !isSelector(selector)) ?? null;

    return { check, begin, load, look, name, end }[mode]();
}
