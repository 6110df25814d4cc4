// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// What is backed up, and what of it should not be.

import { get, post } from "./api.js";
import { trouble } from "./dialog.js";
import { el, emptyState, fill, nameText, pathButton } from "./dom.js";
import { failure, moreButton } from "./failure.js";
import { ago, bytes, counted, grouped, moment, visible } from "./format.js";
import { JobPanel } from "./progress.js";

let latest = null;

export async function drawAudit(holder, actions, id = latest) {
  latest = id;
  const run = el("button", {
    type: "button", class: "primary",
    onclick: async () => {
      run.disabled = true;
      try {
        const { job } = await post("/audits");
        JobPanel.open(job, { ...actions, onAudit: (audit) => drawAudit(holder, actions, audit) });
      } catch (error) {
        run.after(trouble(error));
      } finally {
        run.disabled = false;
      }
    },
  }, id ? "Look again" : "Look at what is backed up");
  if (!id) {
    fill(holder, el("h2", {}, "Backup audit"),
      emptyState("What lies in backups that can be made again, and what is left out that cannot? "
        + "Looking changes nothing."), el("p", {}, run));
    return;
  }
  let audit;
  try {
    audit = await get(`/audits/${encodeURIComponent(id)}`);
  } catch (error) {
    // The daemon knows nothing of it any more: the next look at this view is a first one.
    if (error.status === 404) latest = null;
    fill(holder, el("h2", {}, "Backup audit"),
      error.status === 404 ? trouble(error) : failure(error, () => drawAudit(holder, actions, id)), el("p", {}, run));
    return;
  }
  const findings = el("tbody", {}, audit.findings.map((finding) => findingRow(finding, actions)));
  let { cursor } = audit;
  const more = async () => {
    const page = await get(`/audits/${encodeURIComponent(id)}`, { cursor });
    findings.append(...page.findings.map((finding) => findingRow(finding, actions)));
    cursor = page.cursor;
    return cursor !== undefined;
  };
  fill(holder, el("h2", {}, "Backup audit"),
    el("p", {}, el("strong", {}, `${bytes(audit.backedUpBytes)} are backed up, ${bytes(audit.recreatableBytes)} of it could be made again.`),
      ` Seen ${moment(new Date(audit.scanned))}.`, audit.complete ? "" : " Not everything could be read."),
    el("p", {}, run),
    el("h3", {}, "Findings"),
    audit.findings.length === 0 ? emptyState("Nothing to mend.")
      : el("div", { class: "scroller", tabIndex: 0, role: "region", "aria-label": "Findings" }, el("table", { class: "figures" },
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Path"), el("th", { scope: "col", class: "number" }, "Bytes"),
          el("th", { scope: "col" }, "What is wrong"), el("th", { scope: "col" }, "What mends it"))), findings)),
    cursor === undefined ? null : moreButton("Show more", more),
    audit.unlisted.length > 0 ? el("p", { class: "faint" }, `Not listed: ${audit.unlisted.map((part) => `${part.code.replaceAll("-", " ")} ${grouped(part.count)}`).join(", ")}`) : null,
    places(audit), totals("By kind", audit.byKind), totals("Left out of backups", audit.leftOut), largest(audit, actions));
}

function findingRow(finding, actions) {
  return el("tr", {},
    el("th", { scope: "row" }, pathButton(finding.path, 52, () => actions.onExplain(finding))),
    el("td", { class: "number" }, bytes(finding.bytes)),
    el("td", {}, el("span", { class: `text-${finding.severity}` }, finding.severity), " ", finding.text),
    el("td", {}, finding.fix ? el("code", {}, visible(finding.fix)) : ""));
}

function places(audit) {
  if (audit.places.length === 0) return null;
  return el("details", { open: true }, el("summary", {}, "Places"),
    el("table", { class: "figures" },
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Place"), el("th", { scope: "col", class: "number" }, "Backed up"),
        el("th", { scope: "col", class: "number" }, "Of"))),
      el("tbody", {}, audit.places.map((place) => el("tr", {},
        el("th", { scope: "row" }, nameText(place.path, 60)), el("td", { class: "number" }, bytes(place.backedUpBytes)),
        el("td", { class: "number" }, bytes(place.bytes)))))));
}

function totals(title, rows) {
  if (rows.length === 0) return null;
  return el("details", {}, el("summary", {}, title),
    el("table", { class: "figures" }, el("tbody", {}, rows.map((total) => el("tr", {},
      el("td", { class: "number" }, bytes(total.bytes)), el("td", { class: "number" }, counted(total.count, "item")),
      el("td", {}, visible(total.name)))))));
}

function largest(audit, actions) {
  if (audit.largest.length === 0) return null;
  return el("details", {}, el("summary", {}, "Largest files"),
    el("table", { class: "figures" }, el("tbody", {}, audit.largest.map((file) => el("tr", {},
      el("td", { class: "number" }, bytes(file.bytes)),
      el("th", { scope: "row" }, pathButton(file.path, 60, () => actions.onExplain(file))),
      el("td", {}, file.kind, file.recreatable ? ", can be made again" : "",
        // mutation: r38c-5
        file.protection && file.protection !== "none" ? `, protected: ${file.protection}` : ""),
      el("td", { class: "when" }, file.lastUse ? ago(new Date(file.lastUse)) : ""))))));
}
