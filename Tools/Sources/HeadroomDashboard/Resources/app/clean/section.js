// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// One section of what can be cleaned: its bar, its items with check boxes, and the way to more of them.

import { get } from "../api.js";
import { trouble } from "../dialog.js";
import { el, fill, nameText, pathButton } from "../dom.js";
import { ago, bytes, counted, grouped, visible } from "../format.js";

const pageLength = 200;

const becomes = {
  purge: "deleted", dispose: "to the trash", empty: "emptied for good", module: "asked to clean",
  command: "by its own tool alone",
};

/** What is listed in a section; in the others files and directories stand side by side. */
const listed = {
  modules: ["module"], directories: ["directory", "directories"], video: ["file"], image: ["file"], audio: ["file"],
  pdf: ["file"], document: ["file"], archive: ["file"], other: ["file"],
};

export class CleanSection {
  /** @param {object} view which knows what is chosen */
  constructor(view, section) {
    this.view = view;
    this.id = section.id;
    this.title = section.title;
    /** Of what is listed, by its id. */
    this.rows = new Map();
    this.check = el("input", {
      type: "checkbox", "aria-label": `${section.title}: all that is listed`,
      onchange: () => this.view.choose([...this.rows.values()].map(({ item }) => item), this.check.checked),
    });
    this.numbers = el("span", { class: "number" });
    this.bar = el("span", { class: `filled ${classOf(section)}` });
    this.body = el("tbody");
    this.more = el("button", { type: "button", class: "quiet", onclick: () => this.loadMore() }, "Show more");
    this.note = el("p", { class: "faint" });
    this.details = el("details", {},
      el("summary", {}, el("span", { class: "title" }, section.title), this.numbers,
        el("span", { class: "share", "aria-hidden": "true" }, this.bar)),
      el("table", { class: "figures entries" },
        el("thead", { class: "unseen" }, el("tr", {}, el("th", { scope: "col" }, "Choose"),
          el("th", { scope: "col" }, "Bytes"), el("th", { scope: "col" }, "Name"),
          el("th", { scope: "col" }, "Last use"), el("th", { scope: "col" }, "What becomes of it"))),
        this.body),
      this.more, this.note);
    this.element = el("div", {
      class: "group clean-section", "data-section": section.id,
      // What could not be drawn anew under the focus.
      onfocusout: () => queueMicrotask(() => this.drawRows()),
    }, this.check, this.details);
  }

  /**
   * Takes what is known of it now.
   *
   * @param {number} largest of all sections, whose bar is whole
   */
  update(section, largest) {
    this.section = section;
    this.element.hidden = section.count === 0 && section.complete;
    this.numbers.textContent = `${bytes(section.bytes)}, ${this.counted(section.count)}${section.complete ? "" : "…"}`;
    this.bar.style.width = `${largest > 0 ? Math.max(section.bytes > 0 ? 1 : 0, (section.bytes / largest) * 100) : 0}%`;
    const state = JSON.stringify([section.items, section.rest]);
    if (state !== this.state) {
      this.state = state;
      this.isOld = true;
      this.extra = [];
    }
    this.drawRows();
    // What was drawn while more was looked for may be all there is.
    if (section.complete && !this.isOld) this.view.keep(this.id, this.rows);
    this.drawChecks();
  }

  drawRows() {
    if (!this.isOld || this.body.contains(document.activeElement)) return;
    this.isOld = false;
    this.rows.clear();
    fill(this.body, [...this.section.items, ...this.extra].map((item) => this.row(item)));
    this.drawRest(this.section.rest);
    if (this.section.complete) this.view.keep(this.id, this.rows);
    this.drawChecks();
  }

  counted(count) { return counted(count, ...(listed[this.id] ?? ["item"])); }

  drawRest(rest) {
    this.rest = rest;
    this.more.hidden = rest?.cursor === undefined;
    this.more.textContent = rest ? `Show more of ${this.title} (${grouped(rest.count)} left)` : "Show more";
    fill(this.note, rest && rest.cursor === undefined
      ? `${this.counted(rest.count)} more, ${bytes(rest.bytes)}: they are listed when all is found.` : "");
  }

  async loadMore() {
    // Not disabled, which would take the focus away.
    if (this.isLoading) return;
    this.isLoading = true;
    try {
      const answer = await get("/cleanables", { section: this.id, limit: pageLength, cursor: this.rest.cursor });
      const [section] = answer.sections;
      this.extra.push(...section.items);
      const added = section.items.map((item) => this.row(item));
      this.body.append(...added);
      this.drawRest(section.rest);
      this.drawChecks();
      // The button may be gone, and the focus with it.
      added[0]?.querySelector("input, button")?.focus();
    } catch (error) {
      if (error.isConflict) return void this.view.load();
      fill(this.note, trouble(error));
    } finally {
      this.isLoading = false;
    }
  }

  row(item) {
    const check = item.selectable ? el("input", {
      type: "checkbox", "aria-label": `Choose ${visible(item.name)}${item.note ? `, ${visible(item.note)}` : ""}`,
      onchange: () => this.view.choose([item], check.checked),
    }) : null;
    item.section = this.id;
    this.rows.set(item.id, { check, item });
    return el("tr", {},
      el("td", {}, check), el("td", { class: "number" }, bytes(item.bytes)),
      el("th", { scope: "row" }, item.path === undefined ? nameText(item.name, 60)
        : pathButton(item.name, 60, () => this.view.actions.onExplain(item)),
      item.note ? el("span", { class: "faint note" }, " ", nameText(item.note, 60)) : null),
      el("td", { class: "when" }, item.lastUse ? ago(new Date(item.lastUse)) : "—"),
      el("td", { class: "why faint" }, becomesOf(item)));
  }

  /** As the view knows what is chosen. */
  drawChecks() {
    let open = 0;
    let chosen = 0;
    let fixed = 0;
    for (const { check, item } of this.rows.values()) {
      if (!check) continue;
      open += 1;
      check.checked = this.view.isChosen(item);
      check.disabled = this.view.isFixed(item);
      if (check.checked) chosen += 1;
      if (check.disabled) fixed += 1;
    }
    this.check.disabled = open === fixed;
    this.check.checked = open > 0 && chosen === open;
    this.check.indeterminate = chosen > 0 && chosen < open;
  }
}

function becomesOf(item) {
  if (item.action === "module" && !item.selectable) return "not to be asked now";
  return becomes[item.action] ?? item.action;
}

/** What the bar looks like. */
function classOf(section) {
  if (section.id === "trash") return "trash";
  return section.recreatable ? "cache" : "essential";
}
