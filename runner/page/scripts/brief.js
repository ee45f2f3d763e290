    /* An element in a few words. A field of a form may be called id, and stand in for that of the form. */
    const brief = (element) => {
        const said = (name) => Element.prototype.getAttribute.call(element, name);
        const id = said('id') ? `#${said('id')}` : '';
        const classes = (said('class') ?? '').split(/\s+/).filter(Boolean).slice(0, 3).map((name) => `.${name}`).join('');
        return `<${element.localName}${id}${classes}`.slice(0, 100).toWellFormed() + '>';
    };
