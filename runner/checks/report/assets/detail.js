// The view of one check: what happened, its pictures, and the logs of its page.

function facts(check) {
  const comparison = check.comparison;
  return [
    ["Size", check.width && `${check.width} × ${check.height} px`],
    ["Window", `${check.viewport.width} × ${check.viewport.height}` +
      (check.viewport.scale && check.viewport.scale !== 1 ? ` at ${check.viewport.scale}×` : "")],
    ["Took", duration(check.durationMs)],
    ["Attempts", check.attempts > 1 && check.attempts],
    ["Differs", comparison && `${comparison.diffPixels.toLocaleString("en")} px, ${percent(comparison.diffRatio)}`],
    ["Allowed", comparison?.allowedPixels !== undefined && `${comparison.allowedPixels.toLocaleString("en")} px`],
    ["Antialiased", comparison?.antialiasedPixels > 0 && `${comparison.antialiasedPixels.toLocaleString("en")} px, not counted`],
    ["Threshold", comparison?.threshold],
    ["Faint", comparison?.faintPixels > 0 && `${comparison.faintPixels.toLocaleString("en")} px, by the strict threshold`],
    ["Layout", comparison?.layoutDiffers && "the sizes differ"],
  ].filter(([, value]) => value || value === 0);
}

const factList = (pairs) => make("dl", { class: "facts" },
  pairs.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, String(value)))));

function textList(title, texts) {
  return texts?.length > 0 && make("section", { class: "texts" },
    make("h3", {}, title), make("ul", {}, texts.map((text) => make("li", {}, text))));
}

const clockTime = (ms) => new Date(ms).toLocaleTimeString("en-GB", { hour12: false });

function logEntry(log) {
  return make("li", { class: `log is-${log.type}` },
    make("span", { class: "log-type" }, log.type),
    make("div", { class: "log-body" },
      make("pre", { class: "log-text" }, log.message),
      make("p", { class: "muted" },
        [log.timestamp && clockTime(log.timestamp), log.source === "tool" ? "browser-runner" : log.category, log.location]
          .filter(Boolean).join(" · ")),
      log.stack && make("details", {}, make("summary", {}, "Stack"), make("pre", {}, log.stack))));
}

function networkEntry(failure) {
  const address = safeAddress(failure.url);
  return make("li", { class: "log is-error" },
    make("span", { class: "log-type" }, failure.status || "failed"),
    make("div", { class: "log-body" },
      make("p", { class: "log-text" }, `${failure.method ?? "GET"} `,
        address ? make("a", { href: address, rel: "noreferrer noopener", target: "_blank" }, failure.url) : failure.url),
      failure.error && make("p", { class: "muted" }, failure.error)));
}

function entries(list, count, make_, what) {
  if (!list?.length) {
    return make("p", { class: "muted" }, `No ${what}.`);
  }
  return [
    make("ul", { class: "logs" }, list.map(make_)),
    count > list.length && make("p", { class: "muted" }, `${plural(count - list.length, "more entry", "more entries")} in results.json.`),
  ];
}

const METRICS = {
  loadTime: ["Load", duration], domContentLoaded: ["DOM content loaded", duration], ttfb: ["First byte", duration],
  fcp: ["First contentful paint", duration], lcp: ["Largest contentful paint", duration],
  cls: ["Layout shift", (value) => value.toLocaleString("en", { maximumFractionDigits: 4 })],
  jsErrors: ["Script errors", String], networkErrors: ["Network errors", String],
};

function metricFacts(check) {
  return Object.entries(check.metrics ?? {})
    .filter(([, value]) => typeof value === "number")
    .map(([name, value]) => [METRICS[name]?.[0] ?? name, METRICS[name]?.[1](value) ?? value.toLocaleString("en")]);
}

function resultPanel(check) {
  return [
    factList(facts(check)),
    textList("Problems of the page", check.problems),
    textList("Earlier attempts", check.earlier),
    textList("What was not stable", check.unstable),
    textList("Warnings", check.warnings),
  ];
}

function panelsOf(check) {
  const details = detailsOf(check);
  const metrics = metricFacts(check);
  const shown = (check.problems?.length ?? 0) + (check.earlier?.length ?? 0) + (check.unstable?.length ?? 0) + (check.warnings?.length ?? 0);
  return [
    { name: "result", label: "Result", count: shown, content: () => resultPanel(check) },
    { name: "logs", label: "Logs", count: check.logCount ?? 0,
      content: () => entries(details.logs, check.logCount, logEntry, "logs") },
    { name: "network", label: "Network failures", count: check.networkFailureCount ?? 0,
      content: () => entries(details.networkFailures, check.networkFailureCount, networkEntry, "request failed") },
    { name: "metrics", label: "Metrics", count: 0,
      content: () => (metrics.length ? factList(metrics) : make("p", { class: "muted" }, "No metrics.")) },
  ];
}

let lastPanel = "result";

function showPanel(panels, name) {
  lastPanel = name;
  const panel = panels.find((one) => one.name === name) ?? panels[0];
  for (const tab of document.querySelectorAll("[data-panel]")) {
    const isChosen = tab.dataset.panel === panel.name;
    tab.setAttribute("aria-selected", String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
  }
  const content = panel.content();
  byId("panel").replaceChildren(...[content].flat().filter(Boolean));
  byId("panel").setAttribute("aria-labelledby", `tab-${panel.name}`);
}

function moveTab(event, panels) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const at = panels.findIndex((panel) => panel.name === event.target.dataset?.panel);
  if (step && at >= 0) {
    event.preventDefault();
    event.stopPropagation();
    const next = panels[(at + step + panels.length) % panels.length];
    showPanel(panels, next.name);
    byId(`tab-${next.name}`).focus();
  }
}

function makePanels(check) {
  const panels = panelsOf(check);
  const tabs = make("div", { class: "tabs", role: "tablist", "aria-label": "About this check", onkeydown: (event) => moveTab(event, panels) },
    panels.map((panel) => button(panel.label, {
      role: "tab", id: `tab-${panel.name}`, "data-panel": panel.name, "aria-controls": "panel",
      onclick: () => showPanel(panels, panel.name),
    }, panel.count > 0 && make("span", { class: "count" }, panel.count.toLocaleString("en")))));
  return { panels, element: make("section", { class: "about" }, tabs, make("div", { id: "panel", class: "panel", role: "tabpanel", tabIndex: 0 })) };
}

function makeHeader(check) {
  const address = safeAddress(check.url);
  const step = (label, sign, distance, title) => button(sign, {
    class: "quiet step", "aria-label": label, title, disabled: !neighbour(distance), onclick: () => goTo(neighbour(distance)),
  });
  return make("header", { class: "check-header" },
    make("div", { class: "check-title" },
      make("a", { class: "back quiet", href: addressOf({ id: null }), "aria-label": "Back to the list" }, "‹ Checks"),
      statusSign(check.status),
      make("h2", { id: "check-name" }, check.name),
      make("span", { class: "badge" }, check.viewport.name),
      check.tags.map((tag) => make("span", { class: "badge is-tag" }, tag)),
      check.errorCode && make("span", { class: "badge is-code" }, check.errorCode),
      check.attempts > 1 && make("span", { class: "badge" }, plural(check.attempts, "attempt")),
      make("span", { class: "spacer" }),
      step("Previous check", "↑", -1, "Previous check (k)"),
      step("Next check", "↓", 1, "Next check (j)")),
    check.url && make("p", { class: "address" },
      address ? make("a", { href: address, rel: "noreferrer noopener", target: "_blank" }, check.url) : check.url),
    check.reason && make("p", { class: `reason is-${check.status}` }, check.reason),
    check.hint && make("p", { class: "muted" }, check.hint),
    check.unstable?.length > 0 && make("p", { class: "reason is-flaky" }, `Not stable: ${check.unstable[0]}`));
}

function makeApproval(check) {
  const group = groupOf.get(check.id);
  const members = group ? approvable(group.members) : [];
  return make("div", { class: "approval", id: "approval" },
    commandBar([check], isReview() ? "This picture" : "Approve"),
    members.length > 1 && make("div", { class: "same" },
      make("span", { class: "muted" }, `Same change in ${members.length}:`),
      button(isReview() ? "accept all" : "copy for all", { class: "link", title: isReview() ? "Accept all of them (a)" : "Copy one command that approves all of them (a)", onclick: () => copyApproval(members) }),
      button("select", { class: "link", title: "Select all of them (g)", onclick: () => select(group.members, true) })));
}

function drawCheck(check) {
  stage.check = check;
  stage.region = -1;
  stage.mode = modeFor(check);
  const panels = makePanels(check);
  byId("main").replaceChildren(...[
    makeHeader(check),
    makeApproval(check),
    stage.mode && makeToolbar(check),
    make("div", { id: "stage", class: "stage-place" }),
    panels.element,
  ].filter(Boolean));
  byId("main").className = "main is-check";
  drawStage(false);
  const wished = panels.panels.find((panel) => panel.name === lastPanel);
  showPanel(panels.panels, wished ? lastPanel : "result");
  preload(neighbour(1));
}
