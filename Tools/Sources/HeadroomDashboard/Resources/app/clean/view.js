// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// Cleaning by hand: what there is, section by section, what is chosen of it, and one figure, the daemon's.

import { get, post } from "../api.js";
import { trouble } from "../dialog.js";
import { el, emptyState, fill } from "../dom.js";
import { ago, bytes, counted } from "../format.js";
import { askedWords } from "../modules.js";
import { CleanDialog, linkedWords } from "./confirm.js";
import { CleanSection } from "./section.js";

const pageLength = 100;
/** How often it is asked while more is found, in milliseconds. */
const pace = 1000;

export class CleanView {
  constructor(holder, actions) {
    this.holder = holder;
    this.actions = actions;
    /** What is chosen, by its id. */
    this.chosen = new Map();
    this.isDeep = false;
    this.sections = new Map();
    /** What was cleaned, and is listed until it was looked for again. */
    this.gone = new Set();
    this.build();
  }

  build() {
    this.state = el("p", { class: "faint", role: "status" }, "Asking…");
    this.again = el("button", { type: "button", class: "quiet", onclick: () => this.lookAgain() }, "Look again");
    this.deep = el("input", {
      type: "checkbox", id: "clean-deep", value: "Deep clean", "aria-describedby": "clean-deep-help",
      onchange: () => this.setDeep(this.deep.checked),
    });
    this.trouble = el("div");
    this.list = el("div", { class: "groups" });
    this.empty = emptyState("There is nothing to clean. Caches, large files and the trash are looked for here.");
    this.empty.hidden = true;
    this.line = el("p", { class: "frees", role: "status" });
    this.detail = el("p", { class: "faint" });
    this.none = el("button", { type: "button", onclick: () => this.clear() }, "Choose nothing");
    this.button = el("button", { type: "button", class: "danger", onclick: () => this.confirm() }, "Clean…");
    this.title = el("h2", { tabIndex: -1 }, "Clean");
    fill(this.holder,
      el("div", { class: "row" }, this.title, this.state, this.again),
      el("p", { class: "deep" },
        el("label", { class: "check" }, this.deep,
          el("span", {}, el("strong", {}, "Deep clean:"), " everything that can be made again")),
        el("span", { class: "faint", id: "clean-deep-help" },
          " Last resort goes too, and modules are asked. Your own files and the trash go only if you choose them below.")),
      this.trouble, this.empty, this.list,
      el("div", { class: "clean-bar", role: "group", "aria-label": "What is chosen" },
        el("div", {}, this.line, this.detail), this.none, this.button));
    this.draw();
  }

  // MARK: - Looking

  open() {
    this.isOpen = true;
    this.load();
  }

  leave() {
    this.isOpen = false;
    clearTimeout(this.timer);
  }

  async load() {
    clearTimeout(this.timer);
    if (this.isLoading) return;
    this.isLoading = true;
    let asksAgain = false;
    try {
      const answer = await get("/cleanables", { limit: pageLength });
      fill(this.trouble);
      this.show(answer);
      asksAgain = answer.state === "searching";
    } catch (error) {
      asksAgain = error.isGone;
      if (!error.isGone && !error.needsToken) this.fail(error, () => this.load());
    }
    this.isLoading = false;
    if (this.isOpen && asksAgain) this.timer = setTimeout(() => this.load(), pace);
  }

  async lookAgain() {
    this.again.disabled = true;
    try {
      await post("/cleanables");
      await this.load();
    } catch (error) {
      this.again.disabled = false;
      this.fail(error, () => this.lookAgain());
    }
  }

  fail(error, again) {
    fill(this.trouble, trouble(error), el("button", { type: "button", onclick: again }, "Try again"));
    this.say("");
  }

  /** Said only when it is something else. */
  say(text) {
    if (this.state.textContent !== text) this.state.textContent = text;
  }

  show(answer) {
    const isSearching = answer.state === "searching";
    this.again.disabled = isSearching;
    this.say(isSearching ? "Looking for what can be cleaned…"
      : answer.state === "stopped" ? "Looking was stopped: this is what was found by then."
        : answer.seen ? `Seen ${ago(new Date(answer.seen))}.` : "");
    if (!isSearching) this.gone.clear();
    const largest = Math.max(...answer.sections.map((section) => section.bytes), 0);
    for (const section of answer.sections) {
      section.items = section.items.filter((item) => !this.gone.has(item.id));
      if (!this.sections.has(section.id)) {
        const part = new CleanSection(this, section);
        this.sections.set(section.id, part);
        this.list.append(part.element);
      }
      this.sections.get(section.id).update(section, largest);
    }
    this.empty.hidden = isSearching || answer.sections.some((section) => section.count > 0);
  }

  // MARK: - Choosing

  /** Deep clean has it, whatever is chosen. */
  isFixed(item) { return this.isDeep && item.selectable && (item.action === "purge" || item.action === "module"); }

  isChosen(item) { return this.isFixed(item) || this.chosen.has(item.id); }

  choose(items, isChosen) {
    this.note = null;
    for (const item of items) {
      if (!item.selectable || this.isFixed(item)) continue;
      if (isChosen) this.chosen.set(item.id, item);
      else this.chosen.delete(item.id);
    }
    this.update();
  }

  /** What is not listed any more, or cannot be chosen any more, is not chosen. */
  keep(section, rows) {
    let hasLost = false;
    for (const [id, item] of this.chosen) {
      if (item.section === section && !rows.get(id)?.item.selectable) hasLost = this.chosen.delete(id) || hasLost;
    }
    if (!hasLost) return;
    this.note = "Some of what you had chosen is not listed any more, or has nothing left to clean.";
    this.update();
  }

  setDeep(isDeep) {
    this.isDeep = isDeep;
    for (const [id, item] of this.chosen) if (this.isFixed(item)) this.chosen.delete(id);
    this.update();
  }

  clear() {
    this.chosen.clear();
    this.isDeep = false;
    this.deep.checked = false;
    this.note = null;
    this.update();
  }

  get isNothing() { return this.chosen.size === 0 && !this.isDeep; }

  get request() { return { items: [...this.chosen.keys()], deep: this.isDeep }; }

  /** Asks what it frees. One request at a time; the last choice wins. */
  async update() {
    this.isDirty = true;
    for (const section of this.sections.values()) section.drawChecks();
    this.draw();
    if (this.isUpdating) return;
    this.isUpdating = true;
    try {
      while (this.isDirty) {
        this.isDirty = false;
        this.failure = null;
        this.preview = this.isNothing ? null
          // mutation: r31e-1
          : await post("/cleanables/preview", { ...this.request, keep: false });
      }
    } catch (error) {
      this.isDirty = false;
      // What is shown would not be what goes.
      this.preview = null;
      this.failure = error;
      // mutation: r31e-5
      if (error.status === 404) this.lose();
    } finally {
      this.isUpdating = false;
    }
    this.draw();
  }

  /** Guessing what was meant of a list that has changed could delete something else. */
  lose() {
    this.failure = null;
    this.chosen.clear();
    this.note = "What you had chosen is not all there any more. Choose again.";
    for (const section of this.sections.values()) section.drawChecks();
    this.load();
  }

  draw() {
    const isPending = Boolean(this.isDirty || this.isUpdating);
    const { preview } = this;
    this.line.classList.toggle("pending", isPending);
    this.none.disabled = this.isNothing;
    this.button.disabled = isPending || !preview || preview.purgedItems + preview.disposedItems + preview.modules.length === 0;
    // The whole line is said anew, but only when the figure holds.
    if (isPending) return;
    const isPressed = this.line.contains(document.activeElement);
    if (this.failure) {
      fill(this.line, el("span", { class: "trouble" }, `${this.failure.message} `),
        el("button", { type: "button", class: "quiet", onclick: () => this.update() }, "Try again"));
    } else if (preview) {
      fill(this.line, "frees ", el("strong", { class: "figure" }, bytes(preview.freesBytes)), " now, ",
        el("strong", {}, bytes(preview.freesWhenEmptiedBytes)), " when the trash is emptied", askedWords(preview));
    } else fill(this.line, this.note ?? "Choose what is to go.");
    if (isPressed) (this.line.querySelector("button") ?? this.title).focus();
    fill(this.detail, preview && this.note ? `${this.note} ` : "", preview ? detailWords(preview) : "");
  }

  // MARK: - Cleaning

  confirm() {
    const ids = new Set(this.chosen.keys());
    new CleanDialog(this.request, this.actions, () => {
      for (const id of ids) this.gone.add(id);
      this.clear();
    }).open();
  }
}

function detailWords(preview) {
  const parts = [];
  if (preview.purgedItems > 0) parts.push(`${counted(preview.purgedItems, "item")} deleted`);
  if (preview.disposedItems > 0) parts.push(`${counted(preview.disposedItems, "file")} moved to the trash`);
  if (preview.modules.length > 0) parts.push(`${counted(preview.modules.length, "module")} asked to clean`);
  const refused = preview.refused.length + (preview.unlisted ?? 0);
  if (refused > 0) parts.push(`${counted(refused, "thing")} cannot be moved there`);
  const text = parts.length > 0 ? `${parts.join(", ")}.` : "Nothing of this can go.";
  return preview.linkedElsewhere > 0 ? `${text} ${linkedWords(preview.linkedElsewhere)}` : text;
}
