// The summary of the whole run, shown while no check is chosen.

function proportionBar() {
  const parts = STATUSES.map((status) => ({ status, count: countOf(status.name) })).filter(({ count }) => count);
  return make("div", { class: "bar", role: "img", "aria-label": parts.map(({ status, count }) => `${count} ${status.label.toLowerCase()}`).join(", ") },
    parts.map(({ status, count }) => {
      const part = make("span", { class: `is-${status.name}` });
      part.style.flexGrow = count;
      return part;
    }));
}

function totalCards() {
  return make("div", { class: "cards" }, STATUSES.filter((status) => countOf(status.name)).map((status) =>
    button("", { class: `card is-${status.name}`, title: `Show only these`, onclick: () => showOnly(status.name) },
      make("strong", {}, countOf(status.name).toLocaleString("en")), make("span", {}, status.label))));
}

function showOnly(name) {
  state.statuses = new Set([name]);
  filterChanged();
  const first = shownChecks()[0];
  if (first) {
    goTo(first);
  }
}

// Computes the part of a picture that a thumbnail shows: the region with the largest change and
// some space around it, at most as wide as the picture.
const THUMB_SHAPE = 16 / 10;
const THUMB_LEAST = 320; // CSS pixels of the page; a smaller part would be enlarged too much

function thumbPart(check, width, height) {
  const scale = check.viewport.scale || 1;
  const most = check.comparison?.regions?.[0];
  const region = most && regionsOf(check).find((one) => one.x <= most.x && one.y <= most.y &&
    one.x + one.width >= most.x + most.width && one.y + one.height >= most.y + most.height);
  const { x, y, width: wide, height: high } = region ?? { x: 0, y: 0, width, height: 0 };
  const wished = Math.max(wide * 1.2, high * 1.2 * THUMB_SHAPE, THUMB_LEAST * scale);
  const part = Math.min(wished, Math.max(width, THUMB_LEAST * scale));
  // Centres the region if it fits, otherwise shows its beginning. Centres a picture that is smaller
  // than the thumbnail.
  const place = (start, length, shown, whole) => (shown >= whole ? (whole - shown) / 2
    : Math.max(0, Math.min(length < shown ? start + (length - shown) / 2 : start - shown * 0.05, whole - shown)));
  const shownHigh = part / THUMB_SHAPE;
  return { x: place(x, wide, part, width), y: place(y, high, shownHigh, height), width: part, height: shownHigh };
}

// The boxes around the changes in that part.
function thumbBoxes(check, part) {
  const MOST = 20;
  return regionsOf(check).slice(0, MOST).map((region) => {
    const box = make("span", { class: "thumb-box" });
    box.style.left = `${((region.x - part.x) / part.width) * 100}%`;
    box.style.top = `${((region.y - part.y) / part.height) * 100}%`;
    box.style.width = `${(region.width / part.width) * 100}%`;
    box.style.height = `${(region.height / part.height) * 100}%`;
    return box;
  });
}

// Shows the picture itself, not the difference: a small change in that is a white tile.
function thumbnail(check) {
  const crop = make("span", { class: "crop" });
  const image = make("img", { src: pictureAddress(check, "actual"), alt: "", loading: "lazy", decoding: "async", onload: () => {
    const { naturalWidth: width, naturalHeight: height } = image;
    const part = thumbPart(check, width, height);
    image.style.width = `${(width / part.width) * 100}%`;
    image.style.left = `${(-part.x / part.width) * 100}%`;
    image.style.top = `${(-part.y / part.height) * 100}%`;
    crop.append(...thumbBoxes(check, part));
  } });
  crop.append(image);
  return crop;
}

function groupCard(group) {
  const first = group.members[0];
  const names = group.members.slice(0, 8);
  return make("article", { class: "group" },
    first.images.actual && make("a", { class: "thumb", href: addressOf({ id: first.id }), "aria-label": `Show ${first.id}` },
      thumbnail(first)),
    make("div", { class: "group-text" },
      make("h4", {}, `${group.members.length} checks`),
      make("p", { class: "muted" }, first.reason ?? ""),
      make("p", { class: "group-names" },
        names.map((check, i) => [i > 0 && ", ", make("a", { href: addressOf({ id: check.id }) }, check.id)]).flat(),
        group.members.length > names.length && ` and ${group.members.length - names.length} more`),
      commandBar(group.members, isReview() ? "These" : "Approve all")));
}

function groupSection() {
  return groups.length > 0 && make("section", {},
    make("h3", {}, "Equal changes"),
    make("p", { class: "muted" }, "The pixels that differ look the same in these checks: look at one, decide for all."),
    groups.slice(0, 50).map(groupCard),
    groups.length > 50 && make("p", { class: "muted" }, `${groups.length - 50} more groups are in the list.`));
}

// The changes that no other check shares, up to a limit.
function gallery() {
  const MOST = 24;
  const alone = checks.filter((check) => check.status === "failed" && !groupOf.has(check.id) && check.images.actual && check.comparison);
  return alone.length > 0 && make("section", {},
    make("h3", {}, groups.length ? "Other changes" : "Changes"),
    make("div", { class: "gallery" }, alone.slice(0, MOST).map((check) =>
      make("a", { class: "tile", href: addressOf({ id: check.id }), title: check.reason ?? check.id },
        thumbnail(check),
        make("span", { class: "tile-text" }, check.id)))),
    alone.length > MOST && make("p", { class: "muted" }, `${alone.length - MOST} more are in the list.`));
}

function runFacts() {
  const environment = results.environment ?? {};
  return [
    ["Suite", results.suite],
    ["Baselines", !results.against && results.baselines],
    ["Compared with", results.against],
    ["Browser", environment.browser],
    ["Runner", environment.runner && `browser-runner ${environment.runner}`],
    ["System", environment.system],
    ["Fonts", environment.fonts],
    ["CI", environment.ci === true && "yes"],
    ["Shard", results.shard && `${results.shard.index} of ${results.shard.total}`],
    ["Started", new Date(results.startedAt).toLocaleString("en-GB")],
    ["Took", duration(results.durationMs)],
  ].filter(([, value]) => value);
}

function slowest() {
  const those = checks.filter((check) => check.durationMs > 0).sort((a, b) => b.durationMs - a.durationMs).slice(0, 5);
  return those.length > 1 && make("section", {},
    make("h3", {}, "Slowest"),
    make("ol", { class: "slow" }, those.map((check) => make("li", {},
      make("a", { href: addressOf({ id: check.id }) }, check.id), " ",
      make("span", { class: "muted" }, duration(check.durationMs))))));
}

function drawSummary() {
  setBlinking(false);
  stage.check = null;
  stage.panes = [];
  const stale = results.stale ?? [];
  const wanting = isReview() ? decidable(shownChecks()) : approvable(checks);
  byId("main").className = "main is-summary";
  byId("main").replaceChildren(make("div", { class: "summary" }, ...[
    make("h2", { class: "hidden-label" }, "Summary"),
    button("‹ Checks", { class: "back", onclick: () => document.body.classList.remove("shows-summary") }),
    proportionBar(),
    totalCards(),
    wanting.length > 1 && commandBar(wanting, isReview() ? "All that are listed" : `Approve all ${wanting.length}`),
    groupSection(),
    gallery(),
    make("section", {}, make("h3", {}, "Run"), factList(runFacts())),
    slowest(),
    stale.length > 0 && make("section", {},
      make("h3", {}, "Stale baselines"),
      make("p", { class: "muted" }, "No check uses these; --prune removes them."),
      make("ul", { class: "stale" }, stale.slice(0, 500).map((name) => make("li", {}, make("code", {}, name)))),
      stale.length > 500 && make("p", { class: "muted" }, `${stale.length - 500} more in results.json.`)),
  ].filter(Boolean)));
}

function drawTop() {
  const bad = STATUSES.filter((status) => status.isBad && countOf(status.name));
  const verdict = byId("verdict");
  const isAllWell = !bad.length && results.complete && checks.length > 0;
  verdict.className = `verdict ${isAllWell ? "is-passed" : bad.length ? "is-failed" : "is-flaky"}`;
  verdict.textContent = bad.length
    ? `${bad.map((status) => plural(countOf(status.name), ...status.counted)).join(", ")} of ${checks.length.toLocaleString("en")}`
    : !checks.length ? "No check was run"
      : results.complete ? `All ${checks.length.toLocaleString("en")} well` : "Not complete";
  byId("when").textContent = [
    new Date(results.startedAt).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" }),
    duration(results.durationMs),
    results.shard && `shard ${results.shard.index} of ${results.shard.total}`,
    results.environment?.browser,
  ].filter(Boolean).join(" · ");
  drawIcon(isAllWell ? "#1a7f37" : bad.length ? "#cf222e" : "#9a6700");
}

function drawIcon(color) {
  const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="${color}"/></svg>`;
  document.querySelector("link[rel=icon]").href = `data:image/svg+xml,${encodeURIComponent(icon)}`;
}

function drawNotices() {
  const notices = [
    ...(results.complete ? [] : ["The run ended early: not all checks were run."]),
    ...(results.warnings ?? []),
  ];
  byId("notices").hidden = notices.length === 0;
  byId("notices").replaceChildren(
    make("ul", {}, notices.slice(0, 3).map((text) => make("li", { title: text }, text))),
    ...(notices.length > 3 ? [make("details", {}, make("summary", {}, `${notices.length - 3} more`),
      make("ul", {}, notices.slice(3, 200).map((text) => make("li", {}, text))))] : []));
}
