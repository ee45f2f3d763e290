// `check review`: the page asks its server to make pictures the baselines. In a report that is
// opened from disk all of this is off.

const REVIEW_STATES = {
  open: { label: "Open", sign: "?" },
  accepted: { label: "Accepted", sign: "✓" },
  rejected: { label: "Rejected", sign: "✕" },
};

const review = {
  token: document.querySelector("meta[http-equiv]").content.includes("connect-src")
    ? new URLSearchParams(location.search).get("token") : null,
  socket: null,
  decisions: new Map(), // by the ids of checks: { state, baseline, isChanged }
  shown: new Set(), // the states to show; empty: all
  folder: "",
};

const isReview = () => review.token !== null;
const decisionOf = (check) => review.decisions.get(check.id);
const decidable = (list) => list.filter((check) => decisionOf(check));
const inState = (list, state) => list.filter((check) => decisionOf(check)?.state === state);

// The address of a picture from the server; the baseline's fingerprint makes a changed one load.
function reviewPicture(check, kind) {
  const decision = decisionOf(check);
  const isNow = kind === "expected" && decision?.isChanged;
  return `/picture?${new URLSearchParams({ check: check.id, which: isNow ? "baseline" : kind,
    ...(isNow && { print: decision.baseline }), token: review.token })}`;
}

function decide(op, list) {
  const from = { accept: ["open"], reject: ["open"], undo: ["accepted", "rejected"] }[op];
  const those = decidable(list).filter((check) => from.includes(decisionOf(check).state));
  if (!those.length) {
    say("There is nothing to decide here");
    return;
  }
  if (review.socket?.readyState !== WebSocket.OPEN) {
    say("The review has ended: start it again");
    return;
  }
  review.socket.send(JSON.stringify({ op, checks: those.map((check) => {
    const { state, baseline } = decisionOf(check);
    return { id: check.id, from: state, baseline };
  }) }));
}

// Decides about the check that is shown, and goes to the next open one.
function decideShown(op) {
  if (!stage.check) {
    return;
  }
  const check = stage.check;
  const isOpen = decisionOf(check)?.state === "open";
  decide(op, [check]);
  if (isOpen && op !== "undo") {
    const isWanted = (other) => decisionOf(other)?.state === "open" && other !== check;
    goTo(neighbour(1, isWanted) ?? neighbour(-1, isWanted));
  }
}

function decisionBadge(check) {
  const decision = decisionOf(check);
  return decision && decision.state !== "open" && make("span", { class: `badge decision is-${decision.state}` },
    `${REVIEW_STATES[decision.state].sign} ${REVIEW_STATES[decision.state].label}`);
}

// The buttons that decide about the checks, in the place of the command that approves them.
function decisionBar(list, label) {
  const those = decidable(list);
  const open = inState(those, "open").length;
  const done = those.length - open;
  const count = (number) => (those.length > 1 ? ` ${number.toLocaleString("en")}` : "");
  return those.length > 0 && make("div", { class: "command decision-bar" },
    make("span", { class: "command-label" }, label),
    those.length === 1 ? decisionBadge(those[0]) : make("span", { class: "muted" }, `${open} open, ${done} decided`),
    decisionOf(those[0]).isChanged && those.length === 1 && make("span", { class: "reason is-flaky" }, "The baseline has changed since the run"),
    make("span", { class: "spacer" }),
    done > 0 && button(`Undo${count(done)}`, { class: "quiet", "data-decide": "undo", title: "Undo (u)", onclick: () => decide("undo", those) }),
    open > 0 && button(`Reject${count(open)}`, { class: "quiet", "data-decide": "reject", title: "Reject (r)", onclick: () => decide("reject", those) }),
    open > 0 && button(`Accept${count(open)}`, { class: "primary", "data-decide": "accept", title: "Make it the baseline (y)", onclick: () => decide("accept", those) }));
}

// The chips that filter by decision.
function drawDecisions() {
  const all = decidable(checks);
  byId("decisions").hidden = all.length === 0;
  byId("decisions").replaceChildren(...Object.entries(REVIEW_STATES).map(([name, { label, sign }]) =>
    button("", { class: "chip", "data-decision": name, "aria-pressed": String(review.shown.has(name)), onclick: () => {
      toggleFilter(review.shown, name);
      drawDecisions();
    } }, make("span", { class: "chip-sign", "aria-hidden": "true" }, sign), `${label} `,
    make("span", { class: "count" }, inState(all, name).length.toLocaleString("en")))));
}

function drawReview() {
  drawDecisions();
  const { id } = document.activeElement ?? {};
  drawList();
  markCurrent();
  drawSelection();
  if (stage.check) {
    byId("approval").replaceWith(makeApproval(stage.check));
  } else {
    drawSummary();
  }
  if (id) {
    byId(id)?.focus({ preventScroll: true });
  }
}

function takeState(message) {
  const isFirst = review.decisions.size === 0;
  review.folder = message.folder;
  const changed = [];
  for (const { id, ...decision } of message.checks) {
    const before = review.decisions.get(id);
    review.decisions.set(id, decision);
    if (decision.isChanged && before?.baseline !== decision.baseline && decision.state === "open") {
      changed.push(id);
      const check = checkById.get(id);
      // What the report compared is not what is there now.
      delete check.images.diff;
      delete check.comparison;
      delete check.regions;
      check.images = decision.baseline ? { expected: "now", ...check.images } : { actual: check.images.actual };
    }
  }
  drawReview();
  if (stage.check && changed.includes(stage.check.id)) {
    drawCheck(stage.check);
  }
  const accepted = message.checks.filter(({ state }) => state === "accepted");
  if (!isFirst && accepted.length) {
    say(accepted.length === 1 ? `Wrote ${review.folder}/${accepted[0].id}.png` : `Wrote ${plural(accepted.length, "baseline")} in ${review.folder}`);
  }
}

function takeRefusal({ checks: refused }) {
  const [{ id, why }] = refused;
  say(refused.length === 1 ? `${id}: ${why}` : `${plural(refused.length, "check")} not decided: ${why}`);
}

function endReview() {
  review.socket?.send(JSON.stringify({ op: "end" }));
}

function startReview() {
  if (!isReview()) {
    return;
  }
  document.body.classList.add("is-review");
  byId("end-review").hidden = false;
  byId("end-review").addEventListener("click", endReview);
  const socket = new WebSocket(`ws://${location.host}/decisions?token=${encodeURIComponent(review.token)}`);
  review.socket = socket;
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(data);
    ({ state: takeState, refused: takeRefusal })[message.kind]?.(message);
  });
  socket.addEventListener("close", () => {
    byId("end-review").hidden = true;
    say("The review has ended; this page can be closed");
  });
}
