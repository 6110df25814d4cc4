// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// What is said of a node: beside the pointer, and to who listens.

import { classKey, classLabel, el, nameText } from "../dom.js";
import { age, bytes, counted, percent, visible } from "../format.js";
import { stateWords } from "./table.js";

function facts(node, level) {
  const share = level.bytes > 0 ? percent(node.bytes / level.bytes) : "";
  const unused = node.lastUse ? `last use ${age(Date.now() / 1000 - node.lastUse)} ago` : "";
  const items = node.kind === "directory" || node.isRest ? counted(node.items, "item") : "";
  return { share, unused, items, state: stateWords(node.flags) };
}

/** For the box beside the pointer. */
export function describe(node, level) {
  const { share, unused, items, state } = facts(node, level);
  return [
    el("div", { class: "title" }, node.isRest
      ? `${counted(node.items, "smaller one", "smaller ones")}` : nameText(node.name, 70)),
    el("div", {}, `${bytes(node.bytes)} (${share})`, items ? `, ${items}` : ""),
    el("div", {}, classKey(node.class), unused ? `, ${unused}` : ""),
    state ? el("div", {}, state) : null,
    node.isRest ? null : el("div", { class: "faint" },
      node.kind === "directory" ? "Click: go in. Right click: explain." : "Click: explain."),
  ];
}

/** The same as a sentence. */
export function sentence(node, level) {
  const { share, unused, items, state } = facts(node, level);
  const name = node.isRest ? counted(node.items, "smaller one", "smaller ones") : visible(node.name);
  const kind = node.kind === "directory" ? "directory" : node.isRest ? "" : node.kind;
  return [name, kind, `${bytes(node.bytes)}, ${share}`, node.isRest ? "" : items, classLabel(node.class),
    unused, state].filter((part) => part !== "").join(", ");
}
