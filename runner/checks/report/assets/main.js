// The URL of the page stores the view: "#check=home%40desktop&mode=diff" can be sent to other
// people.

function addressOf(changes) {
  const shown = { id: state.id, mode: state.mode, query: state.query, statuses: state.statuses, tags: state.tags, ...changes };
  const parts = new URLSearchParams();
  const add = (name, value) => value && parts.set(name, value);
  add("check", shown.id);
  add("mode", shown.mode);
  add("q", shown.query);
  add("status", [...shown.statuses].join(","));
  for (const tag of shown.tags) {
    parts.append("tag", tag);
  }
  return `#${parts}`;
}

// Changes of the view replace the history entry; only going to a check adds one.
function keepAddress() {
  history.replaceState(null, "", addressOf({}));
}

function readAddress() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const id = parts.get("check");
  state.id = checkById.has(id) ? id : null;
  state.mode = MODES.some((mode) => mode.name === parts.get("mode")) ? parts.get("mode") : state.mode;
  state.query = parts.get("q") ?? "";
  state.statuses = new Set((parts.get("status") ?? "").split(",").filter((name) => statusByName.has(name)));
  state.tags = new Set(parts.getAll("tag"));
  byId("query").value = state.query;
}

// Goes to a check, or to the summary for null. Does nothing for undefined.
function goTo(check) {
  if (check === undefined || (check === null && state.id === null)) {
    return;
  }
  location.hash = addressOf({ id: check?.id ?? null });
}

// Shows what the URL says; the URL is the only source.
function show() {
  const before = state.id;
  readAddress();
  markChips();
  const check = checkById.get(state.id);
  const group = check && groupOf.get(check.id);
  if (group) {
    state.closedGroups.delete(group.number);
  }
  drawList();
  document.body.classList.toggle("has-check", Boolean(check));
  if (check) {
    document.body.classList.remove("shows-summary");
    scrollToCheck(check.id);
    drawRows();
    markCurrent();
    drawCheck(check);
  } else {
    drawSummary();
  }
  if (before !== state.id) {
    byId("main").scrollTop = 0;
    byId("shown").textContent = visible(check
      ? `${check.id}: ${statusByName.get(check.status).one}. ${check.reason ?? ""}`
      : "Summary of the run");
    document.title = `${check ? `${check.id} · ` : ""}${results.suite} · visual checks`;
  }
}

// In a narrow window the summary replaces the list, as a check does.
function showSummary() {
  document.body.classList.add("shows-summary");
  goTo(null);
}

function showAll() {
  state.query = byId("query").value = "";
  state.statuses.clear();
  state.tags.clear();
  filterChanged();
}

// Stores the chosen theme if the browser allows it.
function toggleTheme() {
  const root = document.documentElement;
  const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
  try {
    localStorage.setItem("theme", root.dataset.theme);
  } catch {
    // A page opened from disk may have no storage.
  }
}

function restoreTheme() {
  try {
    const theme = localStorage.getItem("theme");
    if (theme === "light" || theme === "dark") {
      document.documentElement.dataset.theme = theme;
    }
  } catch {
    // A page opened from disk may have no storage.
  }
}

function main() {
  restoreTheme();
  drawTop();
  drawNotices();
  drawChips();
  byId("query").addEventListener("input", () => {
    state.query = byId("query").value.trim();
    filterChanged();
  });
  byId("clear").addEventListener("click", showAll);
  byId("theme").addEventListener("click", toggleTheme);
  byId("help").addEventListener("click", showHelp);
  byId("show-summary").addEventListener("click", showSummary);
  byId("list").addEventListener("scroll", drawRows, { passive: true });
  new ResizeObserver(drawRows).observe(byId("list"));
  document.addEventListener("keydown", onKey);
  addEventListener("hashchange", show);
  show();
  startReview();
}

main();
