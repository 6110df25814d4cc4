// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// A person's own choice of files: looked at, shown, and only then moved to the trash.

import { pathReference, post } from "./api.js";
import { Dialog, trouble } from "./dialog.js";
import { el, enableAgain, nameText } from "./dom.js";
import { bytes, counted } from "./format.js";
import { JobPanel } from "./progress.js";

/**
 * Asks, and moves what was shown.
 *
 * @param {object[]} files `{path, pathBytes}`
 * @param {() => void} onMoved
 */
export async function disposeOf(files, actions, onMoved) {
  let panel;
  const dialog = new Dialog("Move to trash", () => {
    panel?.leave();
    actions.onChange();
  }).open();
  const cancel = el("button", { type: "button", onclick: () => dialog.close() }, "Cancel");
  dialog.show("Move to trash", el("p", { class: "waiting", role: "status" }, "Looking at it…"), [cancel]);
  const look = async (notice) => {
    try {
      const shown = await post("/disposals", { files: files.map((file) => pathReference(file.path, file.pathBytes)) });
      draw(shown, notice);
    } catch (error) {
      dialog.show("Move to trash", trouble(error), [cancel]);
    }
  };
  const draw = (shown, notice) => {
    const items = shown.files.reduce((sum, file) => sum + file.items, 0);
    const move = el("button", {
      type: "button", class: "danger",
      onclick: async () => {
        move.disabled = true;
        try {
          const { job } = await post(`/disposals/${encodeURIComponent(shown.id)}/confirm`);
          panel = new JobPanel(dialog, actions);
          onMoved();
          await panel.run(job);
        } catch (error) {
          // What was shown has changed meanwhile.
          if (error.isConflict && error.code !== "busy") return void look(trouble(error));
          dialog.body.append(trouble(error));
          enableAgain(move);
        }
      },
    }, `Move ${counted(items, "item")} to the trash`);
    move.disabled = shown.files.length === 0;
    dialog.show("Move to trash?", [
      notice,
      el("p", {}, shown.files.length === 0 ? "Nothing of this can be moved."
        : el("strong", {}, `Frees 0 now, ${bytes(shown.freesWhenEmptiedBytes)} when emptied.`),
      shown.files.length === 0 ? "" : " They can be brought back until then."),
      shown.files.length === 0 ? null : el("table", { class: "figures" }, el("tbody", {}, shown.files.map((file) => el("tr", {},
        el("td", { class: "number" }, bytes(file.bytes)),
        el("td", { class: "number" }, file.kind === "directory" ? counted(file.items, "item") : ""),
        el("td", {}, nameText(file.kind === "directory" ? `${file.path}/` : file.path, 70)))))),
      shown.refused.length === 0 ? null : [
        el("h3", {}, "Not possible"),
        el("table", { class: "figures" }, el("tbody", {}, shown.refused.map((refused) => el("tr", {},
          el("td", {}, nameText(refused.path, 60)), el("td", { class: "faint" }, refused.reason.text)))))],
    ], [cancel, move]);
    cancel.focus();
  };
  await look();
}
