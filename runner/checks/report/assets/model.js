// The results, and the part of them that is shown.

const STATUSES = [
  { name: "error", label: "Errors", one: "Error", sign: "!", isBad: true, counted: ["error", "errors"] },
  { name: "failed", label: "Failed", sign: "≠", isBad: true, counted: ["failed", "failed"] },
  { name: "new", label: "New", sign: "+" },
  { name: "updated", label: "Updated", sign: "↻" },
  { name: "flaky", label: "Flaky", sign: "~" },
  { name: "notRun", label: "Not run", sign: "·" },
  { name: "skipped", label: "Skipped", sign: "–" },
  { name: "passed", label: "Passed", sign: "✓" },
];
const statusByName = new Map(STATUSES.map((status) => [status.name, { one: status.label, ...status }]));

const results = JSON.parse(byId("results").textContent);
const detailLines = byId("details").textContent.split("\n");
const checks = results.checks.map((check, index) => ({
  ...check,
  index,
  tags: check.tags ?? [],
  images: check.images ?? {},
  haystack: [check.id, check.url, check.reason, check.errorCode, ...(check.tags ?? [])].join("\n").toLowerCase(),
}));
const checkById = new Map(checks.map((check) => [check.id, check]));

// Groups of equal changes, by the id of a check.
const groups = (results.groups ?? [])
  .map((group, number) => ({
    ...group,
    number,
    members: group.checks.map((id) => checkById.get(id)).filter(Boolean),
  }))
  .filter((group) => group.members.length > 1);
const groupOf = new Map(groups.flatMap((group) => group.members.map((check) => [check.id, group])));

// The state of the view. The URL stores all of it but `selection` and `closedGroups`.
const state = {
  id: null, // of the check that is shown; null: the summary
  mode: null, // how its pictures are shown; null: chosen for the check
  query: "",
  statuses: new Set(),
  tags: new Set(),
  selection: new Set(), // ids
  closedGroups: new Set(), // their numbers
};

const detailsOf = (check) => JSON.parse(detailLines[check.index] || "{}");

// Whether a check passes the filters and contains every word of the query.
function matches(check, words) {
  return (!state.statuses.size || state.statuses.has(check.status)) &&
    (!review.shown.size || review.shown.has(decisionOf(check)?.state)) &&
    (!state.tags.size || check.tags.some((tag) => state.tags.has(tag))) &&
    words.every((word) => check.haystack.includes(word));
}

function shownChecks() {
  const words = state.query.toLowerCase().split(/\s+/).filter(Boolean);
  return checks.filter((check) => matches(check, words));
}

// The rows of the list: a heading for each status; below it, equal changes form a group with its
// own heading.
function listItems() {
  const shown = shownChecks();
  const isShown = new Set(shown);
  const items = [];
  for (const status of STATUSES) {
    // New pictures that were not stable come first: as baselines they would fail again and again.
    const those = shown.filter((check) => check.status === status.name)
      .sort((a, b) => status.name === "new" ? Boolean(b.unstable) - Boolean(a.unstable) : 0);
    if (!those.length) {
      continue;
    }
    items.push({ kind: "status", key: `status ${status.name}`, status, count: those.length });
    const done = new Set();
    for (const check of those) {
      if (done.has(check)) {
        continue;
      }
      const group = groupOf.get(check.id);
      const members = group?.members.filter((one) => isShown.has(one) && one.status === status.name) ?? [];
      if (members.length < 2) {
        items.push({ kind: "check", key: check.id, check });
        continue;
      }
      const isOpen = !state.closedGroups.has(group.number);
      items.push({ kind: "group", key: `group ${group.number} ${status.name}`, group, members, isOpen });
      for (const member of members) {
        done.add(member);
        if (isOpen) {
          items.push({ kind: "check", key: member.id, check: member, isMember: true });
        }
      }
    }
  }
  return items;
}

const countOf = (name) => checks.reduce((count, check) => count + (check.status === name), 0);

// The URL if it is safe as a link, otherwise null.
function safeAddress(text) {
  try {
    const address = new URL(text);
    return ["http:", "https:"].includes(address.protocol) ? address.href : null;
  } catch {
    return null;
  }
}

// The URL of an image relative to the report, with each part of the path encoded.
const imageAddress = (path) => path.split("/").map(encodeURIComponent).join("/");

const pictureAddress = (check, kind) => (isReview() ? reviewPicture(check, kind) : imageAddress(check.images[kind]));
