// The explorer: one state, and views that are drawn from it. Numbers come from the payload; here they are only looked
// up, counted and drawn. Names are text everywhere: they are never parsed as HTML, as formulas or as addresses.
"use strict";
(() => {
const MOST_LINES = 1000, MOST_DOTS = 6000, MOST_ROWS = 200, MOST_POINTS = 5000, MOST_SMALL = 800, REACH_DOT = 8, REACH_LINE = 6;
const INK = "#1d2129", NEUTRAL = "#4A4F57";
const CLASS_MARKS = ["circle", "square", "triangle", "diamond", "inverted_triangle", "star", "cross", "x"];
const TINTS = ["#f6e3b4", "#cfe0f5", "#d9ecd3", "#f3d3da", "#e2d8f0", "#d2ecec", "#e9e3d3", "#e3e3e3"];
const $ = (id) => document.getElementById(id);
const range = (n) => Array.from({length: n}, (_, i) => i);
const brief = (text, most) => { const signs = [...String(text)]; return signs.length > most ? `${signs.slice(0, most - 1).join("")}…` : signs.join(""); };
const clamp = (x, low, high) => Math.min(high, Math.max(low, x));
Bokeh.set_log_level("error");

// ---- payload ---------------------------------------------------------------------------------------------------

const ARRAYS = {f8: Float64Array, f4: Float32Array, i4: Int32Array, i1: Int8Array, u1: Uint8Array, u2: Uint16Array};
function unpack(packed) {
  const text = atob(packed.bytes), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return new ARRAYS[packed.type](bytes.buffer);
}
const payload = JSON.parse($("payload").textContent);
const opened = new Map();  // data sets whose arrays are unpacked, by position

function dataset(d) {
  if (opened.has(d)) return opened.get(d);
  const given = payload.datasets[d];
  const one = {name: given.name, labels: given.labels, B: given.labels.length, K: payload.algorithms.length};
  one.measures = given.measures.map((m) => m && {
    ...m, values: unpack(m.values), places: unpack(m.places), draws: m.places.shape[0], strip: unpack(m.strip),
    grid: unpack(m.density.grid), heights: unpack(m.density.heights),
  });
  one.data = given.data && {
    ...given.data,
    variables: [...given.data.inputs, ...(given.data.target ? [given.data.target] : [])]
      .map((c) => ({name: c.name, levels: c.levels, values: unpack(c.values)})),
  };
  if (one.data && given.data.components) {
    const both = unpack(given.data.components), n = one.data.n;
    const share = given.data.explained.map((x) => `${(100 * x).toFixed(0)}%`);
    one.data.components = range(2).map((i) => ({name: `component ${i + 1} (${share[i]})`, levels: [],
                                                values: both.slice(i * n, (i + 1) * n)}));
  }
  one.grid = given.grid && {columns: given.grid.columns, axes: given.grid.axes.map(unpack)};
  one.samples = given.samples && unpack(given.samples);
  one.models = new Map(Object.entries(given.models).map(([b, models]) => [Number(b), models.map(model)]));
  if (opened.size > 12) opened.clear();
  opened.set(d, one);
  return one;
}
const model = (m) => ({algorithm: m.algorithm, prediction: unpack(m.prediction), surface: m.surface && unpack(m.surface)});
const algorithm = (k) => payload.algorithms[k];

// ---- state -----------------------------------------------------------------------------------------------------

const START = {view: "data", d: 0, sel: [], focus: null, alg: null, obs: [], lines: true, draw: 0, mode: "replace",
               named: [], tabs: {}};
let state = {...START, view: payload.domain.length ? "domain" : "data"};
let past = [], future = [];

function change(patch, {keep = true} = {}) {
  const next = {...state, ...patch};
  if (next.d !== state.d && !("sel" in patch)) Object.assign(next, {sel: [], focus: null, obs: []});
  if (keep) { past.push(state); if (past.length > 500) past.shift(); future = []; }
  state = next;
  render();
}
function undo() { if (past.length) { future.push(state); state = past.pop(); render(); } }
function redo() { if (future.length) { past.push(state); state = future.pop(); render(); } }

const union = (a, b) => [...new Set([...a, ...b])].sort((x, y) => x - y);
const both = (a, b) => { const s = new Set(b); return a.filter((x) => s.has(x)); };
const without = (a, b) => { const s = new Set(b); return a.filter((x) => !s.has(x)); };

// Select replications; the mode, or the modifier keys, decide how they combine with the selection.
function select(found, {modifiers = {}, alg, focus} = {}) {
  const mode = modifiers.ctrl ? "toggle" : modifiers.shift ? "extend" : state.mode;
  const now = state.sel, fresh = union(found, []);
  const sel = mode === "refine" ? both(now, fresh)
    : mode === "extend" ? union(now, fresh)
    : mode === "toggle" ? union(without(now, fresh), without(fresh, now)) : fresh;
  const at = focus !== undefined && sel.includes(focus) ? focus : sel.length === 1 ? sel[0] : null;
  change({sel, focus: at, ...(alg === undefined ? {} : {alg})});
}

// A selection as text: 1-5,9 for the positions 1 to 5 and 9.
function asRanges(list) {
  const parts = [];
  for (let i = 0; i < list.length; i++) {
    let j = i;
    while (j + 1 < list.length && list[j + 1] === list[j] + 1) j++;
    parts.push(i === j ? `${list[i]}` : `${list[i]}-${list[j]}`);
    i = j;
  }
  return parts.join(",");
}
function fromRanges(text, most) {
  const found = [];
  for (const part of String(text).split(",")) {
    const match = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part);
    if (!match) continue;
    for (let i = Number(match[1]); i <= Math.min(Number(match[2] ?? match[1]), most - 1); i++) found.push(i);
  }
  return union(found, []);
}
function toLink() {
  const s = state, brief = {v: s.view, d: payload.datasets[s.d].name, s: asRanges(s.sel), f: s.focus, a: s.alg,
    o: asRanges(s.obs), l: s.lines ? 1 : 0, t: s.draw, m: s.mode, tabs: s.tabs,
    n: s.named.map((one) => [one.name, payload.datasets[one.d].name, asRanges(one.sel)])};
  return "#" + encodeURIComponent(JSON.stringify(brief));
}
function fromLink(hash) {
  let brief;
  try { brief = JSON.parse(decodeURIComponent(hash.slice(1))); } catch { return null; }
  if (typeof brief !== "object" || brief === null) return null;
  const position = (name) => payload.datasets.findIndex((one) => one.name === name);
  const d = Math.max(0, position(brief.d)), B = payload.datasets[d].labels.length;
  const n = payload.datasets[d].data ? payload.datasets[d].data.n : 0, K = payload.algorithms.length;
  const whole = (x, most) => (Number.isInteger(x) && x >= 0 && x < most ? x : null);
  const tabs = {};
  for (const [key, value] of Object.entries(brief.tabs ?? {}))
    if (["data", "distribution", "sample"].includes(key) ? typeof value === "string" : ["measure", "x", "y", "domain", "page"].includes(key) && Number.isInteger(value) && value >= 0) tabs[key] = value;
  return {...START, view: brief.v === "domain" && payload.domain.length ? "domain" : "data", d,
    sel: fromRanges(brief.s ?? "", B), focus: whole(brief.f, B), alg: whole(brief.a, K),
    obs: fromRanges(brief.o ?? "", n), lines: brief.l !== 0, draw: whole(brief.t, 1000) ?? 0,
    mode: ["replace", "refine", "extend"].includes(brief.m) ? brief.m : "replace", tabs,
    named: (Array.isArray(brief.n) ? brief.n : []).filter((one) => Array.isArray(one) && position(one[1]) >= 0)
      .map(([name, where, sel]) => ({name: String(name), d: position(where),
                                     sel: fromRanges(sel, payload.datasets[position(where)].labels.length)}))};
}

// ---- what follows from the state -------------------------------------------------------------------------------

const here = () => dataset(state.d);
const focused = () => state.focus ?? (state.sel.length === 1 ? state.sel[0] : null);
const drawOf = (m) => state.draw % m.draws;
// The algorithm at a place of a replication; null in one in which an algorithm lacks a value that others have.
const placed = (m, b, p) => { const k = m.places[(drawOf(m) * here().B + b) * here().K + p]; return k < here().K ? k : null; };
const value = (m, b, k) => m.values[b * here().K + k];
// The same where it has a value, and so a dot.
const at = (m, b, p) => { const k = placed(m, b, p); return k === null || Number.isNaN(value(m, b, k)) ? null : k; };
function number(x, digits = 4) {
  if (x === null || Number.isNaN(x)) return "–";
  return x !== 0 && (Math.abs(x) < 1e-3 || Math.abs(x) >= 1e6) ? x.toExponential(digits - 2) : String(Number(x.toPrecision(digits)));
}
function counts(m, list) {  // how often each algorithm takes each place in some replications
  const {K} = here(), found = range(K).map(() => new Array(K).fill(0));
  for (const b of list) for (let p = 0; p < K; p++) { const k = placed(m, b, p); if (k !== null) found[p][k]++; }
  return found;
}
function orderText(m, b) {
  const one = here(), parts = [];
  for (let p = 0; p < one.K; p++) {
    const k = at(m, b, p);
    if (k !== null) parts.push(`${p + 1}. ${algorithm(k).name} ${number(value(m, b, k))}`);
  }
  return parts.join("\n");
}
// Frequency of each observation in the learning sample in focus; the mean over the selection where there is no focus.
function frequencies() {
  const one = here();
  if (!one.samples || !one.data) return null;
  const n = one.data.n, list = focused() !== null ? [focused()] : state.sel;
  if (!list.length) return null;
  const found = new Float64Array(n);
  for (const b of list) for (let i = 0; i < n; i++) found[i] += one.samples[b * n + i];
  if (list.length > 1) for (let i = 0; i < n; i++) found[i] /= list.length;
  return found;
}
function grey(f) {  // white for 0, then from light to dark up to 3
  if (f === null) return "#9aa1ac";
  if (f <= 0) return "#ffffff";
  const t = clamp((f - 1) / 2, -0.4, 1), mix = (light, dark) => Math.round(light + t * (dark - light));
  return `rgb(${mix(191, 51)},${mix(196, 56)},${mix(204, 63)})`;
}

// ---- queries ---------------------------------------------------------------------------------------------------

const QUERIES = {
  sample({obs, inside}) {
    const one = here(), n = one.data ? one.data.n : 0;
    if (!one.samples || obs < 0 || obs >= n) return [];
    return range(one.B).filter((b) => (one.samples[b * n + obs] > 0) === inside);
  },
  place({j, a, place}) { const m = here().measures[j]; return range(here().B).filter((b) => placed(m, b, place) === a); },
  beats({j, a, b: other}) {
    const m = here().measures[j], sign = m.direction === "lower" ? 1 : -1;
    return range(here().B).filter((b) => sign * value(m, b, a) < sign * value(m, b, other));
  },
  range({j, a, low, high}) {
    const m = here().measures[j];
    return range(here().B).filter((b) => value(m, b, a) >= low && value(m, b, a) <= high);
  },
  extreme({j, a, end}) {
    const m = here().measures[j], sign = (m.direction === "lower") === (end === "worst") ? 1 : -1;
    let best = -1;
    for (let b = 0; b < here().B; b++) {
      const x = value(m, b, a);
      if (!Number.isNaN(x) && (best < 0 || sign * x > sign * value(m, best, a))) best = b;
    }
    return best < 0 ? [] : [best];
  },
};
function query(kind, facts, modifiers) {
  const found = QUERIES[kind](facts);
  select(found, {modifiers, ...(kind === "extreme" ? {alg: facts.a, focus: found[0]} : {})});
}

// ---- page ------------------------------------------------------------------------------------------------------

function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, given] of Object.entries(attributes)) {
    if (name === "on") for (const [event, call] of Object.entries(given)) element.addEventListener(event, call);
    else if (given === true) element.setAttribute(name, "");
    else if (given !== false && given !== null && given !== undefined) element.setAttribute(name, given);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}
const swatch = (k) => { const s = h("span", {class: "swatch"}); s.style.background = algorithm(k).colour; return s; };
function options(element, names, chosen) {
  element.replaceChildren(...names.map((name, i) => h("option", {value: String(i)}, name)));
  if (chosen !== undefined) element.value = String(chosen);
}
function tell(text, event) {
  const tip = $("tip");
  if (!text) { tip.hidden = true; return; }
  tip.textContent = text;
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  tip.style.left = `${clamp(event.clientX + 14, 4, innerWidth - box.width - 4)}px`;
  tip.style.top = `${clamp(event.clientY + 14, 4, innerHeight - box.height - 4)}px`;
}
function save(name, blob) {
  const url = URL.createObjectURL(blob), a = h("a", {href: url, download: name});
  document.body.append(a);
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
const fileName = (text) => text.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 60) || "view";

// ---- drawing with Bokeh ----------------------------------------------------------------------------------------

const {Plotting} = Bokeh, Models = Bokeh.Models;
const plain = (text) => new (Models.get("PlainText"))({text: String(text)});
const source = (data) => new Bokeh.ColumnDataSource({data});
const field = (name) => ({field: name});
let big = innerWidth >= 1800;

// A figure in an element: its renderers, where its dots and lines are, and what happens when they are hit.
class Plot {
  constructor(element, {title, x = "", y = "", log = false, tools = "box_select,lasso_select,pan,wheel_zoom,reset", ...rest}) {
    const host = this.host = h("div", {class: "host"});
    element.append(host);
    const figure = this.figure = Plotting.figure({
      sizing_mode: "stretch_both", tools, toolbar_location: tools ? "right" : null,
      y_axis_type: log ? "log" : "linear", output_backend: "canvas", min_border: 2, ...rest,
    });
    this.log = log;
    figure.toolbar.logo = null;
    figure.outline_line_color = "#d5d8de";
    for (const axis of [figure.xaxis, figure.yaxis].flat()) {
      axis.axis_label_text_font_style = "normal";
      axis.axis_label_text_font_size = axis.major_label_text_font_size = big ? "14px" : "11.5px";
      axis.axis_line_color = axis.minor_tick_line_color = null;
      axis.major_tick_line_color = "#9aa1ac";
      axis.axis_label_text_color = axis.major_label_text_color = INK;
    }
    figure.xgrid.grid_line_color = "#eceef1";
    figure.ygrid.grid_line_color = "#eceef1";
    if (x) figure.xaxis.axis_label = plain(brief(x, 60));
    // Upright, a long label has its direction on a line of its own: otherwise low panels cut it off.
    if (y) figure.yaxis.axis_label = plain(String(y).replace(String(y).length > 20 ? / (?=\([^()]*\)$)/ : /$^/, "\n").split("\n").map((line) => brief(line, 36)).join("\n"));
    if (log) figure.yaxis.ticker = new (Models.get("LogTicker"))({desired_num_ticks: 5, mantissas: [1, 3]});
    for (const tool of figure.toolbar.tools) {
      if (tool.type === "BoxSelectTool" || tool.type === "LassoSelectTool") {
        tool.renderers = [];
        tool.continuous = false;
        if (tool.type === "BoxSelectTool") figure.toolbar.active_drag = tool;
      }
    }
    // Every click counts: one soon after another, wherever that was, is a double tap to Bokeh, and a slow one a press.
    for (const kind of ["tap", "doubletap", "pressup"]) figure.on_event(kind, (event) => this.tap(event));
    figure.on_event("mousemove", (event) => this.move(event));
    figure.on_event("mouseleave", () => tell(""));
    figure.on_event("selectiongeometry", (event) => { if (event.final !== false) this.region(event.geometry, event.modifiers); });
    host.addEventListener("pointermove", (event) => { this.pointer = event; });
    host.addEventListener("pointerleave", () => tell(""));
    this.hits = () => [];  // what is near a place of the screen, nearest first: {key, text, choose(modifiers)}
    this.within = null;    // what to do with the test of a region
    this.last = null;
  }
  async show() {
    const view = await Plotting.show(this.figure, this.host);
    if (this.removed) view.remove();  // another view has taken its place in the meantime
    else this.view = view;
    return this;
  }
  remove() { this.removed = true; if (this.view) this.view.remove(); this.view = null; this.host.remove(); }
  scatter(data, style) {
    const one = source(data);
    return this.plain(this.figure.scatter(field("x"), field("y"), {source: one, ...style}));
  }
  plain(renderer) { renderer.nonselection_glyph = null; renderer.selection_glyph = null; return renderer; }
  ticks(axis, positions, names) {
    axis.ticker = new (Models.get("FixedTicker"))({ticks: positions, minor_ticks: []});
    axis.major_label_overrides = new Map(positions.map((x, i) => [x, plain(brief(names[i], 24))]));
  }
  places(K) {  // as many numbers as there is room for
    const step = Math.ceil(K / 20), shown = range(K).filter((p) => (p + 1) % step === 0 || step === 1);
    this.ticks(this.figure.xaxis, shown.map((p) => p + 0.5), shown.map((p) => String(p + 1)));
  }
  // From data to pixels of the canvas, as far as it is laid out.
  screen() {
    const box = this.view?.frame?.bbox;
    if (!box) return null;
    const {x_range, y_range} = this.figure, up = this.log ? Math.log10 : (v) => v;
    const x0 = x_range.start, x1 = x_range.end, y0 = up(y_range.start), y1 = up(y_range.end);
    return {x: (x) => box.left + (x - x0) / (x1 - x0) * box.width,
            y: (y) => box.top + box.height - (up(y) - y0) / (y1 - y0) * box.height};
  }
  tap({sx, sy, modifiers}) {
    const found = this.hits(sx, sy);
    const last = this.last, keys = found.map((one) => one.key).join();
    const again = last && last.keys === keys && Math.hypot(last.sx - sx, last.sy - sy) < 4 && found.length;
    const step = again ? (last.step + 1) % found.length : 0;
    this.last = {keys, sx, sy, step};
    if (found.length) found[step].choose(modifiers);
    else if (this.clear && !modifiers.shift && !modifiers.ctrl) this.clear();
  }
  move({sx, sy}) {
    const found = this.hits(sx, sy);
    const more = found.length > 1 ? `\n(${found.length - 1} more here: click again)` : "";
    tell(found.length ? found[0].text() + more : "", this.pointer ?? {clientX: 0, clientY: 0});
  }
  region(geometry, modifiers = {}) {
    if (!this.within || !geometry) return;
    if (geometry.type === "rect") {
      const [x0, x1] = [geometry.x0, geometry.x1].sort((a, b) => a - b), [y0, y1] = [geometry.y0, geometry.y1].sort((a, b) => a - b);
      this.within((x, y) => x >= x0 && x <= x1 && y >= y0 && y <= y1, modifiers);
    } else if (geometry.type === "poly") {
      const {x: xs, y: ys} = geometry;
      this.within((x, y) => {
        let inside = false;
        for (let i = 0, j = xs.length - 1; i < xs.length; j = i++)
          if ((ys[i] > y) !== (ys[j] > y) && x < (xs[j] - xs[i]) * (y - ys[i]) / (ys[j] - ys[i]) + xs[i]) inside = !inside;
        return inside;
      }, modifiers);
    }
  }
}
const fill = (renderer, alpha) => { renderer.glyph.fill_alpha = {value: alpha}; };
function segment(px, py, x0, y0, x1, y1) {  // distance of a point from a segment
  const dx = x1 - x0, dy = y1 - y0, t = clamp(((px - x0) * dx + (py - y0) * dy) / (dx * dx + dy * dy || 1), 0, 1);
  return Math.hypot(px - x0 - t * dx, py - y0 - t * dy);
}
function evenly(n, most) { return n <= most ? range(n) : [...new Set(range(most).map((i) => Math.round(i * (n - 1) / (most - 1))))]; }

// ---- panels ----------------------------------------------------------------------------------------------------

let panels = [];

class Panel {
  constructor(name, title) {
    this.name = name;
    this.title = h("h3", {title}, title);
    this.extra = h("span", {class: "row", style: "margin:0"});
    this.area = h("div", {class: "plot"});
    this.note = h("p", {class: "note", hidden: true});
    this.save = h("span", {class: "row", style: "margin:0"});
    this.element = h("section", {class: "panel", "aria-label": title, "data-panel": name},
      h("div", {class: "bar"}, this.title, this.extra, h("span", {class: "gap"}), this.save), this.area, this.note);
    this.plots = [];
    this.shape = null;
    this.ready = Promise.resolve();
    for (const kind of ["svg", "png"])
      this.save.append(h("button", {type: "button", "aria-label": `Save ${title} as ${kind.toUpperCase()}`,
                                    on: {click: () => this.export(kind)}}, kind.toUpperCase()));
  }
  say(text) { this.note.textContent = text; this.note.hidden = !text; }
  empty(text) { this.clear(); this.area.replaceChildren(h("p", {class: "empty"}, text)); this.save.hidden = true; }
  clear() { for (const plot of this.plots) plot.remove(); this.plots = []; this.area.replaceChildren(); this.area.classList.remove("grid"); this.save.hidden = false; }
  add(specification, element = this.area) {
    const plot = new Plot(element, specification);
    this.plots.push(plot);
    return plot;
  }
  show() { this.ready = Promise.all(this.plots.map((plot) => plot.show())); return this.ready; }
  tabs(key, names, chosen) {  // buttons that choose what the panel shows
    return h("span", {class: "row", role: "group", "aria-label": "View", style: "margin:0"}, ...Object.entries(names).map(([id, name]) =>
      h("button", {type: "button", "aria-pressed": String(id === chosen), "data-tab": id,
                   on: {click: () => change({tabs: {...state.tabs, [key]: id}}, {keep: false})}}, name)));
  }
  choice(key, label, names, chosen) {
    const element = h("select", {"aria-label": label, on: {change: () => change({tabs: {...state.tabs, [key]: Number(element.value)}}, {keep: false})}});
    options(element, names, chosen);
    return element;
  }
  async export(kind) {
    await this.ready;
    this.plots.forEach(async (plot, i) => {
      const blob = await plot.view.export(kind, kind === "png").to_blob();
      const number = this.plots.length > 1 ? `-${i + 1}` : "";
      save(`${fileName(`${state.view === "data" ? here().name : "domain"} ${this.name}`)}${number}.${kind}`, blob);
    });
  }
  remove() { this.clear(); this.element.remove(); }
}

// The benchmark experiment plot of one measure: dots are models, lines are replications.
class Podium extends Panel {
  constructor(j) {
    super(`podium-${j}`, `${payload.measures[j]}`);
    this.j = j;
    this.area.tabIndex = 0;
    this.area.setAttribute("role", "application");
    this.area.setAttribute("aria-label", `Benchmark experiment plot of ${payload.measures[j]}. Arrow keys step through replications.`);
    this.area.addEventListener("keydown", (event) => this.key(event));
  }
  x(p, k) { return p + 0.06 + (this.slot[k] + 0.5) / this.slot.length * 0.88; }
  points(b) {
    const m = this.m, xs = [], ys = [];
    for (let p = 0; p < here().K; p++) {
      const k = at(m, b, p);
      xs.push(k === null ? NaN : this.x(p, k));
      ys.push(k === null ? NaN : value(m, b, k));
    }
    return {xs, ys};
  }
  dots(list) {
    const data = {x: [], y: [], b: [], k: [], c: []};
    for (const b of list) for (let p = 0; p < here().K; p++) {
      const k = at(this.m, b, p);
      if (k === null) continue;
      data.x.push(this.x(p, k)); data.y.push(value(this.m, b, k)); data.b.push(b); data.k.push(k); data.c.push(algorithm(k).colour);
    }
    return data;
  }
  lines(list) {
    const data = {xs: [], ys: [], b: []};
    for (const b of list) { const one = this.points(b); data.xs.push(one.xs); data.ys.push(one.ys); data.b.push(b); }
    return data;
  }
  build() {
    this.clear();
    const one = here(), m = this.m = one.measures[this.j];
    if (!m) { this.empty("No replication has a value of this measure."); return; }
    this.slot = [];
    m.order.forEach((k, i) => { this.slot[k] = i; });
    const plot = this.plot = this.add({y: m.label, x: "place", log: m.log,
      x_range: new Bokeh.Range1d({start: 0, end: one.K}), height: 200});
    plot.places(one.K);
    plot.figure.xgrid.ticker = new (Models.get("FixedTicker"))({ticks: range(one.K + 1), minor_ticks: []});
    plot.figure.xgrid.grid_line_color = "#b6bbc4";
    this.baseLines = plot.plain(plot.figure.multi_line(field("xs"), field("ys"), {source: source({xs: [], ys: [], b: []}), line_color: INK, line_width: 1}));
    this.baseDots = plot.scatter({x: [], y: [], b: [], k: [], c: []}, {size: 6, fill_color: field("c"), line_color: null});
    this.chosenLines = plot.plain(plot.figure.multi_line(field("xs"), field("ys"), {source: source({xs: [], ys: [], b: []}), line_color: INK, line_width: 1.6}));
    this.chosenDots = plot.scatter({x: [], y: [], b: [], k: [], c: []}, {size: 9, fill_color: field("c"), line_color: INK, line_width: 1});
    this.focusLine = plot.plain(plot.figure.multi_line(field("xs"), field("ys"), {source: source({xs: [], ys: [], b: []}), line_color: INK, line_width: 3.5}));
    this.focusDots = plot.scatter({x: [], y: [], b: [], k: [], c: []}, {size: 13, fill_color: field("c"), line_color: INK, line_width: 2});
    plot.hits = (sx, sy) => this.near(sx, sy);
    plot.clear = () => { if (state.sel.length || state.focus !== null) change({sel: [], focus: null, alg: null}); };
    plot.within = (inside, modifiers) => {
      const found = [];
      for (let b = 0; b < one.B; b++) for (let p = 0; p < one.K; p++) {
        const k = at(m, b, p);
        if (k !== null && inside(this.x(p, k), value(m, b, k))) { found.push(b); break; }
      }
      select(found, {modifiers});
    };
    this.drawn = null;
    this.show();
  }
  near(sx, sy) {
    const screen = this.plot.screen();
    if (!screen) return [];
    const found = [], seen = new Set();
    for (const layer of [this.focusDots, this.chosenDots, this.baseDots]) {
      const {x, y, b, k} = layer.data_source.data;
      for (let i = 0; i < x.length; i++) {
        const far = Math.hypot(screen.x(x[i]) - sx, screen.y(y[i]) - sy);
        if (far <= REACH_DOT && !seen.has(`${b[i]}:${k[i]}`)) { seen.add(`${b[i]}:${k[i]}`); found.push({far, b: b[i], k: k[i]}); }
      }
    }
    if (!found.length) {
      const lines = new Set();
      for (const layer of [this.focusLine, this.chosenLines, this.baseLines]) {
        const {xs, ys, b} = layer.data_source.data;
        for (let i = 0; i < b.length; i++) {
          if (lines.has(b[i])) continue;
          for (let p = 0; p + 1 < xs[i].length; p++) {
            const x0 = screen.x(xs[i][p]), x1 = screen.x(xs[i][p + 1]);
            if (!(x0 - REACH_LINE <= sx && sx <= x1 + REACH_LINE)) continue;
            const far = segment(sx, sy, x0, screen.y(ys[i][p]), x1, screen.y(ys[i][p + 1]));
            if (far <= REACH_LINE) { lines.add(b[i]); found.push({far, b: b[i], k: null}); break; }
          }
        }
      }
    }
    found.sort((one, two) => one.far - two.far || one.b - two.b);
    return found.map(({b, k}) => ({
      key: `${b}:${k}`, b, k,
      text: () => (k !== null ? `${algorithm(k).name}: ${number(value(this.m, b, k), 5)}\n` : "") +
        `replication ${here().labels[b]}\n${orderText(this.m, b)}`,
      choose: (modifiers) => select([b], {modifiers, focus: b, ...(k === null ? {} : {alg: k})}),
    }));
  }
  update() {
    if (this.shape !== state.d || !this.m && here().measures[this.j]) { this.shape = state.d; this.build(); }
    if (!here().measures[this.j]) return;
    const one = here(), m = this.m, few = one.B <= MOST_LINES;
    const key = `${state.d}/${drawOf(m)}/${state.lines}`;
    if (this.drawn !== key) {
      this.drawn = key;
      this.thinned = evenly(one.B, Math.ceil(MOST_DOTS / one.K));
      this.baseDots.data_source.data = this.dots(this.thinned);
      this.baseLines.data_source.data = this.lines(few && state.lines ? range(one.B) : []);
    }
    const some = state.sel.length > 0, focus = focused();
    const drawn = evenly(state.sel.length, MOST_LINES).map((i) => state.sel[i]);
    fill(this.baseDots, some ? 0.16 : 0.85);
    this.baseLines.glyph.line_alpha = {value: some ? 0.04 : clamp(12 / one.B, 0.03, 0.3)};
    const chosen = this.dots(drawn);
    this.chosenDots.data_source.data = chosen;
    this.chosenLines.data_source.data = this.lines(state.lines ? drawn : []);
    this.chosenLines.glyph.line_alpha = {value: clamp(8 / Math.max(drawn.length, 1), 0.03, 0.7)};
    this.chosenDots.glyph.size = {value: drawn.length > 150 ? 6 : 9};
    this.chosenDots.glyph.line_alpha = {value: drawn.length > 150 ? 0.35 : 1};
    this.focusDots.data_source.data = this.dots(focus === null ? [] : [focus]);
    this.focusLine.data_source.data = this.lines(focus !== null && state.lines ? [focus] : []);
    for (const layer of [this.baseDots, this.chosenDots, this.focusDots]) {  // the highlighted algorithm stands out
      const data = layer.data_source.data;
      if (state.alg !== null) layer.data_source.data = {...data, c: data.k.map((k) => (k === state.alg ? algorithm(k).colour : "#d3d6db"))};
      else if (layer === this.baseDots) layer.data_source.data = {...data, c: data.k.map((k) => algorithm(k).colour)};
    }
    const parts = [];
    if (this.thinned.length < one.B) parts.push(`dots of ${this.thinned.length.toLocaleString("en")} of ${one.B.toLocaleString("en")} replications`);
    if (!few && state.lines) parts.push("lines of the selection only");
    if (drawn.length < state.sel.length) parts.push(`${drawn.length.toLocaleString("en")} of ${state.sel.length.toLocaleString("en")} selected ones drawn`);
    this.say(parts.join("; "));
  }
  key(event) {
    const one = here(), m = one.measures[this.j];
    if (!m || event.ctrlKey || event.metaKey || event.altKey) return;
    const focus = focused(), list = state.sel.length > 1 ? state.sel : range(one.B);
    const go = (b) => { if (state.sel.length > 1) change({focus: b}); else change({sel: [b], focus: b}); };
    const step = (by) => go(list[focus === null ? (by > 0 ? 0 : list.length - 1) : (list.indexOf(focus) + by + list.length) % list.length]);
    if (event.key === "ArrowRight") step(1);
    else if (event.key === "ArrowLeft") step(-1);
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const by = event.key === "ArrowDown" ? 1 : -1, slots = m.order, now = state.alg === null ? -1 : slots.indexOf(state.alg);
      change({alg: slots[(now + by + slots.length) % slots.length]});
    } else if (event.key === "Home" || event.key === "End") {
      query("extreme", {j: this.j, a: state.alg ?? m.order[0], end: event.key === "End" ? "worst" : "best"}, {});
    } else return;
    event.preventDefault();
  }
}

// Counts per place, boxes, strips and densities of one measure.
class Distribution extends Panel {
  constructor() { super("distribution", "Values"); }
  update() {
    const one = here(), names = {places: "Places", box: "Box", strip: "Strip", density: "Density"};
    const tab = Object.hasOwn(names, state.tabs.distribution ?? "") ? state.tabs.distribution : "places";
    const known = range(payload.measures.length).filter((j) => one.measures[j]);
    const j = known.includes(state.tabs.measure) ? state.tabs.measure : known[0];
    const shape = `${state.d}/${tab}/${j}`;
    if (this.shape !== shape) {
      this.shape = shape;
      this.extra.replaceChildren(this.tabs("distribution", names, tab),
        ...(known.length > 1 ? [this.choice("measure", "Measure", payload.measures, j)] : []));
      this.redraw = () => {};
      this.clear();
      if (known.length) this.build(tab, j);
      else this.empty("No replication has a value.");
    }
    this.redraw();
  }
  build(tab, j) {
    const one = here(), m = one.measures[j], {K, B} = one, order = m.order, position = [];
    order.forEach((k, i) => { position[k] = i; });
    const colours = order.map((k) => algorithm(k).colour);
    const lanes = (plot) => { plot.ticks(plot.figure.xaxis, range(K), order.map((k) => algorithm(k).name)); plot.figure.xgrid.grid_line_color = null;
      if (K > 8) plot.figure.xaxis.major_label_orientation = 0.8; };
    const xs = new Bokeh.Range1d({start: -0.6, end: K - 0.4});
    if (tab === "places") {
      const plot = this.add({x: "place", y: "replications", tools: "", x_range: new Bokeh.Range1d({start: 0, end: K})});
      plot.places(K);
      plot.figure.y_range.start = 0;
      const x = (p, k) => p + 0.06 + (position[k] + 0.5) / K * 0.88, cells = range(K).flatMap((p) => order.map((k) => [p, k]));
      const bars = (top, style) => plot.plain(plot.figure.vbar({x: field("x"), top: field("top"), width: 0.8 / K, source: source({
        x: cells.map(([p, k]) => x(p, k)), top, c: cells.map(([, k]) => algorithm(k).colour)}), ...style}));
      let all = m.counts;  // of all replications, by the break of ties that is shown
      const outlines = bars(cells.map(([p, k]) => all[p][k]), {fill_color: "#ffffff", line_color: field("c"), line_width: 1.2});
      const chosen = bars(cells.map(() => 0), {fill_color: field("c"), line_color: field("c")});
      plot.hits = (sx, sy) => {
        const screen = plot.screen();
        const near = screen && cells.find(([p, k]) => Math.abs(screen.x(x(p, k)) - sx) <= (screen.x(0.4 / K) - screen.x(0)) && sy <= screen.y(0) && sy >= screen.y(all[p][k]) - 4);
        if (!near) return [];
        const [p, k] = near;
        return [{key: `${p}:${k}`, text: () => `${algorithm(k).name}: place ${p + 1} in ${all[p][k].toLocaleString("en")} of ${m.n.toLocaleString("en")} replications` + (state.sel.length ? `\n${counts(m, state.sel)[p][k]} of the selection` : ""),
                 choose: (modifiers) => query("place", {j, a: k, place: p}, modifiers)}];
      };
      this.redraw = () => {
        all = counts(m, range(B));
        const found = state.sel.length ? counts(m, state.sel) : all;
        outlines.data_source.data = {...outlines.data_source.data, top: cells.map(([p, k]) => all[p][k])};
        chosen.data_source.data = {...chosen.data_source.data, top: cells.map(([p, k]) => (state.alg === null || state.alg === k ? found[p][k] : 0))};
      };
      this.say(m.n < B ? `places in the ${m.n.toLocaleString("en")} of ${B.toLocaleString("en")} replications that all algorithms have` : "");
    } else if (tab === "density") {
      this.say("");
      const plot = this.add({x: m.label, y: "density", tools: "pan,wheel_zoom,reset", ...(m.log ? {x_axis_type: "log"} : {})});
      const G = m.grid.length;
      const lines = order.map((k) => plot.plain(plot.figure.line({x: field("x"), y: field("y"), source: source({x: Array.from(m.grid), y: Array.from(m.heights.slice(k * G, (k + 1) * G))}), line_color: algorithm(k).colour, line_width: 2})));
      const rug = plot.scatter({x: [], y: [], c: []}, {size: 9, marker: "dash", angle: Math.PI / 2, line_color: field("c"), line_width: 2});
      plot.figure.y_range.start = 0;
      this.redraw = () => {
        order.forEach((k, i) => { lines[i].glyph.line_alpha = {value: state.alg === null || state.alg === k ? 1 : 0.15}; });
        const data = {x: [], y: [], c: []};
        const shown = evenly(state.sel.length, MOST_LINES).map((i) => state.sel[i]);
        for (const b of shown) for (let k = 0; k < K; k++) if (state.alg === null || state.alg === k) { data.x.push(value(m, b, k)); data.y.push(0); data.c.push(algorithm(k).colour); }
        rug.data_source.data = data;
      };
    } else {
      const plot = this.add({y: m.label, log: m.log, x_range: xs});
      lanes(plot);
      const dots = {x: [], y: [], b: [], k: []}, kept = evenly(B, Math.ceil(MOST_DOTS / K));
      const place = (b, k) => position[k] + (tab === "strip" ? 0.38 * m.strip[b * K + k] / 127 : 0);
      const drawn = (b, k) => tab === "strip" || value(m, b, k) < m.box.whiskers[k][0] || value(m, b, k) > m.box.whiskers[k][1];
      for (const b of kept) for (let k = 0; k < K; k++) if (!Number.isNaN(value(m, b, k)) && drawn(b, k)) { dots.x.push(place(b, k)); dots.y.push(value(m, b, k)); dots.b.push(b); dots.k.push(k); }
      if (tab === "box") {
        const {quartiles, whiskers, means} = m.box, q = (i) => order.map((k) => quartiles[k][i] ?? NaN), w = (i) => order.map((k) => whiskers[k][i] ?? NaN);
        const data = {x: range(K), q1: q(0), q2: q(1), q3: q(2), low: w(0), high: w(1), mean: order.map((k) => means[k] ?? NaN), c: colours};
        const one_ = source(data);
        const bar = (a, b) => plot.plain(plot.figure.segment({x0: field("x"), y0: field(a), x1: field("x"), y1: field(b), source: one_, line_color: NEUTRAL}));
        bar("low", "q1"); bar("q3", "high");
        plot.plain(plot.figure.vbar({x: field("x"), bottom: field("q1"), top: field("q3"), width: 0.55, source: one_, fill_color: field("c"), fill_alpha: 0.55, line_color: NEUTRAL}));
        plot.plain(plot.figure.vbar({x: field("x"), bottom: field("q2"), top: field("q2"), width: 0.55, source: one_, fill_color: INK, line_color: INK, line_width: 2}));
        plot.plain(plot.figure.scatter(field("x"), field("mean"), {source: one_, size: 7, marker: "diamond", fill_color: "#ffffff", line_color: INK}));
      }
      const base = plot.scatter({...dots, c: dots.k.map((k) => algorithm(k).colour)}, {size: 5, fill_color: field("c"), line_color: null});
      const chosen = plot.scatter({x: [], y: [], b: [], k: [], c: []}, {size: 8, fill_color: field("c"), line_color: INK});
      plot.hits = (sx, sy) => {
        const screen = plot.screen(), found = [];
        if (!screen) return [];
        const {data} = chosen.data_source, all = {};
        for (const key of ["x", "y", "b", "k"]) all[key] = tab === "box" ? [...data[key], ...dots[key]] : dots[key];
        all.x.forEach((x, i) => { const far = Math.hypot(screen.x(x) - sx, screen.y(all.y[i]) - sy); if (far <= REACH_DOT) found.push({far, b: all.b[i], k: all.k[i]}); });
        return found.sort((a, b) => a.far - b.far).map(({b, k}) => ({key: `${b}:${k}`, text: () => `${algorithm(k).name}: ${number(value(m, b, k), 5)}\nreplication ${one.labels[b]}`, choose: (modifiers) => select([b], {modifiers, focus: b, alg: k})}));
      };
      plot.within = (inside, modifiers) => select(range(B).filter((b) => range(K).some((k) => inside(place(b, k), value(m, b, k)))), {modifiers});
      this.redraw = () => {
        fill(base, state.sel.length ? 0.25 : 0.9);
        const data = {x: [], y: [], b: [], k: [], c: []};
        const shown = evenly(state.sel.length, MOST_LINES).map((i) => state.sel[i]);
        for (const b of shown) for (let k = 0; k < K; k++) if ((state.alg === null || state.alg === k) && !Number.isNaN(value(m, b, k))) { data.x.push(place(b, k)); data.y.push(value(m, b, k)); data.b.push(b); data.k.push(k); data.c.push(algorithm(k).colour); }
        chosen.data_source.data = data;
      };
      this.say(kept.length < B ? `${kept.length.toLocaleString("en")} of ${B.toLocaleString("en")} replications drawn` : "");
    }
    this.show();
  }
}

// The data, with the learning sample in focus as shades and the models in focus as curves or regions.
class DataView extends Panel {
  constructor() { super("data", "Data"); }
  update() {
    const one = here();
    if (!one.data) { if (this.shape !== `${state.d}/none`) { this.shape = `${state.d}/none`; this.extra.replaceChildren(); this.clear(); } this.element.hidden = true; return; }
    this.element.hidden = false;
    const all = one.data.variables, names = {scatter: "Scatter"};
    if (all.length > 2) Object.assign(names, {matrix: "Matrix", parallel: "Parallel"});
    if (one.data.components) names.components = "Components";
    const tab = Object.hasOwn(names, state.tabs.data ?? "") ? state.tabs.data : "scatter";
    this.tab = tab;
    const last = all.length - 1, two = one.grid && one.grid.columns.length === 2;
    const x = tab === "scatter" && state.tabs.x < all.length ? state.tabs.x : one.grid?.columns[0] ?? 0;
    const y = tab === "scatter" && state.tabs.y < all.length ? state.tabs.y : two ? one.grid.columns[1] : one.data.target && all.length > 1 && (one.data.task === "regression" || last === 1) ? last : Math.min(1, last);
    const shape = `${state.d}/${tab}/${x}/${y}`;
    if (this.shape !== shape) {
      this.shape = shape;
      const labels = all.map((v) => v.name);
      this.extra.replaceChildren(...(Object.keys(names).length > 1 ? [this.tabs("data", names, tab)] : []),
        ...(tab === "scatter" && all.length > 2 ? [this.choice("x", "Across", labels, x), this.choice("y", "Up", labels, y)] : []));
      this.clear();
      this.redraws = [];
      this.left = [];  // what is not drawn
      if (tab === "matrix") this.matrix(all);
      else if (tab === "parallel") this.parallel(all);
      else {
        const [u, v] = tab === "components" ? one.data.components : [all[x], all[y]];
        this.scatter(this.area, u, v, tab === "components" ? {} : {x, y});
        const missing = range(one.data.n).filter((i) => Number.isNaN(u.values[i]) || Number.isNaN(v.values[i])).length;
        if (missing) this.left.push(`${missing.toLocaleString("en")} with missing values not drawn`);
        this.leave(Math.min(MOST_POINTS, one.data.n), one.data.n, "observations");
      }
      this.show();
    }
    for (const redraw of this.redraws) redraw();
    this.explain();
  }
  leave(drawn, all, what) {
    if (drawn < all) this.left.push(`${drawn.toLocaleString("en")} of ${all.toLocaleString("en")} ${what} drawn`);
  }
  explain() {
    const one = here(), focus = focused(), parts = [...this.left];
    if (one.samples && focus !== null) {
      parts.push(`replication ${one.labels[focus]}: ${this.tab === "parallel" ? "amber lines are in the test sample" : "white points are in the test sample, darker ones are drawn more often"}`);
      if (one.models.has(focus)) { if (one.grid?.columns.length === 2 && one.models.get(focus).length) parts.push(`regions of ${algorithm(this.region().algorithm).name}`); }
      else parts.push("its models are not in this file");
    } else if (one.samples && state.sel.length) parts.push(`mean over ${state.sel.length} learning samples: ${this.tab === "parallel" ? "amber lines" : "white points"} are in none of them`);
    this.say(parts.join("; "));
  }
  region() { const models = here().models.get(focused()) ?? []; return models.find((m) => m.algorithm === state.alg) ?? models[0]; }
  marks(v) {  // which marker an observation has: its class
    const target = here().data.target && here().data.variables.at(-1);
    return target && target.levels.length && target.levels.length <= CLASS_MARKS.length ? (i) => CLASS_MARKS[target.values[i]] ?? "circle" : () => "circle";
  }
  scatter(element, u, v, {x = null, y = null, small = false}) {
    const one = here(), n = one.data.n, jitter = (c, by) => (c.levels.length ? (i) => c.values[i] + 0.25 * (((i * by) % 1) - 0.5) : (i) => c.values[i]);
    const fx = jitter(u, 0.7548776662), fy = jitter(v, 0.5698402910), kept = evenly(n, small ? MOST_SMALL : MOST_POINTS), mark = this.marks();
    const plot = this.add({x: small ? "" : u.name, y: small ? "" : v.name, ...(small ? {tools: ""} : {})}, element);
    for (const [c, axis] of [[u, plot.figure.xaxis], [v, plot.figure.yaxis]]) if (c.levels.length && !small) plot.ticks(axis, range(c.levels.length), c.levels);
    if (small) { plot.figure.xaxis.visible = plot.figure.yaxis.visible = false; }
    const grid = one.grid, curve = grid && grid.columns.length === 1 && x === grid.columns[0] && y === one.data.variables.length - 1;
    const area = grid && grid.columns.length === 2 && x === grid.columns[0] && y === grid.columns[1];
    let regions = null, curves = null;
    if (area) regions = plot.plain(plot.figure.rect({x: field("x"), y: field("y"), width: field("w"), height: field("h"), source: source({x: [], y: [], w: [], h: [], c: []}), fill_color: field("c"), line_color: null}));
    if (curve) curves = plot.plain(plot.figure.multi_line(field("xs"), field("ys"), {source: source({xs: [], ys: [], c: [], k: [], w: []}), line_color: field("c"), line_width: field("w")}));
    const points = plot.scatter({x: kept.map(fx), y: kept.map(fy), i: kept, c: kept.map(() => "#9aa1ac"), m: kept.map(mark), e: kept.map(() => INK), s: kept.map(() => 6)},
      {size: field("s"), marker: field("m"), fill_color: field("c"), line_color: field("e"), line_width: 1});
    const chosen = plot.scatter({x: [], y: []}, {size: small ? 10 : 16, fill_color: null, line_color: "#c01c28", line_width: 2.5});
    plot.hits = (sx, sy) => {
      const screen = plot.screen(), found = [];
      if (!screen) return [];
      kept.forEach((i) => { const far = Math.hypot(screen.x(fx(i)) - sx, screen.y(fy(i)) - sy); if (far <= REACH_DOT) found.push({far, i}); });
      found.sort((a, b) => a.far - b.far || a.i - b.i);
      if (!found.length && curves) {
        const {xs, ys, k} = curves.data_source.data;
        k.forEach((which, c) => { for (let p = 0; p + 1 < xs[c].length; p++) if (segment(sx, sy, screen.x(xs[c][p]), screen.y(ys[c][p]), screen.x(xs[c][p + 1]), screen.y(ys[c][p + 1])) <= REACH_LINE) { found.push({far: 0, k: which}); break; } });
        return found.map(({k: which}) => ({key: `k${which}`, text: () => algorithm(which).name, choose: () => change({alg: state.alg === which ? null : which})}));
      }
      if (!found.length && regions) {
        const shown = this.region(), [gx, gy] = grid.axes;
        const cell = (axis, from, to, where) => Math.round((where - from) / (to - from) * (axis.length - 1));
        const c = cell(gx, screen.x(gx[0]), screen.x(gx.at(-1)), sx), r = cell(gy, screen.y(gy[0]), screen.y(gy.at(-1)), sy);
        if (!shown?.surface || c < 0 || r < 0 || c >= gx.length || r >= gy.length) return [];
        const level = one.data.variables.at(-1).levels[shown.surface[r * gx.length + c]] ?? "–";
        return [{key: `r${level}`, text: () => `${algorithm(shown.algorithm).name} predicts ${level}`, choose: () => plot.clear()}];
      }
      return found.map(({i}) => ({key: `o${i}`, text: () => this.about(i),
        choose: (modifiers) => change({obs: modifiers.shift || modifiers.ctrl ? (state.obs.includes(i) ? without(state.obs, [i]) : union(state.obs, [i])) : [i]})}));
    };
    plot.within = (inside, modifiers) => { const found = range(n).filter((i) => inside(fx(i), fy(i))); change({obs: modifiers.shift ? union(state.obs, found) : found}); };
    plot.clear = () => { if (state.obs.length) change({obs: []}); };
    this.redraws.push(() => {
      const f = frequencies();
      points.data_source.data = {...points.data_source.data, c: kept.map((i) => grey(f ? f[i] : null)), s: kept.map((i) => (small ? 4 : 6) + (f ? Math.min(3, f[i]) : 0))};
      chosen.data_source.data = {x: state.obs.map(fx), y: state.obs.map(fy)};
      const models = here().models.get(focused()) ?? [];
      if (curves) {
        const shown = models.filter((m) => m.surface);
        curves.data_source.data = {xs: shown.map(() => Array.from(grid.axes[0])), ys: shown.map((m) => Array.from(m.surface)), k: shown.map((m) => m.algorithm),
          c: shown.map((m) => algorithm(m.algorithm).colour), w: shown.map((m) => (state.alg === m.algorithm ? 5 : 2.5))};
      }
      if (regions) {
        const [gx, gy] = grid.axes, one_ = models.length ? this.region() : null, data = {x: [], y: [], w: [], h: [], c: []};
        if (one_?.surface) for (let r = 0; r < gy.length; r++) for (let c = 0; c < gx.length;) {  // one rectangle per run of equal cells
          const code = one_.surface[r * gx.length + c];
          let e = c;
          while (e + 1 < gx.length && one_.surface[r * gx.length + e + 1] === code) e++;
          const step = gx[1] - gx[0];
          data.x.push((gx[c] + gx[e]) / 2); data.y.push(gy[r]); data.w.push((e - c + 1) * step); data.h.push((gy[1] - gy[0]) * 1.02); data.c.push(TINTS[code % TINTS.length] ?? "#ffffff");
          c = e + 1;
        }
        regions.data_source.data = data;
      }
    });
  }
  about(i) {
    const one = here(), f = frequencies(), focus = focused();
    const lines = one.data.variables.slice(0, 12).map((v) => `${v.name}: ${v.levels.length ? v.levels[v.values[i]] ?? "–" : number(v.values[i], 5)}`);
    if (f) lines.push(focus !== null ? (f[i] ? `${f[i]} times in the learning sample` : "in the test sample") : `on average ${number(f[i], 3)} times in the learning samples`);
    const target = one.data.variables.at(-1), groups = one.data.task === "unsupervised";
    for (const m of one.models.get(focus) ?? []) {
      const p = m.prediction[i];
      if (!groups) lines.push(`${algorithm(m.algorithm).name} predicts ${target.levels.length ? target.levels[p] ?? "–" : number(p)}`);
      else if (!Number.isNaN(p)) lines.push(`${algorithm(m.algorithm).name}: cluster ${p + 1}`);
    }
    return `observation ${i + 1}\n${lines.join("\n")}`;
  }
  matrix(all) {
    const most = Math.min(all.length, 5), cells = h("div", {style: `display:contents`});
    this.area.classList.add("grid");
    this.area.style.gridTemplateColumns = `repeat(${most},1fr)`;
    this.area.append(cells);
    for (let r = 0; r < most; r++) for (let c = 0; c < most; c++) {
      const cell = h("div", {style: "min-height:70px"});
      this.area.append(cell);
      if (r === c) cell.append(h("p", {class: "empty", style: "padding:6px;text-align:center;overflow-wrap:anywhere"}, all[r].name));
      else this.scatter(cell, all[c], all[r], {small: true});
    }
    this.leave(Math.min(MOST_SMALL, here().data.n), here().data.n, "observations");
    this.leave(most, all.length, "variables");
  }
  parallel(all) {
    const shown = all.slice(0, 14), n = here().data.n, kept = evenly(n, 400), plot = this.add({});
    const scaled = shown.map((v) => { let low = Infinity, high = -Infinity; for (const x of v.values) { if (x < low) low = x; if (x > high) high = x; } return (i) => (high > low ? (v.values[i] - low) / (high - low) : 0.5); });
    plot.ticks(plot.figure.xaxis, range(shown.length), shown.map((v) => v.name));
    if (shown.length > 5) plot.figure.xaxis.major_label_orientation = 0.6;
    plot.figure.yaxis.visible = false;
    const xs = range(shown.length), row = (i) => scaled.map((f) => f(i));
    const lines = plot.plain(plot.figure.multi_line(field("xs"), field("ys"), {source: source({xs: kept.map(() => xs), ys: kept.map(row), c: kept.map(() => NEUTRAL)}), line_color: field("c"), line_alpha: clamp(40 / kept.length, 0.1, 0.6)}));
    const chosen = plot.plain(plot.figure.multi_line(field("xs"), field("ys"), {source: source({xs: [], ys: []}), line_color: "#c01c28", line_width: 2.5}));
    plot.hits = (sx, sy) => {
      const screen = plot.screen(), found = [];
      if (!screen) return [];
      for (const i of kept) for (let p = 0; p + 1 < xs.length; p++) {
        if (sx < screen.x(p) || sx > screen.x(p + 1)) continue;
        const far = segment(sx, sy, screen.x(p), screen.y(scaled[p](i)), screen.x(p + 1), screen.y(scaled[p + 1](i)));
        if (far <= 4) found.push({far, i});
      }
      return found.sort((a, b) => a.far - b.far || a.i - b.i).map(({i}) => ({key: `o${i}`, text: () => this.about(i), choose: () => change({obs: [i]})}));
    };
    plot.clear = () => { if (state.obs.length) change({obs: []}); };
    this.redraws.push(() => {
      const f = frequencies();
      lines.data_source.data = {...lines.data_source.data, c: kept.map((i) => (f === null ? NEUTRAL : f[i] > 0 ? INK : "#e0a000"))};
      chosen.data_source.data = {xs: state.obs.map(() => xs), ys: state.obs.map(row)};
    });
    this.leave(kept.length, n, "observations");
    this.leave(shown.length, all.length, "variables");
  }
}

// The learning sample in focus, or the errors of its models, observation by observation.
class Sample extends Panel {
  constructor() { super("sample", "Learning sample"); }
  update() {
    const one = here(), names = {sample: "Frequency", ...(one.data?.task === "unsupervised" ? {} : {errors: "Errors"})};
    if (!one.samples) { if (this.shape !== `${state.d}/none`) { this.shape = `${state.d}/none`; this.extra.replaceChildren(); this.clear(); } this.element.hidden = true; return; }
    this.element.hidden = false;
    const tab = Object.hasOwn(names, state.tabs.sample ?? "") ? state.tabs.sample : "sample";
    if (this.shape !== `${state.d}/${tab}`) {
      this.shape = `${state.d}/${tab}`;
      this.extra.replaceChildren(this.tabs("sample", names, tab));
      this.clear();
      this[tab]();
      this.show();
    }
    this.redraw();
  }
  observations(plot) {
    const n = here().data.n;
    plot.hits = (sx, sy) => {
      const screen = plot.screen();
      if (!screen) return [];
      const unit = Math.abs(screen.x(1) - screen.x(0)), i = Math.round((sx - screen.x(0)) / unit) - 1;
      return i < 0 || i >= n ? [] : [{key: `o${i}`, text: () => panels.find((p) => p instanceof DataView).about(i),
        choose: (modifiers) => change({obs: modifiers.shift || modifiers.ctrl ? union(state.obs, [i]) : [i]})}];
    };
    plot.within = (inside, modifiers) => { const found = range(n).filter((i) => inside(i + 1, plot.figure.y_range.start === undefined ? 0 : (plot.figure.y_range.start + plot.figure.y_range.end) / 2)); change({obs: modifiers.shift ? union(state.obs, found) : found}); };
  }
  sample() {
    const n = here().data.n, plot = this.add({x: "observation", y: "frequency", x_range: new Bokeh.Range1d({start: 0.2, end: n + 0.8}), y_range: new Bokeh.Range1d({start: 0, end: 3.3}), tools: "pan,wheel_zoom,reset"});
    plot.figure.yaxis.ticker = new (Models.get("BasicTicker"))({min_interval: 1, num_minor_ticks: 0});
    const bars = plot.plain(plot.figure.vbar({x: field("x"), top: field("top"), width: n > 300 ? 1 : 0.82, source: source({x: range(n).map((i) => i + 1), top: range(n).map(() => 0), c: range(n).map(() => "#ffffff")}), fill_color: field("c"), line_color: n > 300 ? field("c") : NEUTRAL}));
    const marked = plot.scatter({x: [], y: []}, {marker: "inverted_triangle", size: 12, fill_color: "#c01c28", line_color: null});
    this.observations(plot);
    this.redraw = () => {
      const f = frequencies(), focus = focused();
      const top = f ? Array.from(f) : range(n).map(() => 0);
      plot.figure.y_range.end = 1.1 * top.reduce((a, b) => Math.max(a, b), 1);
      bars.data_source.data = {x: range(n).map((i) => i + 1), top, c: top.map(grey)};
      marked.data_source.data = {x: state.obs.map((i) => i + 1), y: state.obs.map((i) => top[i] + 0.12)};
      if (!f) { this.say("Select a replication to see its learning sample."); return; }
      if (focus === null) { this.say(`Mean over the ${state.sel.length} selected replications.`); return; }
      const tally = new Map();
      for (const times of top) tally.set(times, (tally.get(times) ?? 0) + 1);
      const words = [...tally].sort((a, b) => a[0] - b[0]).map(([times, count]) => (times === 0 ? `${count} in the test sample` : `${count} drawn ${times === 1 ? "once" : times === 2 ? "twice" : `${times} times`}`));
      this.say(`Replication ${here().labels[focus]}: ${words.join(", ")}.`);
    };
  }
  errors() {
    const one = here(), n = one.data.n, nominal = one.data.task !== "regression", {K} = one;
    const target = one.data.target ? one.data.variables.at(-1) : null;
    const plot = this.add({x: "observation", y: nominal ? "" : "prediction − observed", x_range: new Bokeh.Range1d({start: 0.2, end: n + 0.8}),
                           ...(nominal ? {y_range: new Bokeh.Range1d({start: -0.7, end: K - 0.3})} : {})});
    if (nominal) plot.ticks(plot.figure.yaxis, range(K), range(K).map((k) => algorithm(k).name));
    const dots = plot.scatter({x: [], y: [], c: [], s: [], f: [], i: [], k: []}, {size: field("s"), fill_color: field("f"), line_color: field("c"), line_width: 1.5});
    const marked = plot.scatter({x: [], y: []}, {marker: "inverted_triangle", size: 12, fill_color: "#c01c28", line_color: null});
    this.observations(plot);
    const hits = plot.hits;
    plot.hits = (sx, sy) => {
      const screen = plot.screen(), {x, y, i, k} = dots.data_source.data, found = [];
      if (screen) x.forEach((_, at_) => { const far = Math.hypot(screen.x(x[at_]) - sx, screen.y(y[at_]) - sy); if (far <= REACH_DOT) found.push({far, i: i[at_], k: k[at_]}); });
      return found.length ? found.sort((a, b) => a.far - b.far).map((hit) => ({key: `${hit.i}:${hit.k}`, text: () => `${algorithm(hit.k).name}\n${panels.find((p) => p instanceof DataView).about(hit.i)}`, choose: () => change({obs: [hit.i], alg: hit.k})})) : hits(sx, sy);
    };
    this.redraw = () => {
      const data = {x: [], y: [], c: [], s: [], f: [], i: [], k: []}, f = frequencies(), focus = focused();
      const models = one.models.get(focus) ?? [];
      if (target && focus !== null) for (const m of models) for (let i = 0; i < n; i++) {
        if (nominal && m.prediction[i] === target.values[i]) continue;
        const tested = !f[i], colour = state.alg === null || state.alg === m.algorithm ? algorithm(m.algorithm).colour : "#d3d6db";
        data.x.push(i + 1); data.y.push(nominal ? m.algorithm : m.prediction[i] - target.values[i]); data.c.push(colour);
        data.f.push(tested ? colour : "#ffffff"); data.s.push(tested ? 8 : 4); data.i.push(i); data.k.push(m.algorithm);
      }
      dots.data_source.data = data;
      marked.data_source.data = {x: state.obs.map((i) => i + 1), y: state.obs.map(() => (nominal ? K - 0.5 : 0))};
      this.say(focus === null ? "Select one replication to see the errors of its models."
        : !models.length ? "The models of this replication are not available." : `Replication ${one.labels[focus]}: ${nominal ? "wrong predictions" : "errors"}; filled for the test sample.`);
    };
  }
}

// The selected replications as numbers.
class Table extends Panel {
  constructor() { super("table", "Table"); this.save.replaceChildren(); this.area.className = "scroll"; this.area.tabIndex = 0; this.area.setAttribute("role", "region"); this.area.setAttribute("aria-label", "Table of the selection"); }
  update() {
    const one = here(), list = state.sel.length ? state.sel : range(one.B), shown = list.slice(0, MOST_ROWS), focus = focused();
    const key = `${state.d}/${asRanges(shown)}/${state.draw}`;
    if (this.shape !== key) {
      this.shape = key;
      const known = range(payload.measures.length).filter((j) => one.measures[j]);
      const head = h("tr", {}, h("th", {scope: "col", class: "text"}, "replication"), ...known.flatMap((j) => [
        h("th", {scope: "col", class: "text"}, `order by ${payload.measures[j]}`), ...range(one.K).map((k) => h("th", {scope: "col"}, `${algorithm(k).name}`))]));
      const rows = shown.map((b) => h("tr", {"data-b": b}, h("td", {class: "text"}, h("button", {type: "button", on: {click: () => change({focus: b, ...(state.sel.includes(b) ? {} : {sel: [b]})})}}, String(one.labels[b]))),
        ...known.flatMap((j) => { const m = one.measures[j]; return [
          h("td", {class: "text"}, ...range(one.K).map((p) => at(m, b, p)).filter((k) => k !== null).flatMap((k, i) => [i ? ", " : "", h("bdi", {}, algorithm(k).name)])),
          ...range(one.K).map((k) => h("td", {}, number(value(m, b, k))))]; })));
      this.area.replaceChildren(h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows)));
      this.say(shown.length < list.length ? `first ${shown.length} of ${list.length.toLocaleString("en")} replications; Save CSV has all` : "");
    }
    for (const row of this.area.querySelectorAll("tbody tr")) row.classList.toggle("on", Number(row.dataset.b) === focus);
  }
}

// ---- a domain: many data sets, each of which leads to its own podium --------------------------------------------

const visit = (d) => change({view: "data", d});
const byDomain = () => payload.domain[clamp(state.tabs.domain ?? 0, 0, payload.domain.length - 1)];
const nearest = (plot, xs, ys, reach, make) => (sx, sy) => {
  const screen = plot.screen(), found = [];
  if (!screen) return [];
  xs.forEach((x, i) => { const far = Math.hypot(screen.x(x) - sx, screen.y(ys[i]) - sy); if (far <= reach) found.push({far, i}); });
  return found.sort((a, b) => a.far - b.far || a.i - b.i).map(({i}) => make(i));
};
class DomainPanel extends Panel {
  update() {
    const g = byDomain(), key = `${g.measure}/${state.tabs.page ?? 0}`;
    if (this.shape !== key) {
      this.shape = key;
      this.extra.replaceChildren(...(payload.domain.length > 1 ? [this.choice("domain", "Measure", payload.domain.map((one) => one.measure), payload.domain.indexOf(g))] : [h("span", {}, g.measure)]));
      this.clear();
      this.build(g);
      this.show();
    }
    this.redraw();
  }
  redraw() {}
  lead(d, text) { return {key: `d${d}`, text: () => `${payload.datasets[d].name}\n${text}\n(click to open)`, choose: () => visit(d)}; }
  faded(k) { return state.alg === null || state.alg === k ? 1 : 0.15; }
}
class Summary extends DomainPanel {
  constructor() { super("summary", "Summary plot"); }
  build(g) {
    const s = g.summary, M = s.datasets.length, P = s.podium[0].length, tall = Math.max(1, M * 15);
    const inner = h("div", {style: `height:${M > 16 ? `${tall + 50}px` : "100%"}`}), wide = M > 16;
    this.area.append(inner);
    this.area.style.overflow = wide ? "auto" : "hidden";
    const plot = this.add({x: "place", tools: "", x_range: new Bokeh.Range1d({start: 0, end: P}), y_range: new Bokeh.Range1d({start: M - 0.4, end: -0.6}), x_axis_location: "above"}, inner);
    plot.places(P);
    plot.ticks(plot.figure.yaxis, range(M), s.datasets.map((d) => payload.datasets[d].name));
    plot.figure.ygrid.grid_line_color = plot.figure.xgrid.grid_line_color = null;
    const cells = range(M).flatMap((r) => range(P).map((p) => [r, p])).filter(([r, p]) => s.podium[r][p] >= 0).map(([r, p]) => ({r, p, k: s.algorithms[s.podium[r][p]]}));
    const data = source({x: cells.map((c) => c.p + 0.5), y: cells.map((c) => c.r), c: cells.map((c) => algorithm(c.k).colour), a: cells.map(() => 1),
      bx: cells.map((c) => c.p + 0.06), bw: cells.map((c) => c.p + 0.06 + 0.88 * clamp(s.share[c.r][c.p] ?? 0, 0, 1)), by: cells.map((c) => c.r + 0.34), bt: cells.map((c) => c.r + 0.2)});
    plot.plain(plot.figure.rect({x: field("x"), y: field("y"), width: 0.96, height: 0.86, source: data, fill_color: field("c"), fill_alpha: field("a"), line_color: null}));
    plot.plain(plot.figure.quad({left: field("bx"), right: field("bw"), bottom: field("by"), top: field("bt"), source: data, fill_color: "#ffffff", line_color: INK, line_width: 0.6}));
    const borders = range(M).flatMap((r) => range(P - 1).map((p) => [r, p])).filter(([r, p]) => s.border[r][p]);
    plot.plain(plot.figure.segment({x0: field("x"), x1: field("x"), y0: field("a"), y1: field("b"), source: source({x: borders.map(([, p]) => p + 1), a: borders.map(([r]) => r - 0.45), b: borders.map(([r]) => r + 0.45)}), line_color: INK, line_width: 3}));
    plot.hits = (sx, sy) => {
      const screen = plot.screen();
      if (!screen) return [];
      const r = Math.round((sy - screen.y(0)) / (screen.y(1) - screen.y(0))), p = Math.floor((sx - screen.x(0)) / (screen.x(1) - screen.x(0)));
      if (r < 0 || r >= M) return [];
      const k = s.podium[r][p] >= 0 ? s.algorithms[s.podium[r][p]] : null;
      return [this.lead(s.datasets[r], `${k === null ? "" : `${algorithm(k).name}: ${g.statistic} ${number(s.values[r][p])}\n`}${s.relations[r]}`)];
    };
    this.redraw = () => { data.data = {...data.data, a: cells.map((c) => this.faded(c.k))}; };
    this.say(`Thick lines: better than the next place${g.tested ? "" : ` by the ${g.statistic}, which was not tested`}. White bars: the ${g.statistic}, the longer the worse.`);
  }
}
class Graph extends DomainPanel {
  constructor() { super("graph", "Summary graph"); }
  build(g) {
    const s = g.graph, plot = this.add({tools: "pan,wheel_zoom,reset", match_aspect: true}), top = Math.max(...s.level, 0) + 1;
    for (const axis of [plot.figure.xaxis, plot.figure.yaxis]) axis.visible = false;
    plot.figure.xgrid.grid_line_color = plot.figure.ygrid.grid_line_color = null;
    plot.plain(plot.figure.segment({x0: field("a"), y0: field("b"), x1: field("c"), y1: field("d"), source: source({a: s.first.map((i) => s.x[i]), b: s.first.map((i) => s.y[i]), c: s.second.map((i) => s.x[i]), d: s.second.map((i) => s.y[i]), w: s.level.map((l) => 2.5 * (1 - l / top) + 0.3)}), line_color: "#b6bbc4", line_width: field("w")}));
    const data = source({x: s.x, y: s.y, c: s.winner.map((k) => (k < 0 ? "#ffffff" : algorithm(k).colour)), a: s.x.map(() => 1), t: this.names(s)});
    plot.plain(plot.figure.scatter(field("x"), field("y"), {source: data, size: 14, fill_color: field("c"), fill_alpha: field("a"), line_color: INK}));
    for (const axis of ["x_range", "y_range"]) plot.figure[axis].range_padding = s.x.length <= 60 ? 0.35 : 0.1;
    if (s.x.length <= 60) plot.plain(plot.figure.text({x: field("x"), y: field("y"), text: field("t"), source: data, y_offset: -10, text_align: "center", text_font_size: big ? "13px" : "11px", text_color: INK}));
    plot.hits = nearest(plot, s.x, s.y, 12, (i) => this.lead(s.datasets[i], s.winner[i] < 0 ? "several are first" : `${algorithm(s.winner[i]).name} wins`));
    this.redraw = () => { data.data = {...data.data, a: s.winner.map((k) => this.faded(k))}; };
    this.say("Near data sets have similar orders; the colour is that of the sole winner." + (data.data.t.includes("") ? " Names where there is room." : ""));
  }
  names(s) {  // a name is left out where it would cover another one
    const width = this.area.clientWidth || 460, height = this.area.clientHeight || 220, taken = [];
    const span = (list) => Math.max(...list) - Math.min(...list) || 1;
    const unit = Math.min(width / span(s.x), height / span(s.y)) / 1.35;  // one scale for both axes, as they are drawn
    return s.datasets.map((d, i) => {
      const text = brief(payload.datasets[d].name, 18), half = (big ? 4.2 : 3.6) * [...text].length, x = unit * s.x[i], y = unit * s.y[i];
      if (taken.some((one) => Math.abs(one.x - x) < one.half + half && Math.abs(one.y - y) < (big ? 16 : 14))) return "";
      taken.push({x, y, half});
      return text;
    });
  }
}
class Dendrogram extends DomainPanel {
  constructor() { super("dendrogram", "Dendrogram"); }
  build(g) {
    const s = g.dendrogram, M = s.datasets.length, plot = this.add({y: s.metric, tools: "pan,wheel_zoom,reset", x_range: new Bokeh.Range1d({start: -0.7, end: M - 0.3})});
    if (M <= 60) plot.ticks(plot.figure.xaxis, range(M), s.datasets.map((d) => payload.datasets[d].name));
    else plot.ticks(plot.figure.xaxis, [], []);
    plot.figure.xaxis.major_label_orientation = 1.2;
    plot.figure.xgrid.grid_line_color = null;
    plot.plain(plot.figure.multi_line(field("xs"), field("ys"), {source: source({xs: s.links.map((l) => l.map((p) => p[0])), ys: s.links.map((l) => l.map((p) => p[1]))}), line_color: NEUTRAL, line_width: 1.5}));
    const data = source({x: range(M), y: range(M).map(() => 0), c: range(M).map((i) => ((s.winner[i] ?? -1) < 0 ? "#ffffff" : algorithm(s.winner[i]).colour)), a: range(M).map(() => 1)});
    plot.plain(plot.figure.scatter(field("x"), field("y"), {source: data, size: M > 100 ? 7 : 12, fill_color: field("c"), fill_alpha: field("a"), line_color: INK}));
    plot.hits = nearest(plot, range(M), range(M).map(() => 0), 11, (i) => this.lead(s.datasets[i], (s.winner[i] ?? -1) < 0 ? "several are first" : `${algorithm(s.winner[i]).name} wins`));
    this.redraw = () => { data.data = {...data.data, a: s.winner.map((k) => this.faded(k))}; };
  }
}
class Trellis extends DomainPanel {
  constructor() { super("trellis", "Trellis of boxes"); }
  build(g) {
    const PER = 9, j = payload.measures.indexOf(g.measure), known = range(payload.datasets.length).filter((d) => payload.datasets[d].measures[j]);
    known.sort((a, b) => payload.datasets[a].name.localeCompare(payload.datasets[b].name, "en", {numeric: true}));
    const pages = Math.max(1, Math.ceil(known.length / PER)), page = clamp(state.tabs.page ?? 0, 0, pages - 1);
    const turn = (by) => () => change({tabs: {...state.tabs, page: clamp(page + by, 0, pages - 1)}}, {keep: false});
    if (pages > 1) this.extra.append(h("button", {type: "button", "aria-label": "Previous panels", disabled: page === 0, on: {click: turn(-1)}}, "◀"), h("span", {}, `${page + 1} of ${pages}`), h("button", {type: "button", "aria-label": "Next panels", disabled: page === pages - 1, on: {click: turn(1)}}, "▶"));
    this.area.classList.add("grid");
    this.area.style.gridTemplateColumns = "repeat(3,1fr)";
    this.area.style.gridAutoRows = "minmax(84px,1fr)";
    const order = g.summary.algorithms, all = known.flatMap((d) => payload.datasets[d].measures[j].box.whiskers.flat()).filter((x) => x !== null);
    const low = all.reduce((a, b) => Math.min(a, b), Infinity), high = all.reduce((a, b) => Math.max(a, b), -Infinity), margin = 0.05 * (high - low || 1), boxes = [];
    for (const d of known.slice(page * PER, (page + 1) * PER)) {
      const {quartiles, whiskers} = payload.datasets[d].measures[j].box;
      const cell = h("div", {style: "display:flex;flex-direction:column"}), area = h("div", {style: "flex:1;min-height:0"});
      cell.append(h("button", {type: "button", style: "font-size:11.5px;padding:0 4px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap", on: {click: () => visit(d)}}, payload.datasets[d].name), area);
      this.area.append(cell);
      const plot = this.add({tools: "", x_range: new Bokeh.Range1d({start: low - margin, end: high + margin}), y_range: new Bokeh.Range1d({start: order.length - 0.4, end: -0.6}), min_border: 1}, area);
      plot.figure.yaxis.visible = false;
      plot.figure.xaxis.major_label_text_font_size = "9px";
      plot.figure.xaxis.ticker = new (Models.get("BasicTicker"))({desired_num_ticks: 3, num_minor_ticks: 0});
      plot.figure.xaxis.major_label_policy = new (Models.get("NoOverlap"))({min_distance: 6});
      const v = (k, list, i) => list[k][i] ?? NaN;
      const data = source({y: range(order.length), low: order.map((k) => v(k, whiskers, 0)), high: order.map((k) => v(k, whiskers, 1)), q1: order.map((k) => v(k, quartiles, 0)), q2: order.map((k) => v(k, quartiles, 1)), q3: order.map((k) => v(k, quartiles, 2)), dot: order.map((k) => v(k, quartiles, 0) === v(k, quartiles, 2) ? v(k, quartiles, 1) : NaN), c: order.map((k) => algorithm(k).colour), a: order.map(() => 1)});
      plot.plain(plot.figure.segment({x0: field("low"), x1: field("high"), y0: field("y"), y1: field("y"), source: data, line_color: NEUTRAL}));
      plot.plain(plot.figure.hbar({y: field("y"), left: field("q1"), right: field("q3"), height: 0.7, source: data, fill_color: field("c"), fill_alpha: field("a"), line_color: NEUTRAL, line_width: 0.5}));
      plot.plain(plot.figure.hbar({y: field("y"), left: field("q2"), right: field("q2"), height: 0.7, source: data, line_color: INK, line_width: 1.5}));
      // A box of one value has no width: a dot shows whose it is.
      plot.plain(plot.figure.scatter(field("dot"), field("y"), {source: data, size: 6, fill_color: field("c"), fill_alpha: field("a"), line_color: INK, line_width: 0.5}));
      plot.hits = (sx, sy) => {
        const screen = plot.screen(), k = screen === null ? undefined : order.find((_, i) => Math.abs(screen.y(i) - sy) <= Math.abs(screen.y(1) - screen.y(0)) / 2);
        return [this.lead(d, k === undefined ? "box plots of the replications" : `${algorithm(k).name}: median ${number(v(k, quartiles, 1))}`)];
      };
      boxes.push(data);
    }
    this.redraw = () => { for (const data of boxes) data.data = {...data.data, a: order.map((k) => this.faded(k))}; };
  }
}

// ---- rendering -------------------------------------------------------------------------------------------------

let mounted = null;
function mount() {
  const key = state.view;
  if (mounted === key) return;
  mounted = key;
  for (const panel of panels) panel.remove();
  panels = key === "domain" ? [new Summary(), new Graph(), new Dendrogram(), new Trellis()]
    : [...range(payload.measures.length).map((j) => new Podium(j)), new DataView(), new Sample(), new Distribution(), new Table()];
  $("views").className = key;
  $("views").replaceChildren(...panels.map((panel) => panel.element));
}
let linkTimer = 0;
function render() {
  tell("");
  mount();
  controls();
  for (const panel of panels) panel.update();
  clearTimeout(linkTimer);
  linkTimer = setTimeout(() => { try { history.replaceState(null, "", toLink()); } catch { /* some browsers refuse it for files */ } }, 150);
}
function controls() {
  const data = state.view === "data", one = data ? here() : null;
  for (const id of ["selecting", "querying", "podiums", "csv", "place"]) $(id).hidden = !data && id !== "place";
  $("place").hidden = payload.datasets.length < 2;
  $("to-domain").hidden = !payload.domain.length;
  $("to-domain").disabled = !data;
  $("dataset").value = data ? String(state.d) : "";
  $("undo").disabled = !past.length;
  $("redo").disabled = !future.length;
  for (const [k, button] of [...$("algorithms").children].entries()) button.setAttribute("aria-pressed", String(state.alg === k));
  if (!data) return;
  const n = state.sel.length, focus = focused();
  $("count").textContent = `${n ? n.toLocaleString("en") : "none"} of ${one.B.toLocaleString("en")} replication${one.B === 1 ? "" : "s"}`;
  $("focus").textContent = focus === null ? "–" : `replication ${brief(one.labels[focus], 40)}`;
  $("previous").disabled = $("next").disabled = n < 1;
  $("only").disabled = focus === null || n < 2;
  for (const radio of document.querySelectorAll("input[name=mode]")) radio.checked = radio.value === state.mode;
  $("named").replaceChildren(...state.named.filter((kept) => kept.d === state.d).map((kept) => h("li", {},
    h("button", {type: "button", class: "name", on: {click: (event) => select(kept.sel, {modifiers: {shift: event.shiftKey, ctrl: event.ctrlKey}})}}, `${kept.name} (${kept.sel.length})`),
    h("button", {type: "button", "aria-label": `Forget ${kept.name}`, on: {click: () => change({named: state.named.filter((other) => other !== kept)})}}, "×"))));
  $("lines").checked = state.lines;
  const draws = Math.max(1, ...one.measures.map((m) => (m ? m.draws : 1)));
  $("ties").hidden = draws < 2;
  $("tie").textContent = `random ties ${state.draw % draws + 1} of ${draws}`;
  const kind = $("q-kind").value;
  for (const label of document.querySelectorAll("#query [data-for]")) label.hidden = !label.dataset.for.split(" ").includes(kind);
  if (state.obs.length && document.activeElement !== $("q-obs")) $("q-obs").value = String(state.obs.at(-1) + 1);
  $("q-obs").max = one.data ? one.data.n : 1;
  for (const option of $("q-kind").options) if (option.value === "sample") option.disabled = !one.samples;
}
function fixedControls() {
  document.title = payload.title;
  $("title").textContent = payload.title;
  $("title").title = payload.title;
  options($("dataset"), payload.datasets.map((one) => one.name));
  $("dataset").prepend(h("option", {value: "", disabled: true}, "choose"));
  $("algorithms").replaceChildren(...payload.algorithms.map((one, k) => h("button", {type: "button", "aria-pressed": "false", title: one.name,
    on: {click: () => change({alg: state.alg === k ? null : k})}}, swatch(k), h("span", {class: "name"}, one.name))));
  const names = payload.algorithms.map((one) => one.name);
  options($("q-a"), names); options($("q-b"), names, Math.min(1, names.length - 1));
  options($("q-place"), names.map((_, i) => String(i + 1)));
  options($("q-measure"), payload.measures);
  $("absences").replaceChildren(...payload.absences.map((text) => h("li", {}, text)));
  $("lacking").hidden = !payload.absences.length;
  $("contents").replaceChildren(...payload.contents.map((text) => h("li", {}, text)));
  $("containing").hidden = !payload.contents.length;
}
function listen() {
  const on = (id, event, call) => $(id).addEventListener(event, call);
  on("dataset", "change", () => visit(Number($("dataset").value)));
  on("to-domain", "click", () => change({view: "domain"}));
  on("undo", "click", undo);
  on("redo", "click", redo);
  on("all", "click", () => change({sel: range(here().B), focus: null}));
  on("none", "click", () => change({sel: [], focus: null, obs: [], alg: null}));
  on("invert", "click", () => change({sel: without(range(here().B), state.sel), focus: null}));
  const step = (by) => () => {
    const list = state.sel, now = list.indexOf(focused());
    change({focus: list[now < 0 ? (by > 0 ? 0 : list.length - 1) : (now + by + list.length) % list.length]});
  };
  on("previous", "click", step(-1));
  on("next", "click", step(1));
  on("only", "click", () => { const b = focused(); if (b !== null) change({sel: [b], focus: b}); });
  for (const radio of document.querySelectorAll("input[name=mode]")) radio.addEventListener("change", () => change({mode: radio.value}, {keep: false}));
  on("keep", "submit", (event) => {
    event.preventDefault();
    const name = $("keep-name").value.trim();
    if (!name) return;
    $("keep-name").value = "";
    change({named: [...state.named.filter((one) => one.name !== name || one.d !== state.d), {name, d: state.d, sel: state.sel}]});
  });
  on("lines", "change", () => change({lines: $("lines").checked}));
  const ties = (by) => () => { const draws = Math.max(1, ...here().measures.map((m) => (m ? m.draws : 1))); change({draw: (state.draw + by + draws) % draws}); };
  on("tie-back", "click", ties(-1));
  on("tie-on", "click", ties(1));
  on("q-kind", "change", () => controls());
  on("query", "submit", (event) => {
    event.preventDefault();
    const bound = (id, open) => ($(id).value === "" ? open : Number($(id).value));
    const j = Number($("q-measure").value);
    if ($("q-kind").value !== "sample" && !here().measures[j]) return;
    query($("q-kind").value, {j, a: Number($("q-a").value), b: Number($("q-b").value), end: $("q-end").value, place: Number($("q-place").value),
      low: bound("q-low", -Infinity), high: bound("q-high", Infinity), obs: Number($("q-obs").value) - 1, inside: $("q-in").value === "in"}, {});
  });
  on("csv", "click", () => save(`${fileName(here().name)}-selection.csv`, new Blob([csv()], {type: "text/csv"})));
  on("link", "click", async () => {
    const link = location.href.split("#")[0] + toLink();
    try { await navigator.clipboard.writeText(link); } catch {
      const box = h("textarea", {}, link);
      document.body.append(box); box.select(); document.execCommand("copy"); box.remove();
    }
    $("link").textContent = "Copied";
    setTimeout(() => { $("link").textContent = "Copy link"; }, 1500);
  });
  document.addEventListener("keydown", (event) => {
    const typing = ["INPUT", "TEXTAREA", "SELECT"].includes(event.target.tagName) && event.target.type !== "checkbox" && event.target.type !== "radio";
    if ((event.ctrlKey || event.metaKey) && !typing && event.key.toLowerCase() === "z" && !event.shiftKey) { event.preventDefault(); undo(); }
    else if ((event.ctrlKey || event.metaKey) && !typing && (event.key.toLowerCase() === "y" || event.key.toLowerCase() === "z")) { event.preventDefault(); redo(); }
    else if (event.key === "Escape" && !typing && state.view === "data" && (state.sel.length || state.obs.length || state.alg !== null)) change({sel: [], focus: null, obs: [], alg: null});
  });
  // The address that was followed: the page may have written that of its present state over it in the meantime.
  addEventListener("hashchange", (event) => {
    const followed = new URL(event.newURL).hash, found = fromLink(followed);
    if (found && followed !== toLink()) { past.push(state); state = found; render(); }
  });
}

// The selected replications, or all, as a table that podium.read reads. A text that a spreadsheet would take for a
// formula begins with an apostrophe.
function csv() {
  const one = here(), list = state.sel.length ? state.sel : range(one.B), known = range(payload.measures.length).filter((j) => one.measures[j]);
  const text = (given) => { const cell = /^[=+\-@\t\r]/.test(given) ? `'${given}` : given; return /[",\r\n]/.test(cell) ? `"${cell.replace(/"/g, '""')}"` : cell; };
  const label = (given) => (typeof given === "number" ? String(given) : text(given));
  const rows = [["dataset", "replication", "algorithm", ...known.map((j) => text(payload.measures[j]))]];
  for (const b of list) for (let k = 0; k < one.K; k++)
    rows.push([text(one.name), label(one.labels[b]), text(algorithm(k).name), ...known.map((j) => { const x = value(one.measures[j], b, k); return Number.isNaN(x) ? "" : String(x); })]);
  return rows.map((row) => row.join(",")).join("\r\n") + "\r\n";
}

fixedControls();
listen();
const linked = location.hash.length > 1 ? fromLink(location.hash) : null;
if (linked) state = linked;
render();
const settled = () => Promise.all(panels.map((panel) => panel.ready)).then(() => true);
settled().then(() => { document.documentElement.dataset.ready = "true"; });
// For tests, and for driving the page from the console.
window.podium = {
  get state() { return state; }, get payload() { return payload; }, get panels() { return panels; },
  panel: (name) => panels.find((one) => one.name === name), change, select, query, undo, redo, csv, toLink, settled, frequencies, number, here, at, value,
};
})();
