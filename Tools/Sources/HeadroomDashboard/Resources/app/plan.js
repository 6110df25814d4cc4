// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// A plan: what would go and why, what of it shall not, and the word that lets it go.

import { get, post, put, remove } from "./api.js";
import { Dialog, trouble } from "./dialog.js";
import { classKey, el, enableAgain, fill, pathButton } from "./dom.js";
import { ago, bytes, counted, grouped, visible } from "./format.js";
import { JobPanel } from "./progress.js";
import { Deselection } from "./selection.js";

const pageLength = 200;

export class PlanDialog {
  /**
   * @param {object} request as the API takes it
   * @param {{onExplain: Function, onChange: Function}} actions
   */
  constructor(request, actions) {
    this.request = request;
    this.actions = actions;
    this.sort = "order";
    this.dialog = new Dialog("Plan", () => this.closed());
    this.dialog.element.classList.add("wide");
  }

  async open() {
    this.dialog.open();
    await this.plan();
  }

  closed() {
    this.isClosed = true;
    this.job?.leave();
    // Nobody can confirm it any more.
    if (this.planned && !this.isPurging) remove(`/plans/${this.planned.id}`).catch(() => {});
    this.actions.onChange();
  }

  // MARK: - Planning

  async plan(notice) {
    this.deselection = new Deselection();
    this.planned = null;
    // What was asked of another plan is not waited for any more.
    this.isDirty = false;
    this.isUpdating = false;
    this.selectionTrouble = null;
    this.dialog.show("Plan", el("p", { class: "waiting", role: "status" }, "Looking at what can go…"));
    try {
      this.planned = await post("/plans", this.request);
    } catch (error) {
      if (this.isClosed) return;
      // What does not wait any more will not by being asked for again.
      const again = error.code === "proposal-changed" ? null
        : el("button", { type: "button", class: "primary", onclick: () => this.plan() }, "Try again");
      this.dialog.show("No plan", trouble(error), this.buttons(again));
      return;
    }
    if (this.isClosed) return void remove(`/plans/${this.planned.id}`).catch(() => {});
    this.selection = this.planned.selection;
    this.draw(notice);
  }

  /** What was shown is no longer true. */
  stale(error) {
    const lost = this.deselection.isEmpty ? ""
      : " What you had taken out is in it again: look through it once more.";
    return this.plan(el("div", { class: "notice", role: "alert" },
      el("p", {}, el("strong", {}, "The plan was out of date, and was made anew."), lost),
      el("p", { class: "faint" }, error.message)));
  }

  // MARK: - The list

  draw(notice) {
    const { planned } = this;
    if (planned.items === 0 && planned.emptyDirectories === 0) {
      this.dialog.show("Plan", [
        notice,
        el("p", {}, planned.reachesTarget
          ? "Nothing needs to go: that is reached already." : "Nothing may go."),
        this.shortfall(), this.kept(),
      ], this.buttons());
      return;
    }
    this.dialog.element.classList.add("tall");
    this.figure = el("strong", { class: "figure" });
    this.figureLine = el("p", { class: "frees", role: "status" });
    this.purgeButton = el("button", { type: "button", class: "danger", onclick: () => this.confirm() });
    this.groupParts = new Map();
    /** Of the entries that are listed, by their index. */
    this.entryParts = new Map();
    this.alsoStaying = [];
    const sort = el("select", {
      id: "plan-sort",
      onchange: () => {
        this.sort = sort.value;
        for (const parts of this.groupParts.values()) parts.reload();
      },
    }, el("option", { value: "order" }, "in the order in which it goes"),
    el("option", { value: "bytes" }, "the largest first"));
    sort.value = this.sort;
    this.dialog.show("Plan", [
      notice,
      el("div", { class: "plan-head" },
        this.figureLine,
        el("p", { class: "faint" }, `Asked for: ${planned.target}. Seen ${ago(new Date(planned.scanned))}.`)),
      this.shortfall(),
      el("div", { class: "row" }, el("label", { for: "plan-sort" }, "Items are listed"), sort),
      el("div", { class: "groups" }, this.selection.groups.map((group) => this.group(group))),
      this.kept(),
    ], this.buttons(this.purgeButton));
    this.drawSelection();
  }

  buttons(...more) {
    return [el("button", { type: "button", onclick: () => this.dialog.close() }, "Cancel"), ...more];
  }

  shortfall() {
    const { planned } = this;
    if (planned.reachesTarget) return null;
    const parts = [];
    if (planned.missingBytes > 0) parts.push(bytes(planned.missingBytes));
    if (planned.missingInodes > 0) parts.push(counted(planned.missingInodes, "inode"));
    for (const area of planned.overLimit) parts.push(`${bytes(area.excessBytes)} in ${visible(area.path)}`);
    return el("p", { class: "warning-text" },
      `Not enough${parts.length > 0 ? `: ${parts.join(", ")} short` : ""}.`);
  }

  kept() {
    const { kept } = this.planned;
    if (kept.length === 0) return null;
    return el("details", { class: "kept" },
      el("summary", {}, "What stays"),
      el("table", { class: "figures" }, el("tbody", {}, kept.map((part) => el("tr", {},
        el("td", { class: "number" }, bytes(part.bytes)),
        el("td", { class: "number" }, counted(part.items, "item")), el("td", {}, part.text))))));
  }

  group(group) {
    const check = el("input", {
      type: "checkbox", checked: true, "aria-label": `${group.title}: all`,
      onchange: () => {
        this.deselection.setGroup(group.id, check.checked);
        for (const box of rows.querySelectorAll("input")) box.checked = check.checked;
        this.update();
      },
    });
    const numbers = el("span", { class: "number" });
    const rows = el("tbody");
    const more = el("button", { type: "button", class: "quiet" }, "Show more");
    let cursor;
    let isLoaded = false;
    let isLoading = false;
    /** The row that says why nothing came. */
    let failed;
    /** Each order is a pass of its own; what comes of an earlier one is not listed. */
    let pass = 0;
    const load = async () => {
      // Not disabled, which would take the focus away.
      if (isLoading) return;
      isLoaded = true;
      isLoading = true;
      const { planned } = this;
      const ownPass = pass;
      const isOver = () => this.planned !== planned || ownPass !== pass;
      try {
        const page = await get(`/plans/${planned.id}/entries`, {
          group: group.id, sort: this.sort, limit: pageLength, cursor,
        });
        if (isOver()) return;
        failed?.remove();
        const added = page.entries.map((entry) => this.entry(group, entry));
        rows.append(...added);
        cursor = page.cursor;
        const isPressed = document.activeElement === more;
        more.hidden = cursor === undefined;
        // The button may be gone, and the focus with it.
        if (isPressed) (added[0]?.querySelector("input") ?? details.querySelector("summary")).focus();
        const left = page.total - rows.childElementCount;
        more.textContent = `Show more (${grouped(left)} left)`;
      } catch (error) {
        if (isOver()) return;
        if (error.status === 404 || error.isConflict) return void this.stale(error);
        failed?.remove();
        isLoaded = rows.childElementCount > 0;
        failed = el("tr", {}, el("td", { colSpan: 5 }, trouble(error)));
        rows.append(failed);
      } finally {
        if (!isOver()) isLoading = false;
      }
    };
    more.addEventListener("click", load);
    const details = el("details", { ontoggle: () => { if (details.open && !isLoaded) load(); } },
      el("summary", {},
        el("span", { class: "title" }, classKey(group.class, group.title)), numbers),
      el("table", { class: "figures entries" },
        el("thead", { class: "unseen" }, el("tr", {}, el("th", { scope: "col" }, "Goes"),
          el("th", { scope: "col" }, "Bytes"), el("th", { scope: "col" }, "Path"),
          el("th", { scope: "col" }, "Last use"), el("th", { scope: "col" }, "Why"))),
        rows),
      more);
    this.groupParts.set(group.id, {
      check, numbers,
      reload: () => {
        pass += 1;
        cursor = undefined;
        isLoaded = false;
        isLoading = false;
        fill(rows);
        more.hidden = false;
        if (details.open) load();
      },
    });
    return el("div", { class: "group" }, check, details);
  }

  entry(group, entry) {
    const isDirectory = entry.unit === "directory" || entry.unit === "emptyDirectory";
    const path = isDirectory ? `${entry.path}/` : entry.path;
    const check = el("input", {
      type: "checkbox", checked: this.deselection.isSelected(group.id, entry.index),
      // mutation: r38e-1
      "aria-label": `Let ${visible(path)} go`,
      onchange: () => {
        this.deselection.setEntry(group.id, entry.index, check.checked);
        this.update();
      },
    });
    const note = el("span", { class: "stays-too" });
    this.entryParts.set(entry.index, { check, note });
    if (this.alsoStaying.includes(entry.index)) showStaying({ check, note }, true);
    const along = entry.sidecars?.length > 0 ? ` with ${entry.sidecars.map(visible).join(", ")}` : "";
    return el("tr", {},
      el("td", {}, check), el("td", { class: "number" }, bytes(entry.bytes)),
      el("th", { scope: "row" }, pathButton(path, 72, () => this.actions.onExplain(entry)),
        along ? el("span", { class: "faint" }, along) : null, note),
      el("td", { class: "when" }, entry.lastUse ? ago(new Date(entry.lastUse)) : "—"),
      el("td", { class: "why faint" }, entry.reason.text));
  }

  // MARK: - Selecting

  /** Asks what the rest frees. One request at a time; the last choice wins. */
  async update() {
    this.isDirty = true;
    this.drawSelection();
    if (this.isUpdating) return;
    this.isUpdating = true;
    const { planned } = this;
    const isOver = () => this.isClosed || this.planned !== planned;
    try {
      while (this.isDirty) {
        this.isDirty = false;
        const selection = await put(`/plans/${planned.id}/selection`, this.deselection.request);
        if (isOver()) return;
        this.selection = selection;
      }
      this.selectionTrouble = null;
    } catch (error) {
      if (isOver()) return;
      if (error.status === 404 || error.isConflict) return void this.stale(error);
      // What is shown would not be what goes, whatever was chosen meanwhile.
      this.isDirty = false;
      this.selectionTrouble = error;
    }
    this.isUpdating = false;
    this.drawSelection();
  }

  drawSelection() {
    const { selection } = this;
    const isPending = Boolean(this.isDirty || this.isUpdating);
    this.figureLine.classList.toggle("pending", isPending);
    for (const group of selection.groups) {
      const parts = this.groupParts.get(group.id);
      if (!parts) continue;
      const isPart = group.selectedItems > 0 && group.selectedItems < group.items;
      if (!isPending) {
        parts.check.checked = group.selectedItems > 0;
        parts.check.indeterminate = isPart;
      }
      parts.numbers.textContent = isPart || group.selectedItems === 0
        ? `${bytes(group.selectedBytes)} of ${bytes(group.bytes)}, ${grouped(group.selectedItems)} of ${counted(group.items, "item")}`
        : `${bytes(group.bytes)}, ${counted(group.items, "item")}`;
    }
    if (!isPending) this.drawAlsoStaying(selection.alsoDeselected ?? []);
    // The whole line is said anew, but only when the figure holds.
    if (!isPending) {
      const isPressed = this.figureLine.contains(document.activeElement);
      this.figure.textContent = bytes(selection.freesBytes);
      fill(this.figureLine, "frees ", this.figure, ` in ${counted(selection.items, "item")}`,
        selection.deselectedItems > 0 ? `; ${grouped(selection.deselectedItems)} taken out` : "",
        this.selectionTrouble ? el("span", { class: "trouble" }, ` ${this.selectionTrouble.message}`,
          el("button", { type: "button", class: "quiet", onclick: () => this.update() }, "Try again")) : null);
      if (isPressed) (this.figureLine.querySelector("button") ?? this.dialog.title).focus();
    }
    this.purgeButton.textContent = `Purge ${bytes(selection.freesBytes)}…`;
    this.purgeButton.disabled = isPending || Boolean(this.selectionTrouble) || selection.items === 0;
  }

  /** Without one of its names a file frees nothing: then the others stay as well, and are not chosen. */
  drawAlsoStaying(indices) {
    for (const index of this.alsoStaying) showStaying(this.entryParts.get(index), false);
    this.alsoStaying = indices;
    for (const index of indices) showStaying(this.entryParts.get(index), true);
  }

  // MARK: - Purging

  confirm() {
    const { selection } = this;
    const classes = new Map();
    for (const group of selection.groups) {
      if (group.selectedItems > 0) classes.set(group.class, (classes.get(group.class) ?? 0) + group.selectedBytes);
    }
    const go = el("button", { type: "button", class: "danger", onclick: () => this.purge(go) },
      `Delete ${counted(selection.items, "item")}`);
    // What was opened and chosen is still there afterwards.
    const [body, footer] = [[...this.dialog.body.childNodes], [...this.dialog.footer.childNodes]];
    const back = el("button", {
      type: "button",
      onclick: () => {
        this.dialog.element.classList.add("tall");
        this.dialog.show("Plan", body, footer);
        this.purgeButton.focus();
      },
    }, "Back");
    this.dialog.element.classList.remove("tall");
    this.dialog.show(`Delete ${counted(selection.items, "item")}?`, [
      el("p", { class: "frees" }, "frees ", el("strong", { class: "figure" }, bytes(selection.freesBytes))),
      el("ul", {}, [...classes].map(([name, count]) => el("li", {}, classKey(name), ` ${bytes(count)}`))),
      el("p", {}, "Deleted is deleted: this cannot be undone. Each item is looked at once more before it goes; "
        + "what has changed or is in use stays."),
    // mutation: r38d-1 (2 lines)
    ], [back, go]);
    back.focus();
  }

  async purge(button) {
    button.disabled = true;
    this.isPurging = true;
    try {
      // mutation: r38f-1
      const { job } = await post("/purges", { plan: this.planned.id, selection: this.selection.digest });
      this.job = new JobPanel(this.dialog, this.actions);
      await this.job.run(job);
    } catch (error) {
      this.isPurging = false;
      if (this.isClosed) return;
      if (error.isConflict && error.code !== "busy") return void this.stale(error);
      this.dialog.body.append(trouble(error));
      enableAgain(button);
    }
  }
}


function showStaying(parts, isStaying) {
  if (!parts) return;
  parts.check.indeterminate = isStaying;
  parts.note.textContent = isStaying ? " stays too, with what was taken out" : "";
}
