// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// Elements from values. Text is only ever text: no name of a file can become markup.

import { baseName, grouped, middle, visible } from "./format.js";

/**
 * An element with properties and children.
 *
 * `class`, `role`, `for`, `aria-…`, `data-…` and other names with a hyphen become attributes, functions
 * listeners (`onclick`), everything else properties. Children may be texts, nodes, lists, null and false.
 */
export function el(name, properties = {}, ...children) {
  const element = document.createElement(name);
  assign(element, properties);
  append(element, children);
  return element;
}

const svgNamespace = "http://www.w3.org/2000/svg";

/** An element of a drawing; all properties are attributes. */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(svgNamespace, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined) element.setAttribute(key, value);
  }
  append(element, children);
  return element;
}

function assign(element, properties) {
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined) continue;
    if (typeof value === "function") element.addEventListener(key.slice(2), value);
    else if (key === "class" || key === "role" || key === "for" || key.includes("-")) {
      element.setAttribute(key, value);
    } else element[key] = value;
  }
}

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    // mutation: r38g-1
    element.append(child);
  }
}

/** Replaces what is in an element. */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

/** Of each element that `update` has drawn, from what. */
const drawnFrom = new WeakMap();

/**
 * Draws a list again, but of it only what has changed: the rest keeps its focus and is not read out anew. So does
 * what says by `data-key` what it is, where it is drawn again in the same place.
 *
 * @param {{state: object, draw: () => Element}[]} items
 */
export function update(element, items) {
  items.forEach((item, index) => {
    const before = element.children[index];
    const state = JSON.stringify(item.state);
    if (before && drawnFrom.get(before) === state) return;
    const drawn = item.draw();
    if (before && replaceAroundFocus(before, drawn)) return void drawnFrom.set(before, state);
    drawnFrom.set(drawn, state);
    if (before) before.replaceWith(drawn);
    else element.append(drawn);
  });
  while (element.children.length > items.length) element.lastElementChild.remove();
}

/**
 * Draws anew all of an element but what has the focus, which gets what is in its successor.
 *
 * @returns {boolean} false: nothing was done, since the focus is elsewhere, or on what has no successor
 */
function replaceAroundFocus(before, drawn) {
  let held = document.activeElement;
  const key = held?.dataset.key;
  if (key === undefined || held === before || !before.contains(held)) return false;
  let next = [...drawn.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key);
  if (!next) return false;
  if (!held.isEqualNode(next)) held.replaceChildren(...next.childNodes);
  // From it outwards, whatever stands beside it.
  while (held !== before) {
    const beside = [...next.parentNode.childNodes];
    const at = beside.indexOf(next);
    for (const one of [...held.parentNode.childNodes]) if (one !== held) one.remove();
    held.className = next.className;
    held.before(...beside.slice(0, at));
    held.after(...beside.slice(at + 1));
    held = held.parentNode;
    next = next.parentNode;
  }
  return true;
}

/** Enables what was pressed, and is to be pressed again; disabling it has taken the focus away. */
export function enableAgain(button) {
  button.disabled = false;
  if (document.activeElement === document.body) button.focus();
}

/** Text that is read out whenever it is written, and so only when it is another. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export const byId = (id) => document.getElementById(id);

/** Text that is there for screen readers only. */
export function unseen(text) {
  return el("span", { class: "unseen" }, text);
}

/**
 * A path or a name as people see it: its direction does not reach what stands around it, it is cut in the
 * middle, and the whole is in its title.
 */
export function nameText(path, length = 60) {
  const text = visible(path);
  return el("bdi", { class: "name", title: text }, middle(text, length));
}

/** The last component of a path, as `nameText`. */
export function baseNameText(path, length = 40) {
  const text = visible(path);
  return el("bdi", { class: "name", title: text }, middle(visible(baseName(path)), length));
}

/** A button that opens something about a path. */
export function pathButton(path, length, onclick) {
  return el("button", { class: "path", type: "button", onclick }, nameText(path, length));
}

/** What stands below a list that was cut; null for one that is whole. */
export function andMore(count, where = "") {
  return count > 0 ? el("p", { class: "faint" }, `and ${grouped(count)} more${where}`) : null;
}

/** What a table says in place of rows. */
export function emptyState(...children) {
  return el("p", { class: "empty" }, ...children);
}

/** A small picture of a class: its colour and its pattern, with its name beside it. */
export function classKey(name, label = classLabel(name)) {
  return el("span", { class: "key" },
    el("span", { class: `swatch ${name}`, "aria-hidden": "true" }), label);
}

const classLabels = {
  temporary: "temporary", cache: "cache", trash: "trash", lastResort: "last resort",
  essential: "essential",
};

/** The name of a class within a sentence. */
export function classLabel(name) {
  return classLabels[name] ?? name;
}

/** The marks of a level: never by colour alone. Without words it is said to who cannot see it. */
export function levelBadge(level, words = level ?? "no level") {
  const signs = { normal: "●", warning: "▲", critical: "■" };
  return el("span", { class: `level ${level ?? "none"}` },
    el("span", { "aria-hidden": "true" }, signs[level] ?? "○"),
    words === "" ? unseen(level) : ` ${words}`);
}
