// Touch, mouse and wheel input on the stage.

// Two fingers zoom; one finger, or the mouse, moves the pictures.
function listenToPointers(box) {
  const pointers = new Map();
  const spread = () => {
    const [a, b] = [...pointers.values()];
    return { distance: Math.hypot(a.x - b.x, a.y - b.y) || 1, x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  };
  box.addEventListener("pointerdown", (event) => {
    if (event.button === 0 && event.target.closest(".pane")) {
      box.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      box.classList.add("is-moving");
    }
  });
  box.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) {
      return;
    }
    const spreadBefore = pointers.size === 2 && spread();
    const dx = event.clientX - before.x;
    const dy = event.clientY - before.y;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (spreadBefore) {
      const now = spread();
      const corner = stage.panes[0].element.getBoundingClientRect();
      pan(now.x - spreadBefore.x, now.y - spreadBefore.y);
      zoomAt(view.zoom * (now.distance / spreadBefore.distance), now.x - corner.left, now.y - corner.top);
    } else if (pointers.size === 1) {
      pan(dx, dy);
    }
  });
  for (const end of ["pointerup", "pointercancel"]) {
    box.addEventListener(end, (event) => {
      pointers.delete(event.pointerId);
      box.classList.toggle("is-moving", pointers.size > 0);
    });
  }
}

function listenToWheel(box) {
  box.addEventListener("wheel", (event) => {
    const pane = event.target.closest(".pane");
    if (!pane) {
      return;
    }
    event.preventDefault();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    if (event.shiftKey) {
      pan(-event.deltaX * unit, -event.deltaY * unit);
      return;
    }
    const corner = pane.getBoundingClientRect();
    const strength = event.ctrlKey ? 0.01 : 0.0015;
    zoomAt(view.zoom * Math.exp(-event.deltaY * unit * strength),
      event.clientX - corner.left, event.clientY - corner.top);
  }, { passive: false });
}
