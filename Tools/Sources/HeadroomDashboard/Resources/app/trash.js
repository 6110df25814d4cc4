// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// What was thrown away, and the way back.

import { get, post } from "./api.js";
import { trouble } from "./dialog.js";
import { el, emptyState, fill, nameText } from "./dom.js";
import { failure, moreButton } from "./failure.js";
import { ago, bytes, counted, dayOf, visible } from "./format.js";

/** @param {{isRefresh: boolean}} options whether what was said last is still to be read */
export async function drawTrash(holder, actions, { isRefresh = false } = {}) {
  const { title, message, list } = partsOf(holder);
  if (!isRefresh) fill(message);
  const chosen = new Set();
  const rows = el("tbody");
  const restore = el("button", { type: "button", class: "primary", disabled: true, onclick: () => bringBack() }, "Bring back");
  let isAtIt = false;
  let cursor;
  let trash;
  const changed = () => {
    restore.disabled = chosen.size === 0;
    restore.textContent = chosen.size === 0 ? "Bring back" : `Bring back ${counted(chosen.size, "thing")}`;
  };
  const load = async () => {
    trash = await get("/trash", { limit: 200, cursor });
    rows.append(...trash.items.map((item) => row(item, chosen, changed)));
    cursor = trash.cursor;
    return cursor !== undefined;
  };
  const bringBack = async () => {
    if (isAtIt) return;
    isAtIt = true;
    try {
      const result = await post("/trash/restore", { items: [...chosen], createParents: true });
      await drawTrash(holder, actions, { isRefresh: true });
      fill(message,
        result.restored.length > 0 ? el("p", {}, `Brought back ${counted(result.restored.length, "thing")}.`) : null,
        result.failed.map((failed) => el("p", { class: "trouble" }, failed.text)));
      // The button has gone with the rows; somebody may be elsewhere by now.
      if (document.activeElement === document.body) title.focus();
      actions.onStatus();
    } catch (error) {
      fill(message, trouble(error));
    } finally {
      isAtIt = false;
    }
  };
  try {
    await load();
  } catch (error) {
    fill(list, failure(error, () => drawTrash(holder, actions, { isRefresh: true })));
    return;
  }
  fill(list,
    rows.childElementCount === 0 ? emptyState("The trash is empty. What you throw away stays here for 30 days.")
      : [
        el("p", {}, `${bytes(trash.bytes)} in the trash: that much is free when it is emptied. `,
          el("a", { href: "#clean" }, "Clean"), " empties what you choose of it, headroom trash empty all."),
        el("div", { class: "scroller", tabIndex: 0, role: "region", "aria-label": "What is in the trash" },
          el("table", { class: "figures" },
            el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Choose"),
              el("th", { scope: "col" }, "Where it was"), el("th", { scope: "col", class: "number" }, "Bytes"),
              el("th", { scope: "col" }, "Thrown away"), el("th", { scope: "col" }, "Expires"))),
            rows)),
        cursor === undefined ? null : moreButton("Show more", load), el("p", {}, restore)],
    trash.notes.map((note) => el("p", { class: "faint" }, note.text)));
}

/** What is said must stand in a region that is there before it is said. */
function partsOf(holder) {
  if (holder.childElementCount === 0) {
    fill(holder, el("h2", { tabIndex: -1 }, "Trash"), el("div", { role: "status" }), el("div", { class: "trash-list" }));
  }
  const [title, message, list] = holder.children;
  return { title, message, list };
}

function row(item, chosen, changed) {
  const path = item.kind === "directory" ? `${item.path}/` : item.path;
  const check = el("input", {
    type: "checkbox", "aria-label": `Choose ${visible(path)}`, disabled: !item.restorable,
    onchange: () => {
      if (check.checked) chosen.add(item.id);
      else chosen.delete(item.id);
      changed();
    },
  });
  return el("tr", {},
    el("td", {}, check),
    el("th", { scope: "row" }, nameText(path, 70), item.restorable ? null : el("span", { class: "faint" }, " where it was is not known")),
    el("td", { class: "number" }, bytes(item.bytes)),
    el("td", {}, ago(new Date(item.deleted))), el("td", {}, dayOf(new Date(item.expires))));
}
