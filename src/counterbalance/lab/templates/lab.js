"use strict";
(function () {
  const byId = (id) => document.getElementById(id);
  const [nField, pField, guessField] = ["n", "p", "guess"].map(byId);
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let counts = null; // what is inspected; null while the prediction is open
  let shown = -1; // the count that playback stands at
  let timer = 0;

  // Ratios of neighbours, started at the most likely count: nothing overflows or is lost on the way.
  function independent(n, p) {
    const each = new Array(n + 1).fill(0);
    const mode = Math.min(n, Math.floor((n + 1) * p));
    each[mode] = 1;
    for (let k = mode; k < n && p < 1; k += 1) each[k + 1] = (each[k] * (n - k) * p) / ((k + 1) * (1 - p));
    for (let k = mode; k > 0 && p > 0; k -= 1) each[k - 1] = (each[k] * k * (1 - p)) / ((n - k + 1) * p);
    const total = each.reduce((sum, value) => sum + value, 0);
    return each.map((value) => value / total);
  }

  function balanced(n) {
    const each = new Array(n + 1).fill(0);
    each[Math.floor(n / 2)] += 0.5;
    each[Math.ceil(n / 2)] += 0.5;
    return each;
  }

  function atLeastAsFar(k) {
    const limit = Math.abs(k - counts.mean) - 1e-9 * Math.max(1, counts.mean);
    const far = counts.each.filter((_, j) => Math.abs(j - counts.mean) >= limit);
    return Math.min(1, far.reduce((sum, value) => sum + value, 0));
  }

  const chance = (value) => (value === 0 || value >= 0.0001 ? value.toFixed(4) : value.toExponential(2));
  const plain = (value) => String(Math.round(value * 1e6) / 1e6);
  const presentations = (n) => (n === 1 ? "1 presentation" : n + " presentations");

  function drawn(svg, each, guess) {
    const space = "http://www.w3.org/2000/svg";
    const width = 640 / each.length;
    const most = Math.max(...each);
    const parts = each.map((value, k) => {
      const bar = document.createElementNS(space, "rect");
      const height = (value / most) * 225;
      const sizes = { x: k * width + width * 0.08, y: 240 - height, width: width * 0.84, height };
      Object.entries(sizes).forEach(([name, size]) => bar.setAttribute(name, size));
      return bar;
    });
    if (guess !== null) {
      const line = document.createElementNS(space, "line");
      const x = (guess + 0.5) * width;
      Object.entries({ x1: x, x2: x, y1: 0, y2: 240 }).forEach(([name, place]) => line.setAttribute(name, place));
      parts.push(line);
    }
    svg.replaceChildren(...parts);
  }

  function rowOf(k) {
    const row = document.createElement("tr");
    const head = document.createElement("th");
    head.scope = "row";
    head.textContent = k;
    row.append(head);
    for (const value of [counts.each[k], atLeastAsFar(k), counts.even[k]]) {
      const cell = document.createElement("td");
      cell.textContent = chance(value);
      row.append(cell);
    }
    return row;
  }

  function inspect(n, p, guess) {
    counts = { n, p, guess, each: independent(n, p), even: balanced(n), mean: n * p };
    const variance = n * p * (1 - p);
    byId("reading").textContent =
      `You predicted ${guess} of ${n}. The count has mean ${plain(counts.mean)} and variance ${plain(variance)}. It is exactly ` +
      `${guess} with probability ${chance(counts.each[guess])}, so anything else comes up with probability ${chance(1 - counts.each[guess])}. ` +
      `A count as far from the mean as ${guess}, or farther, comes up with probability ${chance(atLeastAsFar(guess))}.`;
    byId("figure-about").textContent =
      `Exact probability of each count: ${presentations(n)}, each assigned by itself, first slot with probability ${plain(p)}. ` +
      `Highest bar ${chance(Math.max(...counts.each))}. The broken line is your prediction.`;
    byId("compared").textContent =
      `Assigned independently, the count varies: variance ${plain(variance)}. Balanced assignment shows half of the presentations in each order and draws only which ones: ` +
      (n % 2 === 0
        ? `exactly ${n / 2} of ${n}, variance 0.`
        : `${(n - 1) / 2} or ${(n + 1) / 2} of ${n}, variance 0.25.`) +
      (p === 0.5 ? "" : " It is at one half whatever p is set to.");
    byId("balanced-about").textContent = `Exact probability of each count: ${presentations(n)}, balanced.`;
    byId("axis-low").textContent = 0;
    byId("axis-high").textContent = n;
    drawn(byId("bars"), counts.each, guess);
    drawn(byId("balanced-bars"), counts.even, null);
    byId("values").replaceChildren(...counts.each.map((_, k) => rowOf(k)));
    byId("inspection").hidden = false;
    setLocked(true);
    show(-1);
    byId("inspect-title").focus();
  }

  function setLocked(isLocked) {
    [nField, pField, guessField, byId("lock")].forEach((field) => (field.disabled = isLocked));
  }

  function show(k) {
    const bars = byId("bars").querySelectorAll("rect");
    const rows = byId("values").children;
    if (shown >= 0 && bars[shown]) [bars[shown], rows[shown]].forEach((part) => part.classList.remove("shown"));
    shown = k;
    byId("back").disabled = k <= 0;
    byId("forth").disabled = k >= counts.n;
    if (k < 0) {
      byId("outcome").textContent = "Playback stands before the first outcome.";
      return;
    }
    [bars[k], rows[k]].forEach((part) => part.classList.add("shown"));
    byId("outcome").textContent =
      `${k} in the first slot, ${counts.n - k} in the second: probability ${chance(counts.each[k])}; this far from the mean or farther: ${chance(atLeastAsFar(k))}.`;
  }

  function pause() {
    clearInterval(timer);
    timer = 0;
    byId("outcome").setAttribute("role", "status");
    byId("play").setAttribute("aria-pressed", "false");
    byId("play").textContent = "Play";
  }

  function step() {
    if (shown < counts.n) show(shown + 1);
    if (shown >= counts.n) pause();
  }

  function play() {
    if (shown >= counts.n) show(-1);
    if (calm.matches) {
      // Nothing moves by itself for who has asked for that.
      step();
      return;
    }
    byId("outcome").removeAttribute("role"); // a reader of screens is not flooded
    byId("play").setAttribute("aria-pressed", "true");
    byId("play").textContent = "Pause";
    timer = setInterval(step, Number(byId("speed").value));
  }

  byId("setting").addEventListener("submit", (event) => {
    event.preventDefault();
    const [n, p, guess] = [nField, pField, guessField].map((field) => Number(field.value));
    if (guess > n) {
      byId("said").textContent = `${guess} of ${n} cannot be: predict a number from 0 to ${n}.`;
      guessField.focus();
      return;
    }
    byId("said").textContent = "";
    inspect(n, p, guess);
  });
  byId("start-over").addEventListener("click", () => {
    pause();
    byId("setting").reset();
    byId("said").textContent = "Reset: set n and p, and predict.";
    byId("inspection").hidden = true;
    counts = null;
    shown = -1;
    setLocked(false);
    nField.focus();
  });
  byId("play").addEventListener("click", () => (timer ? pause() : play()));
  byId("back").addEventListener("click", () => {
    pause();
    show(shown - 1);
  });
  byId("forth").addEventListener("click", () => {
    pause();
    step();
  });
  byId("speed").addEventListener("change", () => {
    if (!timer) return;
    pause();
    play();
  });
})();
