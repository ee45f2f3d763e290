// The regions that differ: outlines them in the pictures, and steps through them.

// Regions that are closer to each other than this, in CSS pixels of the page, are merged into one,
// so that a region is a word and not a letter.
const REGION_GAP = 16;
const MAX_REGIONS = 1000;

function mergeRegions(regions, gap) {
  const merged = [];
  for (const region of regions.slice(0, MAX_REGIONS)) {
    let box = { left: region.x, top: region.y, right: region.x + region.width, bottom: region.y + region.height };
    // The box has grown and may now reach others: compare it with all of them again.
    for (let i = 0; i < merged.length; i++) {
      const other = merged[i];
      if (other.left - gap < box.right && box.left - gap < other.right &&
          other.top - gap < box.bottom && box.top - gap < other.bottom) {
        box = { left: Math.min(box.left, other.left), top: Math.min(box.top, other.top),
          right: Math.max(box.right, other.right), bottom: Math.max(box.bottom, other.bottom) };
        merged.splice(i, 1);
        i = -1;
      }
    }
    merged.push(box);
  }
  return merged
    .map(({ left, top, right, bottom }) => ({ x: left, y: top, width: right - left, height: bottom - top }))
    .sort((a, b) => a.y - b.y || a.x - b.x);
}

function regionsOf(check) {
  check.regions ??= mergeRegions(check.comparison?.regions ?? [], REGION_GAP * (check.viewport.scale || 1));
  return check.regions;
}

function placedBox(region, attributes, ...children) {
  const box = make("div", attributes, ...children);
  box.style.left = `${(region.x / view.width) * 100}%`;
  box.style.top = `${(region.y / view.height) * 100}%`;
  box.style.width = `${(region.width / view.width) * 100}%`;
  box.style.height = `${(region.height / view.height) * 100}%`;
  return box;
}

// The parts that are ignored or have a threshold of their own, each with a label.
function partBoxes(check) {
  const { ignored = [], thresholds = [] } = check.comparison ?? {};
  return [
    ...ignored.map((part) => placedBox(part, { class: "part is-ignored" }, make("span", {}, "ignored"))),
    ...thresholds.map((part) => placedBox(part, { class: "part" }, make("span", {}, `threshold ${part.threshold}`))),
  ];
}

function placeRegions() {
  const shown = stage.showsRegions ? regionsOf(stage.check) : [];
  for (const pane of stage.panes) {
    pane.layer.querySelector(".regions").replaceChildren(
      ...(stage.showsRegions ? partBoxes(stage.check).slice(0, 300) : []),
      ...shown.slice(0, 300).map((region, i) =>
        placedBox(region, { class: `region${i === stage.region ? " is-current" : ""}` })));
  }
}

function goToRegion(step) {
  const regions = regionsOf(stage.check);
  if (!regions.length) {
    return;
  }
  stage.region = stage.region < 0 && step < 0 ? regions.length - 1
    : (stage.region + step + regions.length) % regions.length;
  stage.showsRegions = true;
  placeRegions();
  lookAt(regions[stage.region]);
  if (stage.mode.name === "slider") {
    const { x, width } = regions[stage.region];
    setSplit((view.x + (x + width / 2) * view.zoom) / paneSize().width);
  }
  byId("regions-toggle").textContent = `${stage.region + 1} of ${regions.length}`;
  byId("regions-toggle").setAttribute("aria-pressed", "true");
}

function toggleRegions() {
  stage.showsRegions = !stage.showsRegions;
  byId("regions-toggle")?.setAttribute("aria-pressed", String(stage.showsRegions));
  placeRegions();
}
