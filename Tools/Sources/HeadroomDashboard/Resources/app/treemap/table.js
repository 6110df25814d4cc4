// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// The treemap as a table, for who cannot see it or would rather read.

import { classKey, el, fill, nameText } from "../dom.js";
import { ago, bytes, grouped, percent, visible } from "../format.js";
import { flag } from "./level.js";

const pageLength = 100;

/** What is to be said of a node besides its figures. */
export function stateWords(flags) {
  const words = [];
  if (flags & flag.inUse) words.push("in use");
  if (flags & flag.pinned) words.push("pinned");
  else if (flags & flag.marked) words.push("marked");
  if (flags & flag.unit) words.push("goes whole");
  if (flags & flag.links) words.push("has other names");
  if (flags & flag.unreadable) words.push("not readable");
  if (flags & flag.otherFileSystem) words.push("has other volumes in it");
  return words.join(", ");
}

/** A table of a level. What is drawn again is only what has changed, so that focus and scroll place stay. */
export class LevelTable {
  /**
   * @param {{onOpen: Function, onExplain: Function, onChoose: Function, isChosen: Function}} actions
   * each gets a node; `onChoose` also whether it is chosen
   */
  constructor(actions) {
    this.actions = actions;
    /** Of each row its node, what it was drawn from, its element and its box. */
    this.rows = [];
    this.body = el("tbody");
    this.more = el("button", { type: "button", onclick: () => this.showMore() }, "Show more");
    this.element = el("div", {
      class: "scroller", hidden: true, tabIndex: 0, role: "region", "aria-label": "What is here, as a table",
    },
    el("table", { class: "figures" },
      el("thead", {}, el("tr", {},
        el("th", { scope: "col" }, "Choose"), el("th", { scope: "col" }, "Name"),
        el("th", { scope: "col", class: "number" }, "Bytes"),
        el("th", { scope: "col", class: "number" }, "Share"),
        el("th", { scope: "col", class: "number" }, "Items"), el("th", { scope: "col" }, "Class"),
        el("th", { scope: "col" }, "Last use"), el("th", { scope: "col" }, "State"),
        el("th", { scope: "col" }, "Why"))),
      this.body),
    this.more);
  }

  show(level) {
    const place = level.pathBytes ?? level.path ?? "";
    const isSame = !this.element.hidden && place === this.place;
    const top = isSame ? this.element.scrollTop : 0;
    const held = isSame ? this.held() : null;
    this.place = place;
    this.level = level;
    this.element.hidden = false;
    this.draw(isSame ? Math.max(pageLength, this.rows.length) : pageLength);
    this.drawChosen();
    // What had the focus was drawn anew, or has gone.
    if (held && !this.element.contains(document.activeElement)) {
      const row = this.rows.find(({ node }) => key(node) === held.key);
      ((row && controls(row)[held.control]) ?? this.element).focus({ preventScroll: true });
    }
    this.element.scrollTop = top;
  }

  hide() {
    this.element.hidden = true;
    this.rows = [];
    fill(this.body);
  }

  draw(count) {
    const { level, rows } = this;
    const end = Math.min(level.outer.count, count);
    for (let id = 0; id < end; id += 1) {
      const node = level.node(id);
      const share = percent(level.bytes > 0 ? node.bytes / level.bytes : 0);
      const state = JSON.stringify([node, share]);
      if (rows[id]?.state === state) continue;
      const row = this.row(node, share);
      if (rows[id]) rows[id].element.replaceWith(row.element);
      else this.body.append(row.element);
      rows[id] = { ...row, node, state };
    }
    for (const row of rows.splice(end)) row.element.remove();
    this.more.hidden = end >= level.outer.count;
  }

  /** The boxes follow what is chosen, from wherever. */
  drawChosen() {
    for (const { node, box } of this.rows) if (box) box.checked = this.actions.isChosen(node);
  }

  showMore() {
    const first = this.rows.length;
    this.draw(first + pageLength);
    if (this.more.hidden) this.focus(first);
  }

  /** Puts the focus on the name of a row. */
  focus(id) {
    if (id >= this.rows.length) this.draw(id + 1);
    (this.rows[id]?.element.querySelector(".path") ?? this.element).focus();
  }

  /** Which control of which row has the focus. */
  held() {
    const { activeElement } = document;
    const row = this.rows.find(({ element }) => element.contains(activeElement));
    return row ? { key: key(row.node), control: controls(row).indexOf(activeElement) } : null;
  }

  row(node, share) {
    const { actions } = this;
    const isDirectory = node.kind === "directory";
    const box = node.isRest ? null : el("input", {
      type: "checkbox", checked: actions.isChosen(node), "aria-label": `Choose ${visible(node.name)}`,
      onchange: () => actions.onChoose(node, box.checked),
    });
    const element = el("tr", {},
      el("td", {}, box),
      el("th", { scope: "row" }, node.isRest ? `${grouped(node.items)} more`
        : el("button", {
          type: "button", class: "path",
          onclick: () => (isDirectory ? actions.onOpen(node) : actions.onExplain(node)),
        }, nameText(isDirectory ? `${node.name}/` : node.name, 48))),
      el("td", { class: "number" }, bytes(node.bytes)),
      el("td", { class: "number" }, share),
      el("td", { class: "number" }, grouped(node.items)),
      el("td", {}, classKey(node.class)),
      el("td", { class: "when" }, node.lastUse ? ago(new Date(node.lastUse * 1000)) : "—"),
      el("td", {}, stateWords(node.flags)),
      el("td", {}, node.isRest ? "" : el("button", {
        type: "button", class: "quiet", "aria-label": `Explain ${visible(node.name)}`,
        onclick: () => actions.onExplain(node),
      }, "Explain")));
    return { element, box };
  }
}

const controls = ({ element }) => [...element.querySelectorAll("input, button")];
const key = (node) => node.pathBytes ?? node.path;
