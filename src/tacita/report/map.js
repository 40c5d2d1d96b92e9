"use strict";
(() => {
  const facts = JSON.parse(document.getElementById("facts").textContent);
  const { points, families, measures } = facts;
  const SPACE = "http://www.w3.org/2000/svg";
  const WIDTH = 860, HEIGHT = 560, EDGE = { left: 70, right: 26, top: 18, bottom: 58 };
  const svg = document.getElementById("map"), tip = document.getElementById("tip"), card = document.getElementById("card");
  const stage = document.getElementById("stage"), legend = document.getElementById("legend");
  const xSelect = document.getElementById("loss"), ySelect = document.getElementById("risk"), logBox = document.getElementById("log");
  const shown = families.map(() => true);
  let chosen = null, stop = null, marks = [];

  // --- small parts ---------------------------------------------------------------------------------------------------

  // Text is only ever set as text, so a column's name can hold what it likes.
  function make(name, attributes = {}, ...children) {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
  }
  function draw(name, attributes, text) {
    const node = document.createElementNS(SPACE, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    if (text !== undefined) node.textContent = text;
    return node;
  }
  function number(value, digits = 3) {
    if (value === null || value === undefined) return "–";
    if (value === 0) return "0";
    const size = Math.abs(value);
    if (size < 1e-4 || size >= 1e7) return value.toExponential(digits - 1).replace("-", "−");
    const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
    return value.toFixed(Math.min(decimals, 6)).replace("-", "−");
  }
  const unitOf = (name) => (facts.axes[name] ?? measures[name] ?? { unit: name === "score" ? "points" : "" }).unit;
  const titleOf = (name) => (name in facts.axes ? facts.axes[name].title : name);
  const handle = (name) => (measures[name] ? `${measures[name].title} (${name})` : name);
  function quantity(point, name) {
    const spread = point.values[name];
    if (!spread) return "–";
    const sd = spread[1] === null || spread[1] === 0 ? "" : " ± " + number(spread[1], 2);
    const unit = unitOf(name);
    return number(spread[0]) + sd + (unit ? " " + unit : "");
  }

  const SHAPES = [
    (r) => `M${r},0A${r},${r} 0 1 1 ${-r},0A${r},${r} 0 1 1 ${r},0Z`,
    (r) => { const s = r * 0.9; return `M${-s},${-s}H${s}V${s}H${-s}Z`; },
    (r) => polygon(3, r * 1.25, -90),
    (r) => polygon(4, r * 1.25, -90),
    (r) => polygon(3, r * 1.25, 90),
    (r) => star(5, r * 1.4, r * 0.62),
    (r) => polygon(6, r * 1.12, 0),
    (r) => { const a = r * 1.15, b = r * 0.42; return `M${-b},${-a}H${b}V${-b}H${a}V${b}H${b}V${a}H${-b}V${b}H${-a}V${-b}H${-b}Z`; },
    (r) => polygon(5, r * 1.15, -90),
    (r) => star(4, r * 1.45, r * 0.55),
  ];
  function polygon(corners, r, turn) {
    const at = (i) => { const a = ((360 / corners) * i + turn) * Math.PI / 180; return `${(r * Math.cos(a)).toFixed(2)},${(r * Math.sin(a)).toFixed(2)}`; };
    return "M" + Array.from({ length: corners }, (_, i) => at(i)).join("L") + "Z";
  }
  function star(corners, outer, inner) {
    const at = (i) => { const r = i % 2 ? inner : outer, a = ((180 / corners) * i - 90) * Math.PI / 180; return `${(r * Math.cos(a)).toFixed(2)},${(r * Math.sin(a)).toFixed(2)}`; };
    return "M" + Array.from({ length: 2 * corners }, (_, i) => at(i)).join("L") + "Z";
  }
  const shape = (family, r) => SHAPES[family % SHAPES.length](r);
  // From the eleventh family on colours come again, with the next shape.
  const colour = (family) => `var(--c${(family + Math.floor(family / 10)) % 10})`;

  // --- scales --------------------------------------------------------------------------------------------------------

  function scale(values, from, to, { log, upper }) {
    const most = Math.max(...values, 0);
    if (log) {
      const least = Math.min(...values.filter((v) => v > 0), most || 1);
      const a = Math.log10(least) - 0.08, b = Math.max(Math.log10(most || 1), Math.log10(least) + 0.1) + 0.05;
      const place = (v) => from + (to - from) * (Math.max(Math.log10(Math.max(v, 1e-300)), a) - a) / (b - a);
      const ticks = [];
      for (let e = Math.floor(a); e <= Math.ceil(b); e++) for (const m of [1, 2, 5]) {
        const v = m * 10 ** e;
        if (Math.log10(v) >= a && Math.log10(v) <= b) ticks.push(v);
      }
      return { place, ticks };
    }
    const end = upper && most > 0.6 * upper ? upper : (most || 1) * 1.06;
    const rough = end / 6, size = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 2.5, 5, 10].map((m) => m * size).find((s) => s >= rough);
    const ticks = [];
    for (let i = 0; i * step <= end * 1.0001; i++) ticks.push(i * step);
    return { place: (v) => from + (to - from) * v / end, ticks };
  }
  const tickWord = (v) => String(Number(v.toPrecision(6)));

  // --- the map -------------------------------------------------------------------------------------------------------

  const value = (point, name) => (point.values[name] ? point.values[name][0] : null);
  function frontierOf(list, x, y) {
    const kept = [];
    let lowest = Infinity, last = null;
    const order = [...list].sort((a, b) => value(a, x) - value(b, x) || value(a, y) - value(b, y));
    for (const point of order) {
      const px = value(point, x), py = value(point, y);
      if (py < lowest || (last && px === value(last, x) && py === value(last, y))) { kept.push(point); lowest = py; last = point; }
    }
    return kept;
  }

  function render() {
    const x = xSelect.value, y = ySelect.value;
    const placed = points.filter((p) => value(p, x) !== null && value(p, y) !== null);
    const seen = placed.filter((p) => shown[p.family]);
    const log = logBox.checked;
    // Hidden families still count for the scales: the others must not jump.
    const across = scale(placed.map((p) => value(p, x)), EDGE.left, WIDTH - EDGE.right, { log });
    const upward = scale(placed.map((p) => value(p, y)), HEIGHT - EDGE.bottom, EDGE.top, { upper: facts.upper[y] });
    svg.replaceChildren();
    axes(across, upward, x, y);
    limits(across, upward, x, y);
    const front = frontierOf(seen, x, y);
    if (front.length > 1) {
      let path = `M${across.place(value(front[0], x))},${upward.place(value(front[0], y))}`;
      // Steps, because nothing is known to lie between two points.
      for (const p of front.slice(1)) path += `H${across.place(value(p, x))}V${upward.place(value(p, y))}`;
      svg.append(draw("path", { class: "frontier", d: path }));
    }
    const on = new Set(front);
    marks = [];
    const order = [...seen].sort((a, b) => on.has(a) - on.has(b));
    for (const point of order) mark(point, on.has(point), across, upward, x, y);
    marks.sort((a, b) => value(a.point, x) - value(b.point, x) || value(a.point, y) - value(b.point, y));
    if (!marks.some((m) => m.point === stop)) stop = marks.length ? marks[0].point : null;
    for (const m of marks) m.node.setAttribute("tabindex", m.point === stop ? "0" : "-1");
    named();
    hide();
  }

  function axes(across, upward, x, y) {
    const low = HEIGHT - EDGE.bottom, right = WIDTH - EDGE.right;
    for (const t of upward.ticks) {
      svg.append(draw("line", { class: "grid", x1: EDGE.left, x2: right, y1: upward.place(t), y2: upward.place(t) }));
      svg.append(draw("text", { x: EDGE.left - 9, y: upward.place(t) + 4, "text-anchor": "end" }, tickWord(t)));
    }
    for (const t of across.ticks) {
      svg.append(draw("line", { class: "grid", x1: across.place(t), x2: across.place(t), y1: EDGE.top, y2: low }));
      svg.append(draw("text", { x: across.place(t), y: low + 18, "text-anchor": "middle" }, tickWord(t)));
    }
    svg.append(draw("path", { class: "axis", fill: "none", d: `M${EDGE.left},${EDGE.top}V${low}H${right}` }));
    const word = (name, kind) => `${kind}: ${titleOf(name) in measures ? handle(titleOf(name)) : titleOf(name)}${unitOf(name) ? ", " + unitOf(name) : ""} – lower is better`;
    svg.append(draw("text", { class: "title", x: (EDGE.left + right) / 2, y: HEIGHT - 12, "text-anchor": "middle" }, word(x, "information loss")));
    svg.append(draw("text", { class: "title", transform: `translate(16 ${(EDGE.top + low) / 2}) rotate(-90)`, "text-anchor": "middle" }, word(y, "disclosure risk")));
  }

  function limits(across, upward, x, y) {
    for (const limit of facts.limits) {
      const low = HEIGHT - EDGE.bottom, right = WIDTH - EDGE.right;
      if (limit.name === y) {
        const at = upward.place(limit.bound);
        if (at < EDGE.top) continue;
        svg.append(draw("line", { class: "limit", x1: EDGE.left, x2: right, y1: at, y2: at }));
        svg.append(draw("text", { class: "limit-word", x: right, y: at - 6, "text-anchor": "end" }, limit.words));
      } else if (limit.name === x) {
        const at = across.place(limit.bound);
        if (at > right) continue;
        svg.append(draw("line", { class: "limit", x1: at, x2: at, y1: EDGE.top, y2: low }));
        svg.append(draw("text", { class: "limit-word", x: at + 6, y: EDGE.top + 10 }, limit.words));
      }
    }
  }

  function mark(point, on, across, upward, x, y) {
    const cx = across.place(value(point, x)), cy = upward.place(value(point, y));
    const [, , xl, xh] = point.values[x], [, , yl, yh] = point.values[y];
    const tint = colour(point.family);
    if (on) {
      for (const [x1, x2, y1, y2] of [[across.place(xl), across.place(xh), cy, cy], [cx, cx, upward.place(yl), upward.place(yh)]]) {
        if (Math.hypot(x2 - x1, y2 - y1) > 3) svg.append(draw("line", { class: "whisker", x1, x2, y1, y2, style: `stroke:${tint}` }));
      }
    }
    const words = `${point.label}. ${titleOf(x)} ${quantity(point, x)}, ${titleOf(y)} ${quantity(point, y)}${on ? ", on the frontier" : ""}`;
    const node = draw("path", {
      class: on ? "point on" : "point", d: shape(point.family, on ? 7 : 5.2), transform: `translate(${cx.toFixed(2)} ${cy.toFixed(2)})`,
      style: `fill:${tint};${on ? "" : `stroke:${tint}`}`, role: "button", "aria-label": words, "data-family": families[point.family], "data-label": point.label,
    });
    node.addEventListener("pointerenter", () => light(point));
    node.addEventListener("pointerleave", hide);
    node.addEventListener("focus", () => light(point));
    node.addEventListener("blur", hide);
    node.addEventListener("click", () => select(point));
    svg.append(node);
    marks.push({ point, node, cx, cy, on });
  }

  function named() {
    const at = (index) => (index === null ? null : marks.find((m) => m.point === points[index]) ?? null);
    const best = at(facts.best), picked = at(chosen === null ? null : points.indexOf(chosen));
    if (picked) svg.insertBefore(draw("circle", { class: "halo", cx: picked.cx, cy: picked.cy, r: 17 }), svg.querySelector(".point"));
    if (best) svg.append(draw("circle", { class: "ring", cx: best.cx, cy: best.cy, r: 12 }));
    // The best first, then the chosen one, then the frontier from the left: who comes first has the choice of places.
    const front = marks.filter((m) => m.on && m !== best && m !== picked);
    const taken = marks.map((m) => [m.cx - 7, m.cy - 7, m.cx + 7, m.cy + 7]);
    for (const m of new Set([best, picked, ...front])) if (m) label(m, m === best, taken);
  }

  const PLACES = [[1, -0.2], [-1, -0.2], [1, -1], [-1, -1], [1, 1], [-1, 1], [0, -1.2], [0, 1.4]];
  function label(m, isBest, taken) {
    const whole = (isBest ? "best: " : "") + m.point.label, text = whole.length > 44 ? whole.slice(0, 43) + "…" : whole;
    const node = draw("text", { class: isBest ? "name best-name" : "name" }, text);
    svg.append(node);
    const box = node.getBBox(), wide = box.width || text.length * 6.7, high = box.height || 15;
    for (const far of [13, 24, 40, 60]) {
      for (const [dx, dy] of PLACES) {
        const left = m.cx + dx * far - (dx < 0 ? wide : dx === 0 ? wide / 2 : 0), top = m.cy + dy * far - high / 2;
        const place = [left - 2, top - 1, left + wide + 2, top + high + 1];
        const inside = place[0] > EDGE.left && place[2] < WIDTH - 4 && place[1] > EDGE.top && place[3] < HEIGHT - EDGE.bottom;
        if (!inside || taken.some((b) => b[0] < place[2] && place[0] < b[2] && b[1] < place[3] && place[1] < b[3])) continue;
        taken.push(place);
        node.setAttribute("x", left.toFixed(1));
        node.setAttribute("y", (top + high * 0.78).toFixed(1));
        if (far > 20) {
          const x2 = Math.max(place[0], Math.min(m.cx, place[2])), y2 = Math.max(place[1], Math.min(m.cy, place[3]));
          svg.insertBefore(draw("line", { class: "leader", x1: m.cx, y1: m.cy, x2, y2 }), svg.querySelector(".point"));
        }
        return;
      }
    }
    node.remove(); // no room: the point still has its name under the mouse and in the table
  }

  // --- hovering ------------------------------------------------------------------------------------------------------

  function light(point) {
    const found = marks.find((m) => m.point === point);
    if (!found) return;
    for (const m of marks) m.node.classList.toggle("lit", m === found);
    const rows = [xSelect.value, ySelect.value, "score"].filter((n, i, all) => all.indexOf(n) === i && point.values[n]);
    const list = make("dl");
    for (const [name, word] of point.parameters) list.append(make("dt", {}, name), make("dd", {}, word));
    for (const name of rows) list.append(make("dt", {}, name === "score" ? "score" : titleOf(name)), make("dd", {}, quantity(point, name)));
    tip.replaceChildren(make("strong", {}, point.label), make("span", { class: "quiet" }, families[point.family] + (found.on ? ", on the frontier" : "")),
      list, make("p", { class: "hint" }, "Click or press Enter for its scorecard"));
    tip.hidden = false;
    const box = svg.getBoundingClientRect(), home = stage.getBoundingClientRect(), ratio = box.width / WIDTH;
    const left = box.left - home.left + found.cx * ratio, top = box.top - home.top + found.cy * ratio;
    tip.style.left = Math.max(0, left + 18 + tip.offsetWidth > home.width ? left - 18 - tip.offsetWidth : left + 18) + "px";
    tip.style.top = Math.max(0, Math.min(top - 20, home.height - tip.offsetHeight)) + "px";
  }
  function hide() {
    tip.hidden = true;
    for (const m of marks) m.node.classList.remove("lit");
  }

  // --- the scorecard -------------------------------------------------------------------------------------------------

  function select(point) {
    chosen = chosen === point ? null : point;
    if (point !== null) stop = point;
    const focused = document.activeElement && document.activeElement.classList.contains("point");
    render();
    if (focused) marks.find((m) => m.point === stop)?.node.focus();
    show();
    for (const row of document.querySelectorAll("#points tr[data-label]")) row.toggleAttribute("data-chosen", chosen !== null && row.dataset.label === chosen.label);
  }

  function cells(kind, ...texts) {
    return make("tr", {}, ...texts.map((t, i) => make(i ? "td" : "th", i ? (kind[i] ? { class: kind[i] } : {}) : { scope: "row" }, t)));
  }
  function table(caption, heads, kinds, rows) {
    const head = make("tr", {}, ...heads.map((h, i) => make("th", kinds[i] ? { scope: "col", class: kinds[i] } : { scope: "col" }, h)));
    return make("table", {}, make("caption", {}, caption), make("thead", {}, head), make("tbody", {}, ...rows));
  }

  function show() {
    if (chosen === null) {
      card.replaceChildren(make("h2", {}, "Scorecard"), make("p", { class: "empty" }, "Choose a point on the map, by mouse or keyboard, to see its measures, the parts of its score and its recipe."));
      return;
    }
    const point = chosen, badges = make("p", { class: "badges" });
    badges.append(make("span", { class: "badge" }, families[point.family]), make("span", { class: "badge" }, point.seeds === 1 ? "1 seed" : `${point.seeds} seeds`));
    if (point.frontier) badges.append(make("span", { class: "badge strong" }, "on the frontier"));
    if (points[facts.best] === point) badges.append(make("span", { class: "badge strong" }, `best: ${facts.constraint}`));
    card.replaceChildren(make("h2", {}, point.label), badges);
    card.append(scoreTable(point));
    for (const [kind, word] of [["loss", "Information loss"], ["risk", "Disclosure risk"]]) {
      const names = Object.keys(measures).filter((n) => measures[n].kind === kind && point.values[n]);
      if (!names.length) continue;
      const rows = names.map((n) => cells(["", "number", "what"], handle(n), quantity(point, n), measures[n].what));
      card.append(table(`${word}, mean over seeds ± standard deviation`, ["measure", "value", "what it says"], ["", "number", ""], rows));
    }
    for (const note of point.notes) card.append(make("p", { class: "quiet" }, note));
    if (facts.scenario) card.append(make("p", { class: "quiet" }, `Scenario: ${facts.scenario}.`));
    card.append(make("h3", {}, "Recipe"), make("pre", { tabindex: "0", "aria-label": "Recipe as TOML" }, point.recipe));
  }

  function scoreTable(point) {
    if (!point.parts.length) return make("p", { class: "quiet" }, "There is no score: a part of it was not computed.");
    const rows = point.parts.map((part) => cells(["", "number", "number", "number"], `${handle(part.measure)}, ${part.range}`, part.value, part.weight, part.points));
    const total = cells(["", "number", "number", "number"], "score", "", "", point.total);
    total.className = "total";
    rows.push(total);
    return table(`Score = ${facts.score}; lower is better`, ["part", "value", "weight", "points"], ["", "number", "number", "number"], rows);
  }

  // --- controls ------------------------------------------------------------------------------------------------------

  families.forEach((name, family) => {
    const icon = draw("svg", { width: 18, height: 18, viewBox: "-9 -9 18 18", "aria-hidden": "true" });
    icon.append(draw("path", { d: shape(family, 6), style: `fill:${colour(family)}` }));
    const count = points.filter((p) => p.family === family).length;
    const button = make("button", { type: "button", "aria-pressed": "true", "data-family": name }, icon, name, make("small", {}, String(count)));
    button.addEventListener("click", () => {
      shown[family] = !shown[family];
      button.setAttribute("aria-pressed", String(shown[family]));
      render();
    });
    legend.append(make("li", {}, button));
  });
  const all = make("button", { type: "button", class: "all" }, "show all");
  all.addEventListener("click", () => {
    shown.fill(true);
    for (const button of legend.querySelectorAll("[aria-pressed]")) button.setAttribute("aria-pressed", "true");
    render();
  });
  legend.append(make("li", {}, all));

  for (const [select_, kind] of [[xSelect, "loss"], [ySelect, "risk"]]) {
    select_.append(make("option", { value: kind }, titleOf(kind) in measures ? handle(titleOf(kind)) : `${titleOf(kind)} (map)`));
    for (const [name, measure] of Object.entries(measures)) {
      if (measure.kind === kind && measure.better === "lower" && name !== titleOf(kind)) select_.append(make("option", { value: name }, handle(name)));
    }
    select_.addEventListener("change", render);
  }
  logBox.checked = facts.log;
  logBox.addEventListener("change", render);

  svg.addEventListener("keydown", (event) => {
    const here = marks.findIndex((m) => m.point === stop);
    const next = { ArrowRight: here + 1, ArrowDown: here + 1, ArrowLeft: here - 1, ArrowUp: here - 1, Home: 0, End: marks.length - 1 }[event.key];
    if (next !== undefined && marks.length) {
      stop = marks[Math.max(0, Math.min(marks.length - 1, next))].point;
      for (const m of marks) m.node.setAttribute("tabindex", m.point === stop ? "0" : "-1");
      marks.find((m) => m.point === stop).node.focus();
      event.preventDefault();
    } else if ((event.key === "Enter" || event.key === " ") && stop !== null) {
      select(stop);
      event.preventDefault();
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { hide(); if (chosen !== null) select(chosen); }
  });
  for (const row of document.querySelectorAll("#points tr[data-label]")) {
    row.addEventListener("click", () => { const found = points.find((p) => p.label === row.dataset.label); if (found && found !== chosen) select(found); });
  }

  render();
  if (facts.best !== null) select(points[facts.best]); else show();
})();
