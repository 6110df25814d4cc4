// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// What a person has chosen for the trash, from anywhere in the treemap.

import { el } from "../dom.js";
import { bytes, counted } from "../format.js";

export class Basket {
  #chosen = new Map();

  constructor(onDispose, onChange) {
    this.onDispose = onDispose;
    this.onChange = onChange;
    this.sum = el("span");
    this.element = el("div", { class: "basket", role: "group", "aria-label": "Chosen for the trash", hidden: true },
      this.sum,
      el("button", {
        type: "button", onclick: () => this.onDispose([...this.#chosen.values()], () => this.clear()),
      }, "Move to trash…"),
      el("button", { type: "button", class: "quiet", onclick: () => this.clear() }, "Clear"));
  }

  get count() { return this.#chosen.size; }

  get sentence() {
    if (this.count === 0) return "Nothing is chosen.";
    let sum = 0;
    for (const node of this.#chosen.values()) sum += node.bytes;
    return `${counted(this.count, "thing")} chosen, ${bytes(sum)}`;
  }

  has(node) { return this.#chosen.has(key(node)); }

  set(node, isChosen) {
    if (isChosen) this.#chosen.set(key(node), { path: node.path, pathBytes: node.pathBytes, bytes: node.bytes });
    else this.#chosen.delete(key(node));
    this.changed();
  }

  clear() {
    this.#chosen.clear();
    this.changed();
  }

  changed() {
    this.element.hidden = this.count === 0;
    this.sum.textContent = this.sentence;
    this.onChange();
  }
}

const key = (node) => node.pathBytes ?? node.path;
