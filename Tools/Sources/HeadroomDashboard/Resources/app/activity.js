// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// All receipts, and what happened.

import { get } from "./api.js";
import { el, emptyState, fill, levelBadge, nameText } from "./dom.js";
import { failure, moreButton } from "./failure.js";
import { bytes, grouped, moment } from "./format.js";

const kinds = { purge: "purge", disposal: "to the trash", restoration: "brought back" };

/** @param {() => object | undefined} status the latest, of which there may be none yet */
export async function drawActivity(holder, status, actions) {
  const rows = el("tbody");
  let cursor;
  const load = async () => {
    const page = await get("/receipts", { limit: 50, cursor });
    rows.append(...page.receipts.map((receipt) => receiptRow(receipt, actions)));
    cursor = page.cursor;
    return cursor !== undefined;
  };
  try {
    await load();
  } catch (error) {
    fill(holder, el("h2", {}, "Receipts"), failure(error, () => drawActivity(holder, status, actions)));
    return;
  }
  const events = el("div", { class: "events-part" });
  fill(holder,
    el("h2", {}, "Receipts"),
    rows.childElementCount === 0
      ? emptyState("Nothing was purged or moved to the trash yet. Make a plan on the overview, or: headroom plan --free 1GB")
      : el("div", { class: "scroller", tabIndex: 0, role: "region", "aria-label": "Receipts" },
        el("table", { class: "figures" },
          el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "When"), el("th", { scope: "col" }, "What"),
            el("th", { scope: "col", class: "number" }, "Freed"), el("th", { scope: "col", class: "number" }, "Gained"),
            el("th", { scope: "col", class: "number" }, "Went"), el("th", { scope: "col", class: "number" }, "Stayed"),
            el("th", { scope: "col" }, "Asked by"), el("th", { scope: "col" }, "For"), el("th", { scope: "col" }, "Outcome"))),
          rows)),
    cursor === undefined ? null : moreButton("Show earlier ones", load),
    el("h2", {}, "Events"),
    events);
  drawEvents(holder, status());
}

/** They come with the status, which may be answered before the receipts or after them. */
export function drawEvents(holder, status) {
  const part = holder.querySelector(".events-part");
  if (!part) return;
  if (!status) return void fill(part, el("p", { class: "waiting" }, "Asking…"));
  fill(part, status.events.length === 0 ? emptyState("Nothing happened that is worth telling.")
    : el("ul", { class: "events" }, status.events.map((event) => el("li", {},
      el("span", { class: "faint" }, moment(new Date(event.time))), " ",
      event.level ? [levelBadge(event.level), " "] : null,
      event.volume ? [nameText(event.volume, 40), " "] : null, event.text))));
}

function receiptRow(receipt, actions) {
  return el("tr", {},
    el("th", { scope: "row" }, el("button", {
      type: "button", class: "path", "data-opens": receipt.id, onclick: () => actions.onReceipt(receipt.id),
    }, moment(new Date(receipt.started)))),
    el("td", {}, kinds[receipt.kind] ?? receipt.kind),
    el("td", { class: "number" }, bytes(receipt.expectedBytes)),
    el("td", { class: "number" }, bytes(receipt.volumeGainedBytes)),
    el("td", { class: "number" }, grouped(receipt.removedCount)),
    el("td", { class: "number" }, grouped(receipt.skippedCount)),
    el("td", {}, receipt.requester), el("td", {}, receipt.target),
    el("td", {}, receipt.outcome, receipt.undoable ? " (can be undone)" : ""));
}
