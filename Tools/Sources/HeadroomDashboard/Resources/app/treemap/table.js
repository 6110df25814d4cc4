// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// The treemap as a table, for who cannot see it or would rather read.

import { classKey, el, nameText } from "../dom.js";
import { ago, bytes, grouped, percent } from "../format.js";
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

/**
 * A table of a level.
 *
 * @param {{onOpen: Function, onExplain: Function, onChoose: Function, isChosen: Function}} actions each gets a node
 */
export function levelTable(level, actions) {
  const body = el("tbody");
  const more = el("button", { type: "button", onclick: () => addRows() }, "Show more");
  let shown = 0;
  const addRows = () => {
    const end = Math.min(level.outer.count, shown + pageLength);
    for (; shown < end; shown += 1) body.append(row(level, level.node(shown), actions));
    more.hidden = shown >= level.outer.count;
  };
  addRows();
  return el("div", { class: "scroller", tabIndex: 0, role: "region", "aria-label": "What is here, as a table" },
    el("table", { class: "figures" },
      el("thead", {}, el("tr", {},
        el("th", { scope: "col" }, "Choose"), el("th", { scope: "col" }, "Name"),
        el("th", { scope: "col", class: "number" }, "Bytes"),
        el("th", { scope: "col", class: "number" }, "Share"),
        el("th", { scope: "col", class: "number" }, "Items"), el("th", { scope: "col" }, "Class"),
        el("th", { scope: "col" }, "Last use"), el("th", { scope: "col" }, "State"),
        el("th", { scope: "col" }, "Why"))),
      body),
    more);
}

function row(level, node, actions) {
  const share = level.bytes > 0 ? node.bytes / level.bytes : 0;
  const isDirectory = node.kind === "directory";
  return el("tr", {},
    el("td", {}, node.isRest ? "" : el("input", {
      type: "checkbox", checked: actions.isChosen(node), "aria-label": `Choose ${node.name}`,
      onchange: () => actions.onChoose(node),
    })),
    el("th", { scope: "row" }, node.isRest ? `${grouped(node.items)} more`
      : el("button", {
        type: "button", class: "path",
        onclick: () => (isDirectory ? actions.onOpen(node) : actions.onExplain(node)),
      }, nameText(isDirectory ? `${node.name}/` : node.name, 48))),
    el("td", { class: "number" }, bytes(node.bytes)),
    el("td", { class: "number" }, percent(share)),
    el("td", { class: "number" }, grouped(node.items)),
    el("td", {}, classKey(node.class)),
    el("td", { class: "when" }, node.lastUse ? ago(new Date(node.lastUse * 1000)) : "—"),
    el("td", {}, stateWords(node.flags)),
    el("td", {}, node.isRest ? "" : el("button", {
      type: "button", class: "quiet", "aria-label": `Explain ${node.name}`,
      onclick: () => actions.onExplain(node),
    }, "Explain")));
}
