// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// What was chosen is shown once more, confirmed, and cleaned: first what goes for good, then what is moved to
// the trash, and at last modules are asked.

import { get, post, remove } from "../api.js";
import { Dialog, trouble } from "../dialog.js";
import { el, nameText } from "../dom.js";
import { bytes, counted } from "../format.js";
import { askedTable, askedWords, moduleResults } from "../modules.js";
import { JobPanel } from "../progress.js";
import { receiptView } from "../receipt.js";

/** One of several jobs, whose results are shown together. */
class Step extends JobPanel {
  /** Whoever stops one wants none of those that come after it, even if it was just over. */
  async cancel() {
    this.actions.onStop();
    await super.cancel();
  }

  async finished(job) { this.ended = job; }
}

export class CleanDialog {
  /**
   * @param {object} request what is chosen, as the API takes it
   * @param {() => void} onBegun something of it may be gone from now on
   */
  constructor(request, actions, onBegun) {
    this.request = request;
    this.actions = actions;
    this.onBegun = onBegun;
    this.dialog = new Dialog("Clean", () => this.closed());
  }

  async open() {
    this.dialog.open();
    await this.look();
  }

  closed() {
    this.isClosed = true;
    this.step?.leave();
    this.forget();
    this.actions.onChange();
  }

  /** Nobody can confirm it any more. */
  forget() {
    if (this.shown?.plan && !this.hasBegun) remove(`/plans/${encodeURIComponent(this.shown.plan.id)}`).catch(() => {});
    this.shown = null;
  }

  get cancelButton() {
    return el("button", { type: "button", onclick: () => this.dialog.close() }, "Cancel");
  }

  /** @param {Node} notice what is to be said above */
  async look(notice) {
    this.dialog.show("Clean", el("p", { class: "waiting", role: "status" }, "Looking at what that would free…"),
      [this.cancelButton]);
    try {
      const shown = await post("/cleanables/preview", this.request);
      this.shown = shown;
      if (this.isClosed) return void this.forget();
      this.draw(notice);
    } catch (error) {
      if (this.isClosed) return;
      this.dialog.show("Clean", trouble(error), [this.cancelButton]);
    }
  }

  draw(notice) {
    const { shown } = this;
    const cancel = this.cancelButton;
    const clean = el("button", { type: "button", class: "danger", onclick: () => this.clean(clean) }, cleanWords(shown));
    clean.disabled = !shown.plan && !shown.disposal && !shown.moduleRun;
    this.dialog.show(clean.disabled ? "Nothing of this can be cleaned" : `${cleanWords(shown)}?`, [
      notice,
      el("p", { class: "frees" }, "frees ", el("strong", { class: "figure" }, bytes(shown.freesBytes)), " now",
        shown.disposedItems > 0 ? `, ${bytes(shown.freesWhenEmptiedBytes)} when the trash is emptied` : "",
        askedWords(shown)),
      shown.plan ? el("p", {}, `${counted(shown.purgedItems, "item")} `, shown.purgedItems === 1 ? "is" : "are",
        " deleted. Deleted is deleted: this cannot be undone. Each is looked at once more before it goes; what has "
        + "changed or is in use stays.") : null,
      shown.disposal ? el("p", {}, `${counted(shown.disposedItems, "item")} of yours `,
        shown.disposedItems === 1 ? "is" : "are", " moved to the trash, and can be brought back until it is emptied.") : null,
      shown.linkedElsewhere > 0 ? el("p", { class: "faint" }, linkedWords(shown.linkedElsewhere)) : null,
      shown.moduleRun ? [
        el("p", {}, `${counted(shown.modules.length, "module")} `, shown.modules.length === 1 ? "is" : "are",
          " asked to clean, of what is a last resort too, and for no more than is shown. That is by ",
          shown.modules.length === 1 ? "its" : "their", " own measure: the volume may gain less. This cannot be undone."),
        askedTable(shown)] : null,
      shown.refused.length === 0 ? null : [
        el("h3", {}, "Not possible"),
        el("table", { class: "figures" }, el("tbody", {}, shown.refused.map((refused) => el("tr", {},
          el("td", {}, nameText(refused.path, 60)), el("td", { class: "faint" }, refused.reason.text))))),
        shown.unlisted > 0 ? el("p", { class: "faint" }, `${counted(shown.unlisted, "more", "more")}.`) : null],
    ], [cancel, clean]);
    cancel.focus();
  }

  // MARK: - Cleaning

  async clean(button) {
    button.disabled = true;
    const { shown } = this;
    const ended = [];
    let failure;
    try {
      if (shown.plan) {
        ended.push(await this.run(post("/purges", { plan: shown.plan.id, selection: shown.plan.selection })));
      }
      for (const [kind, confirmed] of [["disposals", shown.disposal], ["module-runs", shown.moduleRun]]) {
        if (confirmed && !this.isStopped && ended.every((job) => job?.state === "done")) {
          ended.push(await this.run(post(`/${kind}/${encodeURIComponent(confirmed.id)}/confirm`)));
        }
      }
    } catch (error) {
      if (this.isClosed) return;
      if (!this.hasBegun) {
        // What was shown has changed meanwhile.
        if (error.isConflict && error.code !== "busy") return void this.look(trouble(error));
        this.dialog.body.append(trouble(error));
        button.disabled = false;
        return;
      }
      failure = error;
    }
    // Somebody has closed the window, or it says that the daemon was started anew.
    if (this.isClosed || ended.includes(undefined)) return;
    await this.result(ended, failure, shown);
  }

  /** @returns the job as it ended; undefined if nobody knows */
  async run(begun) {
    const { job } = await begun;
    if (!this.hasBegun) {
      this.hasBegun = true;
      this.onBegun();
    }
    this.step = new Step(this.dialog, {
      ...this.actions, onChange: () => this.actions.onStatus(), onStop: () => { this.isStopped = true; },
    });
    await this.step.run(job);
    return this.step.ended;
  }

  async result(ended, failure, shown) {
    const parts = [];
    for (const job of ended) {
      if (job.error) parts.push(trouble(job.error));
      if (job.modules) parts.push(moduleResults(job));
      if (!job.receipt) continue;
      try {
        parts.push(receiptView(await get(`/receipts/${encodeURIComponent(job.receipt)}`), this.actions));
      } catch (error) {
        parts.push(trouble(error));
      }
    }
    const left = leftWords(shown, ended.map(({ kind }) => kind));
    if (failure) parts.push(trouble(failure));
    else parts.push(left);
    if (this.isClosed) return;
    const isWhole = !failure && !left && ended.every((job) => job.state === "done");
    this.dialog.show(isWhole ? "Cleaned" : "Stopped", parts, [
      el("button", { type: "button", class: "primary", onclick: () => this.dialog.close() }, "Done")]);
    this.dialog.title.focus();
  }
}

/** What the button does. */
function cleanWords(shown) {
  const parts = [];
  if (shown.plan || (!shown.disposal && !shown.moduleRun)) parts.push(`delete ${counted(shown.purgedItems, "item")}`);
  if (shown.disposal) parts.push(`move ${counted(shown.disposedItems, "item")} to the trash`);
  if (shown.moduleRun) parts.push(`ask ${counted(shown.modules.length, "module")} to clean`);
  const text = parts.join(", ");
  return text[0].toUpperCase() + text.slice(1);
}

/** What was not begun, since what came before was stopped. */
function leftWords(shown, begun) {
  const left = [
    shown.disposal && !begun.includes("disposal") ? "your files were left where they are" : null,
    shown.moduleRun && !begun.includes("modules") ? "no module was asked" : null,
  ].filter(Boolean);
  return left.length > 0 ? el("p", { class: "warning-text" }, `It was stopped: ${left.join(", and ")}.`) : null;
}

/** Why some of what goes frees nothing. */
export function linkedWords(count) {
  return count === 1 ? "1 of these frees nothing: its file has another name, which stays."
    : `${counted(count, "item")} of these free nothing: their files have other names, which stay.`;
}
