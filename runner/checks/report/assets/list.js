// The list of checks. Only the visible rows are in the document, so that it stays fast with
// thousands of checks.

const HEIGHTS = { status: 32, group: 44, check: 56 };
const OVERSCAN = 400; // pixels rendered above and below the visible part

const list = { items: [], tops: [], height: 0, rows: new Map() };

function statusSign(name) {
  const status = statusByName.get(name);
  return make("span", { class: `sign is-${name}`, title: status.one },
    make("span", { "aria-hidden": "true" }, status.sign),
    make("span", { class: "hidden-label" }, status.one));
}

function selectBox(what, members) {
  const chosen = members.filter((check) => state.selection.has(check.id)).length;
  const box = make("input", {
    type: "checkbox",
    checked: chosen === members.length,
    "aria-label": `Select ${what}`,
    onchange: () => select(members, box.checked),
  });
  box.indeterminate = chosen > 0 && chosen < members.length;
  return make("label", { class: "select-box", title: "Select (x)" }, box);
}

function checkRow(item) {
  const { check } = item;
  const ratio = check.comparison?.diffRatio;
  const note = check.reason ?? (check.status === "passed" ? "" : statusByName.get(check.status).one);
  return make("li", { class: `row row-check${item.isMember ? " is-member" : ""}` },
    selectBox(check.id, [check]),
    make("a", {
      class: "row-link",
      href: addressOf({ id: check.id }),
      "aria-current": check.id === state.id ? "true" : undefined,
      "data-id": check.id,
    },
    statusSign(check.status),
    make("span", { class: "row-text" },
      make("span", { class: "row-name" },
        make("span", { class: "name" }, check.name),
        make("span", { class: "badge" }, check.viewport.name),
        decisionBadge(check)),
      make("span", { class: "row-note muted" }, note || duration(check.durationMs))),
    make("span", { class: "row-side muted" }, ratio > 0 && percent(ratio))));
}

function groupRow(item) {
  const toggle = button("", {
    class: "group-toggle",
    "aria-expanded": String(item.isOpen),
    onclick: () => toggleGroup(item.group),
  },
  make("span", { class: "arrow", "aria-hidden": "true" }, item.isOpen ? "▾" : "▸"),
  make("span", { class: "group-name" }, `Same change in ${item.members.length} checks`));
  return make("li", { class: "row row-group" },
    selectBox(`the ${item.members.length} checks of this change`, item.members),
    toggle,
    approvable(item.members).length > 0 && button(isReview() ? "Accept all" : "Copy approve", {
      class: "link group-copy",
      title: isReview() ? "Accept all of them" : "Copy the command that approves all of them",
      onclick: () => copyApproval(item.members),
    }));
}

const rowMakers = {
  status: (item) => make("li", { class: "row row-status" },
    make("h2", {}, `${item.status.label} `, make("span", { class: "muted" }, item.count.toLocaleString("en")))),
  group: groupRow,
  check: checkRow,
};

// The first item whose lower edge is below `top`.
function itemAt(top) {
  let low = 0;
  let high = list.items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list.tops[middle] + HEIGHTS[list.items[middle].kind] > top) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

function drawRows() {
  const box = byId("list");
  const from = itemAt(box.scrollTop - OVERSCAN);
  const end = box.scrollTop + box.clientHeight + OVERSCAN;
  const kept = new Set();
  let previous = null;
  for (let i = from; i < list.items.length && list.tops[i] < end; i++) {
    const item = list.items[i];
    let row = list.rows.get(item.key);
    if (!row) {
      row = rowMakers[item.kind](item);
      row.setAttribute("aria-setsize", list.items.length);
      row.setAttribute("aria-posinset", i + 1);
      row.style.transform = `translateY(${list.tops[i]}px)`;
      row.style.height = `${HEIGHTS[item.kind]}px`;
      list.rows.set(item.key, row);
    }
    kept.add(item.key);
    // Keeps the document in the order of the list, for screen readers and the Tab key.
    const place = previous ? previous.nextSibling : byId("rows").firstChild;
    if (row !== place) {
      byId("rows").insertBefore(row, place);
    }
    previous = row;
  }
  for (const [name, row] of list.rows) {
    if (!kept.has(name)) {
      row.remove();
      list.rows.delete(name);
    }
  }
}

// Draws all rows again; the focus stays on the same check.
function drawList() {
  const focused = document.activeElement?.dataset?.id;
  list.items = listItems();
  list.tops = [];
  list.height = 0;
  for (const item of list.items) {
    list.tops.push(list.height);
    list.height += HEIGHTS[item.kind];
  }
  byId("rows").style.height = `${list.height}px`;
  byId("rows").replaceChildren();
  list.rows.clear();
  drawRows();
  if (focused) {
    rowLink(focused)?.focus({ preventScroll: true });
  }
  const count = shownChecks().length;
  byId("found").textContent = count === checks.length
    ? plural(count, "check")
    : `${count.toLocaleString("en")} of ${plural(checks.length, "check")}`;
  byId("clear").hidden = count === checks.length && !state.query;
}

const rowLink = (id) => list.rows.get(id)?.querySelector(".row-link");

function scrollToCheck(id) {
  const index = list.items.findIndex((item) => item.key === id);
  const box = byId("list");
  if (index < 0) {
    return;
  }
  const top = list.tops[index];
  if (top < box.scrollTop + HEIGHTS.status) {
    box.scrollTop = top - HEIGHTS.status;
  } else if (top + HEIGHTS.check > box.scrollTop + box.clientHeight) {
    box.scrollTop = top + HEIGHTS.check - box.clientHeight + HEIGHTS.status;
  }
}

// Marks the row of the check that is shown.
function markCurrent() {
  for (const link of byId("rows").querySelectorAll(".row-link")) {
    if (link.dataset.id === state.id) {
      link.setAttribute("aria-current", "true");
    } else {
      link.removeAttribute("aria-current");
    }
  }
}

function toggleGroup(group) {
  if (!state.closedGroups.delete(group.number)) {
    state.closedGroups.add(group.number);
  }
  drawList();
}

function select(members, isSelected) {
  for (const check of members) {
    if (isSelected) {
      state.selection.add(check.id);
    } else {
      state.selection.delete(check.id);
    }
  }
  drawList();
  drawSelection();
}

function drawSelection() {
  const bar = byId("selection");
  const chosen = checks.filter((check) => state.selection.has(check.id));
  const count = (isReview() ? inState(chosen, "open") : approvable(chosen)).length;
  bar.hidden = chosen.length === 0;
  bar.replaceChildren(...[
    make("span", {}, `${chosen.length.toLocaleString("en")} selected`),
    make("span", { class: "spacer" }),
    button("Clear", { class: "quiet", onclick: () => select(checks, false) }),
    isReview() && count > 0 && button(`Reject (${count})`, { class: "quiet", "data-decide": "reject", onclick: () => decide("reject", chosen) }),
    button(count ? `${isReview() ? "Accept" : "Copy approve"} (${count})` : "Nothing to approve", {
      class: "primary",
      disabled: count === 0,
      title: isReview() ? "Accept them (Shift+Y)" : "Copy one command that approves them (Shift+C)",
      onclick: () => copyApproval(chosen),
    })].filter(Boolean));
}

// The next check (or the previous one for a negative step) in the order of the list, counted from
// the check that is shown. undefined if there is none.
function neighbour(step, isWanted = () => true) {
  const shown = list.items.filter((item) => item.kind === "check").map((item) => item.check);
  const at = shown.findIndex((check) => check.id === state.id);
  for (let i = at < 0 && step < 0 ? shown.length - 1 : at + step; i >= 0 && i < shown.length; i += step) {
    if (isWanted(shown[i])) {
      return shown[i];
    }
  }
  return undefined;
}

function drawChips() {
  byId("statuses").replaceChildren(...STATUSES.filter((status) => countOf(status.name)).map((status) =>
    button("", {
      class: `chip is-${status.name}`,
      "data-status": status.name,
      onclick: () => toggleFilter(state.statuses, status.name),
    },
    make("span", { class: "chip-sign", "aria-hidden": "true" }, status.sign),
    `${status.label} `,
    make("span", { class: "count" }, countOf(status.name).toLocaleString("en")))));
  const tags = [...new Set(checks.flatMap((check) => check.tags))].sort();
  byId("tags").hidden = tags.length === 0;
  byId("tags").replaceChildren(...tags.slice(0, 60).map((tag) => button(tag, {
    class: "chip",
    "data-tag": tag,
    onclick: () => toggleFilter(state.tags, tag),
  })));
  markChips();
}

function markChips() {
  for (const chip of document.querySelectorAll(".chip")) {
    const isOn = state.statuses.has(chip.dataset.status) || state.tags.has(chip.dataset.tag);
    chip.setAttribute("aria-pressed", String(isOn));
  }
}

function toggleFilter(set, value) {
  if (!set.delete(value)) {
    set.add(value);
  }
  filterChanged();
}

function filterChanged() {
  markChips();
  byId("list").scrollTop = 0;
  drawList();
  if (isReview() && !stage.check) {
    drawSummary(); // its buttons decide about what is listed
  }
  keepAddress();
}
