// The keyboard shortcuts, and the page that lists them.

const nextBad = (step) => goTo(neighbour(step, (check) => statusByName.get(check.status).isBad));
const shownGroup = () => stage.check && groupOf.get(stage.check.id);

const onStage = (action) => (event) => stage.panes.length && action(event);

const KEYS = [
  { title: "Checks", keys: [
    { names: ["j", "↓"], events: ["j", "ArrowDown"], text: "Next check", run: () => goTo(neighbour(1)) },
    { names: ["k", "↑"], events: ["k", "ArrowUp"], text: "Previous check", run: () => goTo(neighbour(-1)) },
    { names: ["n"], events: ["n"], text: "Next failed check", run: () => nextBad(1) },
    { names: ["p"], events: ["p"], text: "Previous failed check", run: () => nextBad(-1) },
    { names: ["/"], events: ["/"], text: "Search", run: () => focusSearch() },
    { names: ["s"], events: ["s"], text: "Summary of the run", run: showSummary },
    { names: ["Esc"], events: ["Escape"], text: "Leave the search; show all; the summary", run: () => escape() },
  ] },
  { title: "Pictures", keys: [
    ...MODES.map((mode, i) => ({
      names: [String(i + 1)], events: [String(i + 1)], text: mode.label, run: onStage(() => setMode(mode.name)),
    })),
    { names: ["]"], events: ["]"], text: "Next region that differs", run: onStage(() => goToRegion(1)) },
    { names: ["["], events: ["["], text: "Previous region", run: onStage(() => goToRegion(-1)) },
    { names: ["o"], events: ["o"], text: "Outlines of the regions", run: onStage(() => toggleRegions()) },
    { names: ["Space"], events: [" "], text: "Blink: pause and go on", run: onStage(toggleBlink) },
    { names: ["←", "→"], events: ["ArrowLeft", "ArrowRight"], text: "Slider and overlay: move", run: onStage(nudge) },
    { names: ["+"], events: ["+", "="], text: "Larger; so does the wheel", run: onStage(() => zoomBy(1.25)) },
    { names: ["-"], events: ["-"], text: "Smaller", run: onStage(() => zoomBy(1 / 1.25)) },
    { names: ["f"], events: ["f"], text: "Whole picture", run: onStage(() => fitView("whole")) },
    { names: ["w"], events: ["w"], text: "Whole width", run: onStage(() => fitView("width")) },
    { names: ["0"], events: ["0"], text: "Pixel by pixel", run: onStage(zoomExact) },
  ] },
  { title: "Approving", keys: [
    { names: ["c"], events: ["c"], text: "Copy the approve command", run: () => stage.check && copyApproval([stage.check]) },
    { names: ["a"], events: ["a"], text: "Copy it for all equal changes", run: () => shownGroup() && copyApproval(shownGroup().members) },
    { names: ["x"], events: ["x"], text: "Select the check, or not", run: () => toggleSelected() },
    { names: ["g"], events: ["g"], text: "Select all equal changes", run: () => shownGroup() && select(shownGroup().members, true) },
    { names: ["Shift+C"], events: ["C"], text: "Copy the command for what is selected", run: () => copyApproval(checks.filter((check) => state.selection.has(check.id))) },
  ] },
  ...(isReview() ? [{ title: "Deciding", keys: [
    { names: ["y"], events: ["y"], text: "Accept, and go to the next", run: () => decideShown("accept") },
    { names: ["r"], events: ["r"], text: "Reject, and go to the next", run: () => decideShown("reject") },
    { names: ["u"], events: ["u"], text: "Undo", run: () => decideShown("undo") },
    { names: ["Shift+Y"], events: ["Y"], text: "Accept what is selected", run: () => decide("accept", checks.filter((check) => state.selection.has(check.id))) },
  ] }] : []),
  { title: "Report", keys: [
    { names: ["t"], events: ["t"], text: "Light or dark", run: () => toggleTheme() },
    { names: ["?"], events: ["?"], text: "This help", run: () => showHelp() },
  ] },
];

const keyActions = new Map(KEYS.flatMap(({ keys }) => keys.flatMap(({ events, run }) => events.map((name) => [name, run]))));

function toggleBlink() {
  if (stage.mode.name === "blink") {
    setBlinking(!stage.isBlinking);
  }
}

function nudge(event) {
  const step = event.key === "ArrowLeft" ? -0.05 : 0.05;
  if (stage.mode.name === "slider") {
    setSplit(stage.split + step);
  } else if (stage.mode.name === "overlay") {
    const range = byId("mode-controls").querySelector("input[type=range]");
    range.value = Number(range.value) + step * 100;
    range.dispatchEvent(new Event("input"));
  }
}

function toggleSelected() {
  if (stage.check) {
    select([stage.check], !state.selection.has(stage.check.id));
  }
}

function focusSearch() {
  byId("query").focus();
  byId("query").select();
}

function escape() {
  if (document.activeElement === byId("query")) {
    byId("query").blur();
  } else if (state.query || state.statuses.size || state.tags.size) {
    showAll();
  } else {
    goTo(null);
  }
}

function showHelp() {
  const dialog = byId("keys");
  dialog.replaceChildren(
    make("h2", { id: "keys-title" }, "Keys"),
    make("div", { class: "key-columns" }, KEYS.map(({ title, keys }) => make("section", {},
      make("h3", {}, title),
      make("dl", {}, keys.map(({ names, text }) =>
        make("div", {}, make("dt", {}, names.map(key)), make("dd", {}, text))))))),
    make("form", { method: "dialog" }, make("button", { class: "primary" }, "Close")));
  dialog.showModal();
}

// Ignores keys while the user types in a field, and keys with Ctrl, Alt or Cmd, which belong to the
// browser.
function isForUs(event) {
  const isText = event.target.matches?.("textarea, input:not([type=checkbox]):not([type=range])");
  const isOwn = event.target.matches?.("input[type=range]") && event.key.startsWith("Arrow");
  const presses = event.key === " " && event.target.matches?.("button, summary, a, input");
  return !event.ctrlKey && !event.metaKey && !event.altKey && !isOwn && !presses &&
    !document.querySelector("dialog[open]") && (!isText || event.key === "Escape");
}

function onKey(event) {
  const run = isForUs(event) && keyActions.get(event.key);
  if (run) {
    event.preventDefault();
    run(event);
  }
}
