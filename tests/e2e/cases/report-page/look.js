// What the case asks of the page; put in front of each of its questions.
window.look ??= {
  // What a key or a click has set off has been done by then.
  rest: () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 25))),
  all: (selector) => [...document.querySelectorAll(selector)],
  text: (selector) => document.querySelector(selector)?.innerText ?? null,
  nodes: () => document.querySelectorAll("*").length,
  names: () => look.all(".row-check").sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
    .map((row) => row.querySelector(".row-link").dataset.id),
  pressed: () => look.text("[data-mode][aria-pressed=true]"),
  pictures: () => look.all(".stage img").map((image) => ({
    kind: image.className.match(/picture-(\w+)/)[1],
    isLoaded: image.complete && image.naturalWidth > 0,
    isShown: image.checkVisibility({ checkVisibilityCSS: true }) && image.getBoundingClientRect().width > 20,
    width: Math.round(image.getBoundingClientRect().width),
  })),
  // Boxes of the regions, against the pane that shows them.
  regions: () => look.all(".region").map((region) => {
    const box = region.getBoundingClientRect();
    const pane = region.closest(".pane").getBoundingClientRect();
    return { isCurrent: region.classList.contains("is-current"),
      x: (box.left + box.width / 2 - pane.left) / pane.width, y: (box.top + box.height / 2 - pane.top) / pane.height };
  }),
  isWide: () => document.documentElement.scrollWidth > innerWidth,
  // Anything that a text has turned into, or that could run.
  intruders: () => [
    ...look.all("[onerror],[onload],[onclick],iframe,object,embed,svg,a[href^='javascript:' i]").map((one) => one.outerHTML),
    ...look.all("body script:not(#results,#details)").filter((one) => !one.type).map((one) => one.outerHTML),
    ...(window.hacked === undefined ? [] : [`hacked: ${window.hacked}`]),
  ],
  color: (text) => {
    const numbers = text.match(/[\d.]+/g).map(Number);
    const [r, g, b] = numbers.slice(0, 3).map((value) => (text.startsWith("color(") ? value : value / 255));
    return { r, g, b, a: numbers[3] ?? 1 };
  },
  over: (top, below) => Object.fromEntries(["r", "g", "b"].map((one) => [one, top[one] * top.a + below[one] * (1 - top.a)])),
  back: (element) => {
    if (!element) {
      return { r: 1, g: 1, b: 1 };
    }
    const own = look.color(getComputedStyle(element).backgroundColor);
    return own.a === 1 ? own : look.over(own, look.back(element.parentElement));
  },
  light: ({ r, g, b }) => {
    const [x, y, z] = [r, g, b].map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  },
  // Texts that are harder to read than WCAG 2 AA allows.
  pale: () => look.all("body *").filter((element) => !element.disabled && !element.closest("[inert], :disabled") &&
      element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) &&
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim()))
    .map((element) => {
      const style = getComputedStyle(element);
      const back = look.back(element);
      const [a, b] = [look.light(look.over(look.color(style.color), back)), look.light(back)];
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      const isLarge = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && style.fontWeight >= 700);
      return { text: element.innerText.slice(0, 40), ratio, wanted: isLarge ? 3 : 4.5 };
    })
    .filter(({ ratio, wanted }) => ratio < wanted)
    .map(({ text, ratio }) => `${text}: ${ratio.toFixed(2)}`),
  // Controls that say nothing to those who do not see them.
  nameless: () => look.all("button, a[href], input, [role=slider], textarea").filter((element) => element.checkVisibility() &&
      !element.innerText?.trim() && !element.getAttribute("aria-label") && !element.labels?.[0]?.innerText?.trim())
    .map((element) => element.outerHTML.slice(0, 120)),
};
