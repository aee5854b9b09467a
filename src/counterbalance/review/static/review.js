// Keys for the buttons of the page, and how it was looked at. Everything works without this file.
"use strict";

// A key that was meant for the case before must not answer this one unseen.
const QUIET_MILLISECONDS = 250;
const shown = performance.now();
const form = document.querySelector("#answers");
let isSent = false;
let timesLeft = 0;

function isWriting(element) {
  return element.matches("input:not([type=checkbox]):not([type=hidden]), textarea, select");
}

function press(key) {
  const button = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (!button) return false;
  button.click();
  if (button.tagName === "SUMMARY") button.focus();
  return true;
}

document.addEventListener("keydown", (event) => {
  if (event.target.matches("textarea") && event.key === "Enter" && event.ctrlKey) {
    event.preventDefault();
    event.target.form.requestSubmit();
    return;
  }
  if (document.body.dataset.keys !== "on" || event.repeat || event.isComposing) return;
  if (event.ctrlKey || event.altKey || event.metaKey || isWriting(event.target)) return;
  if (performance.now() - shown < QUIET_MILLISECONDS) return;
  if (press(event.key)) event.preventDefault();
});

document.addEventListener("submit", (event) => {
  if (isSent) {
    event.preventDefault();
    return;
  }
  isSent = true;
  if (event.target !== form) return;
  form.elements.left_page.value = String(timesLeft);
  form.elements.milliseconds.value = String(Math.round(performance.now() - shown));
});

// A page that comes back from the browser's memory can be sent again; the server knows its ticket.
window.addEventListener("pageshow", () => { isSent = false; });
document.addEventListener("visibilitychange", () => { if (document.hidden) timesLeft += 1; });

function noteEnds() {
  for (const panel of document.querySelectorAll(".response")) {
    const isAtEnd = panel.scrollTop + panel.clientHeight >= panel.scrollHeight - 2;
    const isInView = panel.getBoundingClientRect().bottom <= window.innerHeight + 2;
    if (isAtEnd && isInView) form.elements[`scrolled_${panel.dataset.slot}`].value = "1";
  }
}
if (form) {
  document.addEventListener("scroll", noteEnds, { capture: true, passive: true });
  window.addEventListener("resize", noteEnds, { passive: true });
  noteEnds();
}
