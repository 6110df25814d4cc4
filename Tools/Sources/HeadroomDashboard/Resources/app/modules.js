// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// What modules were asked for, and what each has done, in its own words and by its own measure.

import { andMore, el, nameText } from "./dom.js";
import { bytes, counted } from "./format.js";

/** `, and 300 MB are asked of 1 module, by its own measure`; empty: of none. */
export function askedWords(preview) {
  const { length } = preview.modules;
  if (length === 0) return "";
  return `, and ${bytes(preview.freesByModulesBytes)} are asked of ${counted(length, "module")}, by `
    + `${length === 1 ? "its" : "their"} own measure`;
}

/** What is asked of each. */
export function askedTable(preview) {
  return el("table", { class: "figures", "aria-label": "Modules that are asked" }, el("tbody", {},
    preview.modules.map((module) => el("tr", {}, el("td", { class: "number" }, bytes(module.bytes)),
      el("th", { scope: "row" }, nameText(module.name, 60))))));
}

const troubles = new Set(["failed", "timedOut", "stillRunning"]);

/** How many failed or did not return, also of those that are not listed. */
export function troubledModules(job) {
  return job.modulesInTrouble ?? (job.modules ?? []).filter(({ outcome }) => troubles.has(outcome)).length;
}

/** `Modules freed 280 MB.` */
export function moduleWords({ progress }) {
  return progress.bytes > 0 ? `Modules freed ${bytes(progress.bytes)}.` : "Modules freed nothing.";
}

/** What came of a run of modules, one by one. */
export function moduleResults(job) {
  return el("div", { class: "module-results" },
    el("p", {}, el("strong", {}, moduleWords(job)), el("span", { class: "faint" }, " By their own measure.")),
    el("table", { class: "figures", "aria-label": "What each module has done" }, el("tbody", {},
      job.modules.map((report) => el("tr", {}, el("td", { class: "number" }, bytes(report.freedBytes)),
        el("td", { class: troubles.has(report.outcome) ? "warning-text" : "" }, nameText(report.text, 300)))))),
    andMore(job.unlistedModules ?? 0));
}
