// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// The panel at the right: what a path is, why it is there in the order, and what would happen.

import { get, pathQuery } from "./api.js";
import { trouble } from "./dialog.js";
import { classKey, classLabel, el, fill, nameText } from "./dom.js";
import { ageInWords, ago, baseName, bytes, grouped, moment, visible } from "./format.js";
import { Opener } from "./opener.js";

const subjects = {
  file: "file", fileSet: "database with what belongs to it", directoryUnit: "directory that goes whole",
  memberOfUnit: "part of a directory that goes whole", directory: "directory", cacheStore: "cache store",
  memberOfStore: "file of a cache store", unknown: "not seen by the scan",
};
const useOrigins = { modified: "modified", created: "created", read: "read", recorded: "recorded by Headroom" };

export class ExplainPanel {
  /** @param {{onDispose: Function}} actions */
  constructor(element, actions) {
    this.element = element;
    this.actions = actions;
    this.title = el("h2", { tabIndex: -1 });
    this.body = el("div", { class: "explain-body" });
    fill(element,
      el("header", {}, this.title, el("button", {
        type: "button", class: "quiet close", "aria-label": "Close the explanation", onclick: () => this.close(),
      }, "✕")),
      this.body);
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      // Only the panel, not the window under it.
      event.preventDefault();
      event.stopPropagation();
      this.close();
    });
    // In a window the panel has to be part of it; else it could not be reached.
    document.addEventListener("dialog-closing", ({ detail }) => {
      if (detail.contains(element)) {
        this.element.hidden = true;
        document.body.append(element);
      }
    });
  }

  async open({ path, pathBytes }) {
    if (this.element.hidden || !this.element.contains(document.activeElement)) {
      this.opener = new Opener(this.element);
    }
    const windows = document.querySelectorAll("dialog[open]");
    const holder = windows.length > 0 ? windows[windows.length - 1] : document.body;
    if (this.element.parentNode !== holder) holder.append(this.element);
    this.element.hidden = false;
    this.request?.abort();
    const { signal } = (this.request = new AbortController());
    fill(this.title, el("bdi", {}, visible(baseName(path))));
    fill(this.body, el("p", { class: "waiting", role: "status" }, "Looking at it…"));
    this.title.focus();
    try {
      const explanation = await get("/explain", { path: pathQuery(path, pathBytes) }, { signal });
      fill(this.body, this.explanation(explanation));
    } catch (error) {
      if (!signal.aborted) fill(this.body, trouble(error));
    }
  }

  close() {
    this.request?.abort();
    const { activeElement } = document;
    // It may be closed while somebody is in a window.
    const isElsewhere = activeElement !== document.body && !this.element.contains(activeElement);
    this.element.hidden = true;
    if (!isElsewhere) this.opener?.focus();
  }

  // MARK: - Contents

  explanation(about) {
    return [
      el("p", { class: "whole-path" }, el("bdi", {}, visible(about.path))),
      el("p", { class: "summary-line" }, about.summary),
      el("dl", { class: "facts" },
        fact("what", subjects[about.subject] ?? about.subject),
        fact("class", classKey(about.class), `, ${about.classFrom}`),
        about.area ? fact("area", pathLink(about.area, this), ` ${classLabel(about.area.class)}, ${about.area.origin}`) : null,
        about.cache ? fact("cache", about.cache.name) : null,
        about.goesWith ? fact("goes with", pathLink({ path: about.goesWith, pathBytes: about.goesWithBytes }, this)) : null,
        fact("occupies", bytes(about.bytes), about.logicalBytes === about.bytes ? "" : ` (${bytes(about.logicalBytes)} of content)`),
        fact("would free", el("strong", {}, bytes(about.freesBytes))),
        about.lastUse ? fact("last use", `${ago(new Date(about.lastUse))}, ${moment(new Date(about.lastUse))}`,
          about.lastUseFrom ? ` (${useOrigins[about.lastUseFrom] ?? about.lastUseFrom})` : "") : null,
        fact("mark", markWords(about.mark)),
        about.inUse ? fact("in use", about.inUse.text) : null,
        fact("backup", about.backup.text),
        // Nothing for what is not: most files are not, and not all of them could be.
        // mutation: r36e-1
        about.protection.level === "none" ? null : fact("protected",
          about.protection.level === "unknown" ? "unknown: " : `${about.protection.level}, `, about.protection.text),
        about.place ? fact("place in the order",
          `${grouped(about.place.position)} of ${grouped(about.place.count)}; ${bytes(about.place.bytesBefore)} go before it`) : null,
        fact("would go", outlookWords(about.outlook))),
      about.next.length > 0 ? el("div", { class: "next" }, el("h3", {}, "What would change it"),
        about.next.map((command) => el("p", {}, el("code", { dir: "auto" }, visible(command))))) : null,
      this.disposal(about),
    ];
  }

  /** A person may throw away files of their own; what Headroom may purge goes by a plan. */
  disposal(about) {
    if (about.subject === "cacheStore" || about.subject === "memberOfStore" || about.class === "trash") return null;
    return el("p", {}, el("button", {
      type: "button",
      onclick: () => this.actions.onDispose([{ path: about.path, pathBytes: about.pathBytes }], () => this.close()),
    }, "Move to trash…"));
  }
}

function fact(name, ...values) {
  return [el("dt", {}, name), el("dd", {}, values)];
}

function pathLink(place, panel) {
  return el("button", { type: "button", class: "path", onclick: () => panel.open(place) }, nameText(place.path, 44));
}

function markWords(mark) {
  const words = [];
  if (mark.pinned) words.push("pinned");
  if (mark.class) words.push(classLabel(mark.class));
  if (mark.importance !== undefined) words.push(`importance ${mark.importance}`);
  if (mark.noBackup) words.push("no backup");
  return words.length > 0 ? words.join(", ") : "none";
}

function outlookWords(outlook) {
  switch (outlook.when) {
    case "never": return `never${outlook.reason ? `: ${outlook.reason.text}` : ""}`;
    case "expired": return "with the next purge: it has expired";
    case "expires": return `when it expires, in ${ageInWords(outlook.seconds)}, or earlier if room is needed`;
    case "over-limit": return "when the limit of its area is enforced";
    case "pressure": return `when the level is ${outlook.level}, and it is its turn`;
    case "item-by-item": return "what is in it goes file by file";
    default: return outlook.when;
  }
}
