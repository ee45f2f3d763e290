// BackstopJS has no setting for it: animations do not move, the caret is not seen.
const STILL = '*, *::before, *::after { animation: none !important; transition: none !important; caret-color: transparent !important; }';

module.exports = (page) => page.addStyleTag({ content: STILL });
