    /* Describes an element in a few words. A form's field named id would shadow the form's id. */
    const brief = (element) => {
        const said = (name) => Element.prototype.getAttribute.call(element, name);
        const id = said('id') ? `#${said('id')}` : '';
        const classes = (said('class') ?? '').split(/\s+/).filter(Boolean).slice(0, 3).map((name) => `.${name}`).join('');
        return `<${element.localName}${id}${classes}`.slice(0, 100).toWellFormed() + '>';
    };
