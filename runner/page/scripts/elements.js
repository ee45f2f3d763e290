/*
 * The library of elements, loaded once in each of our worlds: finds an action's target in the
 * document and in open shadow roots, and does the action's work on it. The caller holds elements as
 * values: see job() in elements/answer.js. Returns { code, message, hint } on failure; the hint is
 * optional.
 */
(() => {
/* include private.js */
/* include around.js */
/* include brief.js */
/* include field.js */
    const matchesOf = ownOf(Element, 'matches');
    const childNodesOf = ownOf(Node, 'childNodes');
    const rootOf = ownOf(Node, 'getRootNode');
    const closestOf = ownOf(Element, 'closest');
    const isInert = ownOf(HTMLElement, 'inert');

/* include elements/answer.js */
/* include elements/find.js */
/* include elements/names.js */
/* include elements/say.js */
/* include elements/place.js */
/* include elements/ready.js */
/* include elements/hit.js */
/* include elements/arrival.js */
/* include elements/click.js */
/* include elements/focus.js */
/* include elements/typing.js */
/* include elements/choose.js */
/* include elements/check.js */
/* include elements/files.js */
/* include elements/box.js */
/* include elements/scroll.js */
/* include elements/frame.js */
/* include elements/markup.js */
/* include elements/examine.js */
/* include elements/fill.js */
/* include elements/stir.js */

    /* Does nothing with it; the protocol identifies the node. */
    const keep = (found) => {
        found.node = found.element;
        return {};
    };

    return {
        aim: job(aim, { saysChosen: true }),
        steady: job(steady, { saysChosen: true }),
        focus: job(focus, { saysChosen: true }),
        select: job(select, { saysChosen: true }),
        hit: job(hit),
        chosen: job(chosen),
        checked: job(checked),
        files: job(files, { mayBeApart: true }),
        box: job(box),
        scroll: job(scroll, { mayBePage: true }),
        frame: job(frame, { invalidCode: 'TARGET_NOT_FOUND' }),
        keep: job(keep),
        examine: job(examine),
        field: job(field),
        fieldNow: job(fieldNow),
        formAround: job(formAround),
        mark: job(mark),
        markup: job(markup, { mayBePage: true }),
        requestSubmit: job(requestSubmit),
        submitted: job(submitted),
        submitter: job(submitter),
        arrived, beforeLine, afterLine, checkEmpty, commit, count, enterEditor, examineAll, filesTaken,
        frameInput, framePoint, framePolicy, frameSize, namesMeant, restore, stir,
    };
})()
