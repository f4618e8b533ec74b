// Elements made by hand. Texts of a run become text nodes and attributes, never markup.

const SVG = "http://www.w3.org/2000/svg";
const HTML = "http://www.w3.org/1999/xhtml";

const byId = (id) => document.getElementById(id);

function make(space, tag, attributes, children) {
  const node = document.createElementNS(space, tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

const el = (tag, attributes, ...children) => make(HTML, tag, attributes, children);
const svg = (tag, attributes, ...children) => make(SVG, tag, attributes, children);

// The shape of each strategy in a box from -1 to 1, so that no strategy is recognized by colour alone.
const SHAPES = [
  "M-1,0A1,1 0 1,1 1,0A1,1 0 1,1 -1,0Z",
  "M-.85,-.85H.85V.85H-.85Z",
  "M0,-1.1L1.05,.8H-1.05Z",
  "M0,-1.2L1.2,0L0,1.2L-1.2,0Z",
  "M0,1.1L1.05,-.8H-1.05Z",
  "M-.4,-1.1H.4V-.4H1.1V.4H.4V1.1H-.4V.4H-1.1V-.4H-.4Z",
  "M-1.1,0L-.55,-.95H.55L1.1,0L.55,.95H-.55Z",
  "M0,-1.25L.35,-.4L1.2,-.4L.55,.2L.8,1.1L0,.55L-.8,1.1L-.55,.2L-1.2,-.4L-.35,-.4Z",
  "M-1.1,-.6L-.6,-1.1L0,-.5L.6,-1.1L1.1,-.6L.5,0L1.1,.6L.6,1.1L0,.5L-.6,1.1L-1.1,.6L-.5,0Z",
  "M-1.1,.7A1.1,1.1 0 0,1 1.1,.7Z",
];

// Colours are used again from the tenth strategy on, then the shape is hollow, and later dashed too.
const shape = (strategy, size) =>
  svg("path", { class: ["", "hollow", "hollow dashed"][Math.min(2, strategy.round)], d: SHAPES[strategy.style], transform: `scale(${size})`, "vector-effect": "non-scaling-stroke" });

const mark = (strategy) =>
  svg("svg", { class: `mark s${strategy.style}`, viewBox: "-7 -7 14 14", "aria-hidden": "true" }, shape(strategy, 5));

// A sentence whose options, such as `--max-short`, are not broken.
const prose = (text) => text.split(/(--[a-z][a-z-]*)/).map((part, at) => (at % 2 ? el("code", { class: "option" }, part) : part));

const named = (strategy) => el("span", { class: "name" }, mark(strategy), el("span", {}, strategy.name));
