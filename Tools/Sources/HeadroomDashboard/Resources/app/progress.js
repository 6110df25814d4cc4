// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// Long work in a window: how far it is, the way to stop it, and what came of it.

import { get } from "./api.js";
import { Dialog, trouble } from "./dialog.js";
import { el, fill, nameText, say } from "./dom.js";
import { bytes, counted, grouped, percent } from "./format.js";
import { cancelJob, followJob } from "./jobs.js";
import { moduleResults, troubledModules } from "./modules.js";
import { receiptView } from "./receipt.js";

/** Who listens hears of progress so often, in milliseconds. */
const spokenEvery = 5000;

const doing = {
  purge: "Purging", disposal: "Moving to the trash", scan: "Scanning",
  audit: "Looking at what is backed up", survey: "Looking for what can be cleaned",
  modules: "Letting modules clean",
};
const did = {
  purge: "Purged", disposal: "Moved to the trash", scan: "Scanned", audit: "Audited", survey: "Looked",
  modules: "Cleaned by modules",
};

/** The share that is done, between 0 and 1; null where nobody knows. */
export function shareDone({ progress }) {
  if (progress.totalBytes > 0) return Math.min(1, progress.bytes / progress.totalBytes);
  if (progress.totalItems > 0) return Math.min(1, (progress.items + progress.skipped) / progress.totalItems);
  return null;
}

/** `Purging 34 %` */
export function jobLabel(job) {
  const share = shareDone(job);
  return `${doing[job.kind] ?? job.title}${share === null ? "…" : ` ${percent(share)}`}`;
}

export class JobPanel {
  /** @param {{onChange: Function, onExplain: Function, onAudit?: Function}} actions */
  constructor(dialog, actions) {
    this.dialog = dialog;
    this.actions = actions;
    this.controller = new AbortController();
    this.spokenAt = -Infinity;
  }

  /** Shows a job in a window of its own. */
  static open(job, actions) {
    const panel = new JobPanel(new Dialog(job.title, () => {
      panel.leave();
      actions.onChange();
    }), actions);
    panel.dialog.open();
    panel.run(job);
    return panel;
  }

  /** The work goes on; nobody looks any more. */
  leave() { this.controller.abort(); }

  async run(job) {
    this.build(job);
    try {
      const ended = await followJob(job, (latest) => this.show(latest), {
        signal: this.controller.signal, onTrouble: (error) => this.showTrouble(error),
      });
      await this.finished(ended);
    } catch (error) {
      if (this.controller.signal.aborted) return;
      this.dialog.show("Lost sight of it", [
        trouble(error),
        el("p", {}, "The daemon was started anew, it seems. What was done is under Activity."),
      ], this.closing());
    }
    this.actions.onChange();
  }

  build(job) {
    this.bar = el("progress", { max: 1, "aria-label": job.title });
    this.bar.removeAttribute("value");
    this.words = el("p", { class: "progress-words" });
    this.place = el("p", { class: "faint place" });
    this.spoken = el("p", { class: "unseen", role: "status" });
    this.note = el("div");
    this.cancelButton = el("button", { type: "button", onclick: () => this.cancel() }, "Stop");
    this.dialog.show(doing[job.kind] ?? job.title, [this.bar, this.words, this.place, this.note, this.spoken], [
      this.cancelButton,
      el("button", { type: "button", class: "quiet", onclick: () => this.dialog.close() }, "Close, let it go on"),
    ]);
    this.cancelButton.focus();
  }

  show(job) {
    this.job = job;
    const { progress } = job;
    const share = shareDone(job);
    if (share !== null) this.bar.value = share;
    const parts = [];
    if (progress.totalBytes > 0) parts.push(`${bytes(progress.bytes)} of ${bytes(progress.totalBytes)}`);
    else if (progress.bytes > 0) parts.push(bytes(progress.bytes));
    const what = job.kind === "modules" ? "module" : "item";
    parts.push(progress.totalItems > 0
      ? `${grouped(progress.items)} of ${counted(progress.totalItems, what)}` : counted(progress.items, what));
    if (progress.skipped > 0) parts.push(`${grouped(progress.skipped)} stay`);
    if (progress.gainedBytes !== undefined) parts.push(`the volume gained ${bytes(progress.gainedBytes)}`);
    this.words.textContent = parts.join(", ");
    fill(this.place, progress.currentPath ? nameText(progress.currentPath, 80) : progress.phase ?? "");
    fill(this.note);
    const now = performance.now();
    if (now - this.spokenAt < spokenEvery) return;
    this.spokenAt = now;
    say(this.spoken, `${jobLabel(job)}: ${this.words.textContent}`);
  }

  showTrouble(error) {
    // It is the same at each try.
    const shown = trouble(error);
    if (this.note.textContent !== shown.textContent) fill(this.note, shown);
  }

  async cancel() {
    this.cancelButton.disabled = true;
    this.cancelButton.textContent = "Stopping…";
    try {
      await cancelJob(this.job);
    } catch (error) {
      // That it ended meanwhile is said by the stream.
      if (error.status !== 404 && !error.isConflict) this.showTrouble(error);
      this.cancelButton.disabled = false;
    }
  }

  // MARK: - What came of it

  async finished(job) {
    const troubled = troubledModules(job);
    const title = { cancelled: "Stopped", failed: "That failed" }[job.state]
      ?? (did[job.kind] ?? job.title) + (troubled > 0 ? `, but ${troubled} failed` : "");
    const parts = [];
    if (job.error) parts.push(trouble(job.error));
    const ids = job.receipts ?? (job.receipt ? [job.receipt] : []);
    for (const id of ids) {
      try {
        const receipt = await get(`/receipts/${encodeURIComponent(id)}`);
        parts.push(receiptView(receipt, this.actions));
      } catch (error) {
        parts.push(trouble(error));
      }
    }
    if (job.modules) parts.push(moduleResults(job));
    else if (job.text && ids.length === 0) parts.push(el("p", {}, job.text));
    if (parts.length === 0) parts.push(el("p", {}, "Done."));
    this.dialog.show(title, parts, this.closing(job));
    this.dialog.title.focus();
  }

  closing(job) {
    const audit = job?.audit && this.actions.onAudit
      ? el("button", { type: "button", class: "primary", onclick: () => { this.dialog.close(); this.actions.onAudit(job.audit); } }, "Show it") : null;
    return [el("button", { type: "button", class: audit ? "" : "primary", onclick: () => this.dialog.close() }, "Done"), audit];
  }
}
