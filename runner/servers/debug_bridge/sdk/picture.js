/* Draws pictures from a copy of the page inside an SVG (foreignObject). */

const canvasOf = (width, height) => Object.assign(doc.createElement('canvas'), { width, height });
/* The content is XHTML. Only a data: URL keeps the canvas readable. */
const draw = async (content, width, height, fontSize) => {
    const image = new Image();
    image.src = 'data:image/svg+xml,' + encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" ' +
        `width="${width}" height="${height}" font-size="${fontSize}"><foreignObject width="100%" height="100%">` +
        content.replace(/[\0-\x08\v\f\x0e-\x1f]/g, '') + '</foreignObject></svg>');
    await image.decode();
    return image;
};
/* Whether a test picture can be drawn and read back; checked once for all bridges. */
let drawing;
const canDraw = () => drawing ??= (async () => {
    const canvas = canvasOf(2, 1), context = canvas.getContext('2d');
    context.fillRect(0, 0, 1, 1);
    context.drawImage(await draw('<p xmlns="http://www.w3.org/1999/xhtml" style="margin:0;background:red">' +
        `<img style="display:block" src="${canvas.toDataURL()}"/></p>`, 2, 1), 0, 0);
    return context.getImageData(0, 0, 2, 1).data.join() === '0,0,0,255,255,0,0,255';
})().catch(() => false);

/* Copies values, choices and pictures into the markup. Omits the content of shadow roots. */
const freeze = (element, copy) => {
    const { localName, value, scrollLeft, scrollTop } = element;
    const { width, height, color, textDecoration } = getComputedStyle(element);
    const isHidden = isSecret(element), size = `;width:${width};height:${height}`;
    if (isHidden || element.shadowRoot) {
        copy.style.cssText += size;
    }
    if (localName === 'a') { /* links in an image have no colour of their own */
        copy.style.cssText += `;color:${color};text-decoration:${textDecoration}`;
    }
    if (element !== page && (scrollLeft || scrollTop)) {
        copy.style.overflow = 'hidden';
        for (const child of copy.children) {
            child.style?.setProperty('transform', `translate(${-scrollLeft}px,${-scrollTop}px)`);
        }
    }
    /* Frameworks use attribute names that are invalid in XML. */
    copy.getAttributeNames().forEach((name) => /^(xlink:)?[a-z_][\w-]*$/i.test(name) || copy.removeAttribute(name));
    if (isHidden) {
        empty(copy);
    } else if (/^(img|canvas|video)$/.test(localName)) {
        const image = doc.createElement('img');
        try {
            const canvas = canvasOf(element.naturalWidth ?? element.width, element.naturalHeight ?? element.height);
            canvas.getContext('2d').drawImage(element, 0, 0, canvas.width, canvas.height);
            image.src = canvas.toDataURL();
        } catch { /* of another origin: not readable */ }
        image.className = element.className;
        image.style.cssText = copy.style.cssText + size;
        copy.replaceWith(image);
    } else if (localName === 'textarea') {
        copy.textContent = value;
    } else if (localName === 'input') {
        copy.setAttribute('value', value);
        copy.toggleAttribute('checked', element.checked);
    } else if (localName === 'option') {
        copy.toggleAttribute('selected', element.selected);
    } else if (/^(script|noscript|link|style)$/.test(localName)) {
        copy.remove();
    }
};
const rulesOf = (sheet) => {
    try {
        return [...sheet.cssRules].map((rule) => rule.cssText).join('');
    } catch {
        return ''; /* of another origin */
    }
};
const screenshot = async ({ format = 'png', quality = 80, selector, fullPage }) => {
    const element = selector && mustFind(selector), isWhole = element || fullPage, type = 'image/' + format;
    element && mustBeVisible(element);
    const left = isWhole ? -scrollX : 0, top = isWhole ? -scrollY : 0; /* of the drawn part, in the viewport */
    const width = isWhole ? page.scrollWidth : page.clientWidth, height = isWhole ? page.scrollHeight : innerHeight;
    const box = element ? boxOf(element) : { x: left, y: top, width, height };
    const ratio = Math.min(devicePixelRatio, 8000 / box.width, 8000 / box.height);
    const canvas = canvasOf(Math.ceil(box.width * ratio), Math.ceil(box.height * ratio));
    const context = canvas.getContext('2d'), styles = getComputedStyle(page);

    const copy = inert.importNode(page, true), copies = all(copy, '*');
    all(page, '*').forEach((one, i) => freeze(one, copies[i]));
    const style = copy.appendChild(doc.createElement('style'));
    style.textContent = [...doc.styleSheets, ...doc.adoptedStyleSheets].map(rulesOf).join('');
    copy.style.cssText += `;position:relative;left:${-scrollX - left}px;top:${-scrollY - top}px`;
    const image = await draw(new XMLSerializer().serializeToString(copy), width, height, styles.fontSize);
    context.scale(ratio, ratio);
    for (const color of ['#fff', getComputedStyle(doc.body).backgroundColor, styles.backgroundColor]) {
        context.fillStyle = color;
        context.fillRect(0, 0, box.width, box.height);
    }
    context.drawImage(image, left - box.x, top - box.y, width, height);
    const [head, data] = canvas.toDataURL(type, quality / 100).split(';base64,');
    head === 'data:' + type || invalid('format');
    return { format, data, viewport: { width: innerWidth, height: innerHeight, devicePixelRatio: ratio } };
};
