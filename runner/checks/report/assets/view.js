// The position of the pictures in their panes; all panes of a stage show the same part.

const MAX_ZOOM = 32;

const view = {
  width: 1, // size that holds all pictures, in pixels of the pictures
  height: 1,
  zoom: 1, // CSS pixels for a pixel of the picture
  x: 0, // position of the pictures' corner in the pane, in CSS pixels
  y: 0,
  fit: "whole", // "whole" and "width" follow the size of the pane; null: set by the user
};

// The zoom at which a pixel of the picture is a pixel of the screen.
const exactZoom = () => 1 / (window.devicePixelRatio || 1);

function paneSize() {
  const pane = stage.panes[0]?.element;
  return { width: pane?.clientWidth || 1, height: pane?.clientHeight || 1 };
}

function wholeZoom() {
  const pane = paneSize();
  return Math.min((pane.width - 24) / view.width, (pane.height - 24) / view.height, 1);
}

const widthZoom = () => Math.min((paneSize().width - 24) / view.width, 1);

// A picture larger than the pane covers it; a smaller one is centred.
function keepInside(position, length, paneLength) {
  const margin = 12;
  if (length + 2 * margin <= paneLength) {
    return (paneLength - length) / 2;
  }
  return Math.min(margin, Math.max(paneLength - length - margin, position));
}

function setView(zoom, x, y) {
  const pane = paneSize();
  view.zoom = Math.min(MAX_ZOOM, Math.max(Math.min(wholeZoom(), 0.02), zoom));
  view.x = keepInside(x, view.width * view.zoom, pane.width);
  view.y = keepInside(y, view.height * view.zoom, pane.height);
  drawView();
}

function fitView(fit) {
  view.fit = fit;
  setView(fit === "width" ? widthZoom() : wholeZoom(), 0, 0);
}

// Fits very tall pages to the width: fitted whole, they would be too narrow to see.
const suitableFit = () => (wholeZoom() < widthZoom() / 3 ? "width" : "whole");

// Zooms around a point of the pane, which stays in place.
function zoomAt(zoom, paneX, paneY) {
  const limited = Math.min(MAX_ZOOM, Math.max(Math.min(wholeZoom(), 0.02), zoom));
  const ratio = limited / view.zoom;
  view.fit = null;
  setView(limited, paneX - (paneX - view.x) * ratio, paneY - (paneY - view.y) * ratio);
}

function zoomBy(factor) {
  const pane = paneSize();
  zoomAt(view.zoom * factor, pane.width / 2, pane.height / 2);
}

function zoomExact() {
  const pane = paneSize();
  zoomAt(exactZoom(), pane.width / 2, pane.height / 2);
}

function pan(dx, dy) {
  view.fit = null;
  setView(view.zoom, view.x + dx, view.y + dy);
}

// Moves a rectangle of the picture to the middle, enlarged as far as it helps.
function lookAt(region) {
  const pane = paneSize();
  const wanted = Math.min(pane.width / (region.width * 2.5), pane.height / (region.height * 2.5));
  const zoom = Math.max(wholeZoom(), Math.min(wanted, Math.max(4 * exactZoom(), wholeZoom())));
  view.fit = null;
  setView(zoom,
    pane.width / 2 - (region.x + region.width / 2) * zoom,
    pane.height / 2 - (region.y + region.height / 2) * zoom);
}
