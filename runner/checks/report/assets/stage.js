// The pictures of a check, in one of several modes.

const MODES = [
  { name: "side", label: "Side by side", kinds: ["expected", "actual"] },
  { name: "slider", label: "Slider", kinds: ["expected", "actual"] },
  { name: "overlay", label: "Overlay", kinds: ["expected", "actual"] },
  { name: "blink", label: "Blink", kinds: ["expected", "actual"] },
  { name: "diff", label: "Diff", kinds: ["diff"] },
  { name: "expected", label: "Expected", kinds: ["expected"] },
  { name: "actual", label: "Actual", kinds: ["actual"] },
];
const KIND_LABELS = { expected: "Expected", actual: "Actual", diff: "Diff" };
const BLINK_MS = 600;

const stage = {
  check: null,
  mode: null, // one of MODES
  box: null, // the element around the panes
  panes: [], // { element, layer, pictures: { expected, actual, diff } }
  region: -1, // the region that was last stepped to
  showsRegions: true,
  split: 0.5, // position of the slider, as a part of the pane's width
  opacity: 0.5, // of the picture on top in the overlay
  blends: false, // whether the overlay shows the difference of the colours
  isActual: false, // whether blinking currently shows the actual picture
  isBlinking: false,
  timer: 0,
};

const modesOf = (check) => MODES.filter((mode) => mode.kinds.every((kind) => check.images[kind]));

// The user's chosen mode if the check has it; otherwise the difference, which says most.
function modeFor(check) {
  const modes = modesOf(check);
  const wished = modes.find((mode) => mode.name === state.mode);
  return wished ?? modes.find((mode) => mode.name === "diff") ?? modes[0] ?? null;
}

function picture(kind) {
  const image = make("img", {
    class: `picture picture-${kind}`,
    alt: `${KIND_LABELS[kind]} picture of ${stage.check.id}`,
    decoding: "async",
    draggable: false,
    onload: () => pictureLoaded(image),
    onerror: () => pictureMissing(image, kind),
    src: pictureAddress(stage.check, kind),
  });
  return image;
}

// The pictures may differ in size. The pane contains both at their own size, aligned at the top
// left corner.
function pictureLoaded(image) {
  if (!image.isConnected) {
    return;
  }
  const width = Math.max(view.width, image.naturalWidth);
  const height = Math.max(view.height, image.naturalHeight);
  if (width !== view.width || height !== view.height) {
    view.width = width;
    view.height = height;
    placeRegions();
  }
  if (view.fit) {
    fitView(view.fit === "start" ? suitableFit() : view.fit);
  } else {
    drawView();
  }
}

function pictureMissing(image, kind) {
  image.closest(".pane")?.append(
    make("p", { class: "missing" }, `${stage.check.images[kind]} is missing in the folder of this report.`));
  image.remove();
}

function makePane(kinds, label) {
  const pictures = Object.fromEntries(kinds.map((kind) => [kind, picture(kind)]));
  const layer = make("div", { class: "layer" }, Object.values(pictures),
    make("div", { class: "regions", "aria-hidden": "true" }));
  const element = make("div", { class: "pane" }, layer, make("span", { class: "pane-label" }, label));
  return { element, layer, pictures };
}

function makePanes(mode) {
  if (mode.name === "side") {
    return mode.kinds.map((kind) => makePane([kind], KIND_LABELS[kind]));
  }
  return [makePane(mode.kinds, mode.kinds.length === 1 ? KIND_LABELS[mode.kinds[0]] : "")];
}

function drawSplit(pane) {
  const at = stage.split * pane.element.clientWidth;
  pane.pictures.actual.style.clipPath = `inset(0 0 0 ${Math.max(0, at - view.x)}px)`;
  pane.pictures.expected.style.clipPath =
    `inset(0 ${Math.max(0, pane.pictures.expected.clientWidth - (at - view.x))}px 0 0)`;
  const handle = pane.element.querySelector(".handle");
  handle.style.left = `${at}px`;
  handle.setAttribute("aria-valuenow", Math.round(stage.split * 100));
}

function drawView() {
  for (const pane of stage.panes) {
    pane.layer.style.width = `${view.width * view.zoom}px`;
    pane.layer.style.height = `${view.height * view.zoom}px`;
    pane.layer.style.transform = `translate(${view.x}px, ${view.y}px)`;
    pane.layer.classList.toggle("is-magnified", view.zoom > 1.5 * exactZoom());
    for (const image of Object.values(pane.pictures)) {
      image.style.width = `${(image.naturalWidth || view.width) * view.zoom}px`;
      image.style.height = `${(image.naturalHeight || view.height) * view.zoom}px`;
    }
  }
  if (stage.mode?.name === "slider") {
    drawSplit(stage.panes[0]);
  }
  const shown = byId("zoom");
  if (shown) {
    shown.textContent = `${Math.round((view.zoom / exactZoom()) * 100)} %`;
    byId("fit").setAttribute("aria-pressed", String(Boolean(view.fit)));
  }
}

function drawBlink() {
  const pane = stage.panes[0];
  pane.pictures.actual.classList.toggle("is-hidden", !stage.isActual);
  pane.pictures.expected.classList.toggle("is-hidden", stage.isActual);
  pane.element.querySelector(".pane-label").textContent = KIND_LABELS[stage.isActual ? "actual" : "expected"];
}

function setBlinking(isBlinking) {
  clearInterval(stage.timer);
  stage.isBlinking = isBlinking;
  if (isBlinking) {
    stage.timer = setInterval(() => {
      stage.isActual = !stage.isActual;
      drawBlink();
    }, BLINK_MS);
  }
  const toggle = byId("blink-toggle");
  if (toggle) {
    toggle.textContent = isBlinking ? "Pause" : "Blink";
  }
}

function drawOverlay() {
  const image = stage.panes[0].pictures.actual;
  image.style.opacity = stage.blends ? 1 : stage.opacity;
  image.style.mixBlendMode = stage.blends ? "difference" : "";
}

function setSplit(split) {
  stage.split = Math.min(1, Math.max(0, split));
  drawSplit(stage.panes[0]);
}

function makeHandle(pane) {
  const handle = make("div", {
    class: "handle",
    role: "slider",
    tabIndex: 0,
    "aria-label": "Border between expected and actual",
    "aria-valuemin": "0",
    "aria-valuemax": "100",
    onkeydown: (event) => {
      const step = { ArrowLeft: -0.02, ArrowRight: 0.02, Home: -1, End: 1 }[event.key];
      if (step) {
        event.preventDefault();
        event.stopPropagation();
        setSplit(stage.split + step);
      }
    },
    onpointerdown: (event) => {
      event.stopPropagation();
      handle.setPointerCapture(event.pointerId);
    },
    onpointermove: (event) => {
      if (handle.hasPointerCapture(event.pointerId)) {
        const box = pane.element.getBoundingClientRect();
        setSplit((event.clientX - box.left) / box.width);
      }
    },
  });
  return handle;
}

// The elements that a mode adds to the toolbar and to its panes.
const modeControls = {
  slider: () => {
    stage.panes[0].element.append(makeHandle(stage.panes[0]),
      make("span", { class: "pane-label at-left" }, "Expected"),
      make("span", { class: "pane-label at-right" }, "Actual"));
    return [];
  },
  overlay: () => {
    const range = make("input", {
      type: "range", min: 0, max: 100, value: stage.opacity * 100, "aria-label": "Opacity of the actual picture",
      oninput: () => {
        stage.opacity = range.value / 100;
        stage.blends = blend.checked = false;
        drawOverlay();
      },
    });
    const blend = make("input", {
      type: "checkbox", checked: stage.blends,
      onchange: () => {
        stage.blends = blend.checked;
        drawOverlay();
      },
    });
    drawOverlay();
    return [
      make("label", { class: "control" }, "Expected ", range, " Actual"),
      make("label", { class: "control" }, blend, " Difference of colours"),
    ];
  },
  blink: () => {
    drawBlink();
    setBlinking(!matchMedia("(prefers-reduced-motion: reduce)").matches);
    return [button(stage.isBlinking ? "Pause" : "Blink", {
      id: "blink-toggle", class: "quiet", title: "Space", onclick: () => setBlinking(!stage.isBlinking),
    })];
  },
};

const PAN_KEYS = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };

function makeStageBox(mode) {
  const box = make("div", {
    class: `stage stage-${mode.name}`,
    tabIndex: 0,
    role: "group",
    "aria-label": `Pictures, ${mode.label.toLowerCase()}: arrow keys move, plus and minus zoom`,
    onkeydown: (event) => {
      const step = PAN_KEYS[event.key];
      if (step && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        event.stopPropagation();
        pan(...step);
      }
    },
    ondblclick: (event) => {
      const pane = event.target.closest(".pane");
      if (pane && view.fit) {
        const corner = pane.getBoundingClientRect();
        zoomAt(Math.max(exactZoom(), view.zoom * 2), event.clientX - corner.left, event.clientY - corner.top);
      } else if (pane) {
        fitView(suitableFit());
      }
    },
  });
  listenToPointers(box);
  listenToWheel(box);
  return box;
}

const sizeWatch = new ResizeObserver(() => {
  if (stage.panes.length && stage.panes[0].element.isConnected) {
    if (view.fit) {
      fitView(view.fit === "start" ? suitableFit() : view.fit);
    } else {
      setView(view.zoom, view.x, view.y);
    }
  }
});

// Fills the stage with the mode. With `keepsView`, the same part of the pictures stays visible.
function drawStage(keepsView) {
  const { check, mode } = stage;
  setBlinking(false);
  sizeWatch.disconnect();
  stage.panes = [];
  const box = mode ? makeStageBox(mode) : make("div", { class: "stage is-empty" },
    make("p", {}, check.status === "skipped" ? "Skipped: no picture was taken." : "There is no picture of this check."));
  byId("stage").replaceChildren(box);
  stage.box = box;
  if (!mode) {
    return;
  }
  if (!keepsView) {
    Object.assign(view, { width: check.width || 1, height: check.height || 1, fit: "start", zoom: 1, x: 0, y: 0 });
  }
  stage.panes = makePanes(mode);
  box.append(...stage.panes.map((pane) => pane.element));
  byId("mode-controls").replaceChildren(...(modeControls[mode.name]?.() ?? []));
  placeRegions();
  if (view.fit) {
    fitView(view.fit === "start" ? suitableFit() : view.fit);
  } else {
    setView(view.zoom, view.x, view.y);
  }
  sizeWatch.observe(box);
}

function setMode(name) {
  const mode = modesOf(stage.check ?? { images: {} }).find((one) => one.name === name);
  if (!mode) {
    return;
  }
  state.mode = name;
  stage.mode = mode;
  for (const tab of document.querySelectorAll("[data-mode]")) {
    tab.setAttribute("aria-pressed", String(tab.dataset.mode === name));
  }
  drawStage(true);
  keepAddress();
}

function makeToolbar(check) {
  const count = regionsOf(check).length;
  return make("div", { class: "toolbar", role: "toolbar", "aria-label": "Pictures" },
    make("div", { class: "segments", role: "group", "aria-label": "How the pictures are shown" },
      modesOf(check).map((mode) => button(mode.label, {
        "data-mode": mode.name,
        "aria-pressed": String(mode === stage.mode),
        title: `Key ${MODES.indexOf(mode) + 1}`,
        onclick: () => setMode(mode.name),
      }))),
    make("div", { class: "controls", id: "mode-controls" }),
    make("span", { class: "spacer" }),
    count > 0 && make("div", { class: "controls", role: "group", "aria-label": "Regions that differ" },
      button("‹", { class: "quiet", "aria-label": "Previous region", title: "Previous region ( [ )", onclick: () => goToRegion(-1) }),
      button(plural(count, "region"), {
        id: "regions-toggle", class: "quiet number", title: "Outline what differs, or not (o)",
        "aria-pressed": String(stage.showsRegions), onclick: toggleRegions,
      }),
      button("›", { class: "quiet", "aria-label": "Next region", title: "Next region ( ] )", onclick: () => goToRegion(1) })),
    make("div", { class: "controls", role: "group", "aria-label": "Zoom" },
      button("−", { class: "quiet", "aria-label": "Smaller", title: "Smaller ( - )", onclick: () => zoomBy(1 / 1.25) }),
      make("span", { id: "zoom", class: "number" }),
      button("+", { class: "quiet", "aria-label": "Larger", title: "Larger ( + )", onclick: () => zoomBy(1.25) }),
      button("Fit", {
        id: "fit", class: "quiet", title: "Whole picture (f), whole width (w)",
        onclick: () => fitView(view.fit === "whole" ? "width" : "whole"),
      }),
      button("1:1", { class: "quiet", title: "Pixel by pixel (0)", onclick: zoomExact })));
}

// Loads the pictures of a neighbour into the browser's cache.
function preload(check) {
  for (const kind of Object.keys(check?.images ?? {})) {
    new Image().src = pictureAddress(check, kind);
  }
}
