// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// What was chosen is shown once more, confirmed, and cleaned: first what goes for good, then what is moved to
// the trash, and at last modules are asked.

import { get, post, remove } from "../api.js";
import { Dialog, trouble } from "../dialog.js";
import { andMore, el, enableAgain, nameText } from "../dom.js";
import { bytes, counted } from "../format.js";
import { askedTable, askedWords, moduleResults, moduleWords, troubledModules } from "../modules.js";
import { JobPanel } from "../progress.js";
import { receiptHeadline, receiptView } from "../receipt.js";

/** One of several jobs, whose results are shown together. */
class Step extends JobPanel {
  /** Whoever stops one wants none of those that come after it, even if it was just over. */
  async cancel() {
    this.actions.onStop();
    await super.cancel();
  }

  build(job) {
    super.build(job);
    if (!this.actions.hasMore) return;
    this.dialog.body.append(el("p", { class: "faint" },
      "What comes after it is begun by this page: keep it open. This window may be closed."));
  }

  async finished(job) { this.ended = job; }
}

export class CleanDialog {
  /**
   * @param {object} request what is chosen, as the API takes it
   * @param {object} actions `onOutcome` is told what came of it if nobody has the window open any more
   * @param {() => void} onBegun something of it may be gone from now on
   */
  constructor(request, actions, onBegun) {
    this.request = request;
    this.actions = actions;
    this.onBegun = onBegun;
    /** The kinds of the jobs that were begun. */
    this.begun = [];
    this.dialog = new Dialog("Clean", () => this.closed());
  }

  async open() {
    this.dialog.open();
    await this.look();
  }

  /** What was confirmed goes on, to its last step. */
  closed() {
    this.isClosed = true;
    this.forget();
    this.actions.onChange();
  }

  /** Nobody can confirm it any more. */
  forget() {
    if (this.shown?.plan && !this.isConfirmed) remove(`/plans/${encodeURIComponent(this.shown.plan.id)}`).catch(() => {});
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
      shown.disposal ? el("p", {}, `${counted(shown.disposedItems, "file")} of yours `,
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
        andMore(shown.unlisted ?? 0)],
    // mutation: r31e-3 (2 lines)
    ], [cancel, clean]);
    cancel.focus();
  }

  // MARK: - Cleaning

  async clean(button) {
    button.disabled = true;
    const { shown } = this;
    this.isConfirmed = true;
    const confirm = (kind, { id }) => post(`/${kind}/${encodeURIComponent(id)}/confirm`);
    const steps = [
      shown.plan && (() => post("/purges", { plan: shown.plan.id, selection: shown.plan.selection })),
      shown.disposal && (() => confirm("disposals", shown.disposal)),
      shown.moduleRun && (() => confirm("module-runs", shown.moduleRun)),
    ].filter(Boolean);
    const ended = [];
    let failure;
    try {
      for (const [index, begin] of steps.entries()) {
        // mutation: r31e-4
        if (this.isStopped || ended.some((job) => job?.state !== "done")) break;
        ended.push(await this.run(begin(), index + 1 < steps.length));
      }
    } catch (error) {
      if (this.begun.length === 0 && !this.isClosed) {
        this.isConfirmed = false;
        // What was shown has changed meanwhile.
        if (error.isConflict && error.code !== "busy") return void this.look(trouble(error));
        this.dialog.body.append(trouble(error));
        enableAgain(button);
        return;
      }
      failure = error;
    }
    await this.result(ended, failure, shown);
  }

  /**
   * @param {boolean} hasMore whether another step comes after it
   * @returns the job as it ended; undefined if nobody knows
   */
  async run(beginning, hasMore) {
    const { job } = await beginning;
    this.begun.push(job.kind);
    if (this.begun.length === 1) this.onBegun();
    this.step = new Step(this.dialog, {
      ...this.actions, hasMore, onChange: () => this.actions.onStatus(), onStop: () => { this.isStopped = true; },
    });
    await this.step.run(job);
    return this.step.ended;
  }

  async result(jobs, failure, shown) {
    const ended = jobs.filter(Boolean);
    const isLost = ended.length < jobs.length;
    const parts = [];
    // What is said in the page if nobody has the window open.
    const words = [];
    const tell = (error) => {
      parts.push(trouble(error));
      words.push(error.message);
    };
    for (const job of ended) {
      if (job.error) tell(job.error);
      if (job.modules) {
        parts.push(moduleResults(job));
        words.push(moduleWords(job));
      }
      if (!job.receipt) continue;
      try {
        const receipt = await get(`/receipts/${encodeURIComponent(job.receipt)}`);
        parts.push(receiptView(receipt, this.actions));
        words.push(receiptHeadline(receipt));
      } catch (error) {
        tell(error);
      }
    }
    if (failure) tell(failure);
    if (isLost) {
      parts.push(el("p", {}, lost));
      words.push(lost);
    }
    const left = leftWords(shown, this.begun, failure || isLost ? "Nothing more was begun" : "It was stopped");
    if (left) {
      parts.push(el("p", { class: "warning-text" }, left));
      words.push(left);
    }
    const title = isLost ? "Lost sight of it" : titleOf(ended, failure, left);
    if (!this.isClosed) {
      this.dialog.show(title, parts, [this.doneButton(this.dialog)]);
      this.dialog.title.focus();
      return;
    }
    this.actions.onChange();
    this.actions.onOutcome(`${title}. ${words.join(" ")}`, () => {
      const dialog = new Dialog(title, () => this.actions.onChange()).open();
      dialog.show(title, parts, [this.doneButton(dialog)]);
    });
  }

  doneButton(dialog) {
    return el("button", { type: "button", class: "primary", onclick: () => dialog.close() }, "Done");
  }
}

const lost = "The daemon was started anew, it seems. What was done is under Activity.";

function titleOf(ended, failure, left) {
  if (failure || left || ended.some((job) => job.state !== "done")) return "Stopped";
  const troubled = ended.reduce((sum, job) => sum + troubledModules(job), 0);
  // mutation: r31e-6
  if (troubled === 0) return "Cleaned";
  const failed = `${counted(troubled, "module")} failed`;
  const [first] = ended;
  const isNothing = ended.length === 1 && first.progress.bytes === 0 && troubled === first.progress.totalItems;
  return isNothing ? `Nothing was cleaned: ${failed}` : `Cleaned, but ${failed}`;
}

/** What the button does. */
function cleanWords(shown) {
  const parts = [];
  if (shown.plan || (!shown.disposal && !shown.moduleRun)) parts.push(`delete ${counted(shown.purgedItems, "item")}`);
  if (shown.disposal) parts.push(`move ${counted(shown.disposedItems, "file")} to the trash`);
  if (shown.moduleRun) parts.push(`ask ${counted(shown.modules.length, "module")} to clean`);
  const text = parts.join(", ");
  return text[0].toUpperCase() + text.slice(1);
}

/** What was not begun, since what came before it did not end well; null: all was. */
function leftWords(shown, begun, why) {
  const left = [
    shown.plan && !begun.includes("purge") ? "nothing was deleted" : null,
    shown.disposal && !begun.includes("disposal") ? "your files were left where they are" : null,
    shown.moduleRun && !begun.includes("modules") ? "no module was asked" : null,
  ].filter(Boolean);
  return left.length > 0 ? `${why}: ${left.join(", and ")}.` : null;
}

/** Why some of what goes frees nothing. */
export function linkedWords(count) {
  return count === 1 ? "1 of these frees nothing: its file has another name, which stays."
    : `${counted(count, "name")} of these free nothing: their files have other names, which stay.`;
}
