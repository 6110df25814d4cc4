// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// One receipt: what went, what stayed and why, and the way back where there is one.

import { get, post } from "./api.js";
import { Dialog, trouble } from "./dialog.js";
import { andMore, classKey, el, enableAgain, fill, nameText, pathButton } from "./dom.js";
import { bytes, counted, grouped, moment } from "./format.js";

const outcomes = {
  completed: "", started: "It is under way.", interrupted: "It was stopped: the rest stays.",
  broken: "It stopped itself, since too much went wrong.",
  crashed: "It was cut off: the process died. What it had begun is finished or restored by the next purge.",
};

/** `Freed 4.93 GB in 71,402 items (the volume gained 4.91 GB).` */
export function receiptHeadline(receipt) {
  const { kind, removedCount, expectedBytes } = receipt;
  const items = counted(removedCount, "item");
  if (kind === "disposal") {
    if (removedCount === 0) return "Moved nothing to the trash.";
    const whenEmptied = receipt.perClass
      ? `, ${bytes(receipt.perClass.reduce((sum, total) => sum + total.bytes, 0))} when emptied` : "";
    return `Moved ${items} to the trash: frees 0 now${whenEmptied}.`;
  }
  if (kind === "restoration") return removedCount > 0 ? `Brought back ${items}.` : "Brought back nothing.";
  if (removedCount === 0 && !(receipt.emptiedDirectories > 0)) return "Freed nothing.";
  const gained = receipt.volumeGainedBytes;
  const account = gained === undefined ? ""
    : gained === expectedBytes ? " (the volume gained just as much)" : ` (the volume gained ${bytes(gained)})`;
  const emptied = counted(receipt.emptiedDirectories ?? 0, "directory", "directories");
  const what = !(receipt.emptiedDirectories > 0) ? items
    : removedCount === 0 ? `${emptied} that were empty` : `${items} and ${emptied} left empty by that`;
  return `Freed ${bytes(expectedBytes)} in ${what}${account}.`;
}

/** A receipt with all that is in it. */
export function receiptView(receipt, actions) {
  const holder = el("div", { class: "receipt" });
  // mutation: r31e-2
  const undo = receipt.undoable ? undoButton(receipt, holder, actions) : null;
  fill(holder,
    outcomes[receipt.outcome] ? el("p", { class: "warning-text" }, outcomes[receipt.outcome]) : null,
    el("p", {}, el("strong", {}, receiptHeadline(receipt))),
    receipt.differences.map((text) => el("p", { class: "faint" }, text)),
    receipt.skippedCount > 0 ? el("p", {}, `Kept ${grouped(receipt.skippedCount)}${keptWords(receipt)}`) : null,
    receipt.notes.map((text) => el("p", { class: "faint" }, text)),
    undo,
    el("dl", { class: "facts" },
      el("dt", {}, "asked by"), el("dd", {}, receipt.requester),
      el("dt", {}, "for"), el("dd", {}, receipt.target),
      el("dt", {}, "began"), el("dd", {}, moment(new Date(receipt.started))),
      receipt.ended ? [el("dt", {}, "ended"), el("dd", {}, moment(new Date(receipt.ended)))] : null,
      el("dt", {}, "receipt"), el("dd", {}, receipt.id)),
    totals("By class", receipt.perClass, (name) => classKey(name)),
    totals("By directory", receipt.perDirectory, (name) => nameText(name, 70)),
    skippedList(receipt, actions), removedList(receipt));
  return holder;
}

function keptWords(receipt) {
  const counts = new Map();
  for (const { reason } of receipt.skipped) counts.set(reason.code, (counts.get(reason.code) ?? 0) + 1);
  const words = [...counts].sort((left, right) => right[1] - left[1])
    .map(([code, count]) => `${code.replaceAll("-", " ")} ${grouped(count)}`);
  if (words.length === 0) return ".";
  const unlisted = receipt.skippedCount - receipt.skipped.length;
  return `: ${words.join(", ")}${unlisted > 0 ? `, and ${grouped(unlisted)} more` : ""}`;
}

function totals(title, rows, name) {
  if (!rows || rows.length === 0) return null;
  return el("details", { open: rows.length < 4 }, el("summary", {}, title),
    el("table", { class: "figures" }, el("tbody", {}, rows.slice(0, 100).map((total) => el("tr", {},
      el("td", { class: "number" }, bytes(total.bytes)),
      el("td", { class: "number" }, counted(total.count, "item")), el("td", {}, name(total.name)))))),
    andMore(rows.length - 100));
}

function skippedList(receipt, actions) {
  if (receipt.skippedCount === 0) return null;
  return el("details", {}, el("summary", {}, `What stayed (${grouped(receipt.skippedCount)})`),
    el("table", { class: "figures" }, el("tbody", {}, receipt.skipped.map((skipped) => el("tr", {},
      el("th", { scope: "row" }, pathButton(skipped.path, 60, () => actions.onExplain(skipped))),
      el("td", { class: "faint" }, skipped.reason.text))))),
    // An answer has the first paths, and of those what went comes first.
    andMore(receipt.skippedCount - receipt.skipped.length, `: headroom log --receipt ${receipt.id}`));
}

/** The first paths; the others in pages. */
function removedList(receipt) {
  if (receipt.removed.length === 0) return null;
  const row = (removed) => el("tr", {},
    el("td", { class: "number" }, bytes(removed.bytes)), el("td", {}, nameText(removed.path, 80)));
  const rows = el("tbody", {}, receipt.removed.map(row));
  let cursor;
  let isFirst = true;
  let isLoading = false;
  const more = el("button", {
    type: "button", class: "quiet",
    onclick: async () => {
      // Not disabled, which would take the focus away.
      if (isLoading) return;
      isLoading = true;
      try {
        const page = await get(`/receipts/${encodeURIComponent(receipt.id)}/paths`, { limit: 1000, cursor });
        if (isFirst) fill(rows);
        isFirst = false;
        rows.append(...page.removed.map(row));
        cursor = page.cursor;
        const isPressed = document.activeElement === more;
        more.hidden = cursor === undefined;
        if (more.hidden && isPressed) details.querySelector("summary").focus();
        // A receipt keeps the first paths alone.
        if (more.hidden) fill(end, andMore(whole - rows.childElementCount, ", which the receipt does not name"));
      } catch (error) {
        more.after(trouble(error));
      } finally {
        isLoading = false;
      }
    },
  }, "Show more");
  const end = el("div");
  // What was left empty is listed, and not counted with the rest.
  const whole = receipt.removedCount + (receipt.emptiedDirectories ?? 0);
  more.hidden = receipt.removed.length >= whole;
  const details = el("details", {},
    el("summary", {}, receipt.kind === "purge" ? "What went" : "What was moved"),
    el("table", { class: "figures" }, rows), more, end);
  return details;
}

function undoButton(receipt, holder, actions) {
  const button = el("button", {
    type: "button", class: "primary",
    onclick: async () => {
      button.disabled = true;
      try {
        const undone = await post(`/receipts/${encodeURIComponent(receipt.id)}/undo`);
        const view = receiptView(undone, actions);
        // The window is about something else now.
        const title = holder.closest("dialog")?.querySelector("header h2");
        if (title) title.textContent = "Brought back";
        holder.replaceWith(view);
        view.tabIndex = -1;
        view.focus();
        actions.onChange?.();
      } catch (error) {
        enableAgain(button);
        button.after(trouble(error));
      }
    },
  }, "Undo: bring them back");
  return el("p", {}, button);
}

/** A receipt in a window of its own. */
export async function openReceipt(id, actions) {
  const dialog = new Dialog("Receipt").open();
  dialog.element.classList.add("wide");
  const done = el("button", { type: "button", class: "primary", onclick: () => dialog.close() }, "Done");
  dialog.show("Receipt", el("p", { class: "waiting", role: "status" }, "Reading it…"), [done]);
  try {
    const receipt = await get(`/receipts/${encodeURIComponent(id)}`);
    const kind = { disposal: "Moved to the trash", restoration: "Brought back" }[receipt.kind] ?? "Purge";
    dialog.show(`${kind}, ${moment(new Date(receipt.started))}`, receiptView(receipt, actions), [done]);
  } catch (error) {
    dialog.show("Receipt", trouble(error), [done]);
  }
}
