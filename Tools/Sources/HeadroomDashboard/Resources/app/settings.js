// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// The configuration as it holds, with where each value is from. It is changed in its files.

import { get } from "./api.js";
import { el, emptyState, fill, nameText } from "./dom.js";
import { failure } from "./failure.js";
import { visible } from "./format.js";

export async function drawSettings(holder) {
  let settings;
  try {
    settings = await get("/settings");
  } catch (error) {
    fill(holder, el("h2", {}, "Settings"), failure(error, () => drawSettings(holder)));
    return;
  }
  const rows = settings.settings.map((setting) => ({ setting, element: row(setting) }));
  const count = el("p", { class: "unseen", role: "status" });
  const filter = el("input", {
    type: "search", id: "settings-filter", placeholder: "mode, policy, areas …", oninput: () => apply(),
  });
  const changed = el("input", { type: "checkbox", onchange: () => apply() });
  const apply = () => {
    const wanted = filter.value.trim().toLowerCase();
    let shown = 0;
    for (const { setting, element } of rows) {
      const matches = `${setting.key} ${setting.value} ${setting.file ?? ""}`.toLowerCase().includes(wanted);
      element.hidden = !matches || (changed.checked && setting.default);
      if (!element.hidden) shown += 1;
    }
    count.textContent = `${shown} settings`;
  };
  fill(holder, el("h2", {}, "Settings"),
    el("p", {}, settings.files.length > 0
      ? ["They are changed in ", settings.files.map((file, index) => [index > 0 ? ", " : "", nameText(file, 60)]),
        "; ", el("code", {}, "headroom config check"), " says whether they hold, and the daemon reads them again on SIGHUP."]
      : ["No file sets anything: these are the defaults. ", el("code", {}, "headroom config show"), " names the files that may."]),
    settings.notes.map((note) => el("p", { class: "notice" }, note)),
    el("div", { class: "row" }, el("label", { for: "settings-filter" }, "Filter"), filter,
      el("label", { class: "check" }, changed, " only what a file sets"), count),
    rows.length === 0 ? emptyState("There is nothing to show.")
      : el("div", { class: "scroller", tabIndex: 0, role: "region", "aria-label": "All settings" }, el("table", { class: "figures" },
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Key"), el("th", { scope: "col" }, "Value"), el("th", { scope: "col" }, "From"))),
        el("tbody", {}, rows.map(({ element }) => element)))));
}

function row(setting) {
  return el("tr", { class: setting.default ? "faint" : "" },
    el("th", { scope: "row" }, el("code", {}, visible(setting.key))),
    el("td", {}, el("bdi", {}, visible(setting.value))),
    el("td", {}, setting.file ? [nameText(setting.file, 50), setting.line ? `:${setting.line}` : ""] : "default"));
}
