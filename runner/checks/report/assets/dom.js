// Creates elements. Texts from pages, URLs and logs are only ever inserted as text: this viewer
// never parses a text as HTML.

const byId = (id) => document.getElementById(id);

// Makes control characters visible as symbols, and marks of text direction as numbers. Otherwise
// they would be invisible, or change the direction of the text around them.
function visible(text) {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : `‹U+${code.toString(16).toUpperCase().padStart(4, "0")}›`;
  });
}

// Creates an element with properties. Names with a dash, and `role`, become attributes; `on…` become
// listeners. Omits properties that are undefined or null, and children that are empty.
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) {
      continue;
    }
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value);
    } else if (name.includes("-") || name === "role") {
      element.setAttribute(name, value);
    } else if (name === "class") {
      element.className = value;
    } else {
      element[name] = value;
    }
  }
  element.append(...children.flat().filter((child) => child || child === 0)
    .map((child) => (child instanceof Node ? child : visible(String(child)))));
  return element;
}

const button = (text, properties, ...children) =>
  make("button", { type: "button", ...properties }, text, ...children);

// A key, as titles and the help show it.
const key = (name) => make("kbd", {}, name);

let toastTimer = 0;

function say(text) {
  const toast = byId("toast");
  toast.textContent = text;
  toast.classList.add("shown");
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => toast.classList.remove("shown"), 2500);
}

// Copies a text to the clipboard. A page opened from disk may be denied the clipboard API; then
// uses execCommand(), and if that is denied too, shows the text selected.
async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    say(`${what} copied`);
    return;
  } catch {
    // Try execCommand().
  }
  const field = make("textarea", { class: "off-screen", value: text, readOnly: true });
  const before = document.activeElement;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  before?.focus?.();
  if (isCopied) {
    say(`${what} copied`);
  } else {
    copyByHand(text, what);
  }
}

function copyByHand(text, what) {
  const dialog = byId("copy-by-hand");
  const field = make("textarea", { value: text, readOnly: true, rows: 6, "aria-label": what });
  dialog.replaceChildren(
    make("h2", { id: "copy-title" }, what),
    make("p", {}, "This browser does not let the page copy. The text is selected: copy it with Ctrl+C."),
    field,
    make("form", { method: "dialog" }, make("button", { class: "primary" }, "Close")));
  dialog.showModal();
  field.select();
}

const plural = (count, one, many = one + "s") => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

function duration(ms) {
  if (!(ms >= 0)) {
    return "";
  }
  if (ms < 1000) {
    return `${Math.round(ms)} ms`;
  }
  if (ms < 59950) {
    return `${(ms / 1000).toFixed(1)} s`;
  }
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

const percent = (ratio) =>
  ratio > 0 && ratio < 0.0001 ? "< 0.01 %" : `${(ratio * 100).toLocaleString("en", { maximumFractionDigits: 2 })} %`;
