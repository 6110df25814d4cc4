// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// "How full?": a ring for each volume; the chosen one with its figures.

import { el, emptyState, fill, levelBadge, nameText, svg } from "./dom.js";
import { bytes, percent, visible } from "./format.js";
import { levelsText, outlookText, urgency } from "./outlook.js";

const sourceWords = {
  system: "by the system", computed: "computed", fallback: "by another figure, for want of this one",
  unknown: "not known",
};

/** Disks before memory, then the fullest level before others, then the largest. */
export function sortedVolumes(volumes) {
  const weight = (volume) => ({ critical: 0, warning: 1, normal: 2 })[volume.level] ?? 3;
  const size = (volume) => volume.total.bytes ?? 0;
  return volumes.toSorted((left, right) => Number(left.type === "tmpfs") - Number(right.type === "tmpfs")
    || weight(left) - weight(right) || size(right) - size(left));
}

/** What names a volume in requests. */
export const volumeKey = (volume) => volume.mountPointBytes ?? volume.mountPoint;

/**
 * Draws the panel.
 *
 * @param {object} chosen one of the volumes
 * @param {(volume: object) => void} onChoose
 */
export function drawVolumes(holder, volumes, chosen, onChoose) {
  if (!chosen) return fill(holder, emptyState("No volume is known. headroom doctor says why."));
  const hadFocus = holder.contains(document.activeElement)
    ? document.activeElement.dataset.volume : undefined;
  const others = sortedVolumes(volumes);
  fill(holder,
    el("div", { class: "chosen-volume" },
      el("div", {}, ring(chosen, 136), el("div", { class: "ring-key", "aria-hidden": "true" },
        el("span", { class: "firm" }), "used", el("span", { class: "purgeable" }), "may go",
        el("span", { class: "free" }), "free")),
      facts(chosen)),
    others.length < 2 ? null : el("div", { class: "volumes", role: "group", "aria-label": "Volumes" },
      others.map((volume) => el("button", {
        type: "button", class: "volume", "aria-pressed": String(volume === chosen),
        "data-volume": volumeKey(volume), title: visible(volume.mountPoint),
        onclick: () => onChoose(volume),
      }, ring(volume, 34), el("span", { class: "words" },
        el("span", {}, volume.level === "warning" || volume.level === "critical"
          ? [levelBadge(volume.level, ""), " "] : null, nameText(volume.mountPoint, 18)),
        el("span", { class: "faint" }, volume.error ? "does not answer" : `${bytes(volume.available.bytes)} free`))))));
  if (hadFocus === undefined) return holder;
  [...holder.querySelectorAll("[data-volume]")].find((item) => item.dataset.volume === hadFocus)?.focus();
  return holder;
}

function facts(volume) {
  if (volume.error) {
    return el("div", { class: "facts" },
      el("h3", {}, nameText(volume.mountPoint, 30)), el("p", { class: "trouble" }, volume.error));
  }
  const share = volume.total.bytes > 0 ? ` (${percent(volume.available.bytes / volume.total.bytes)})` : "";
  const inodes = volume.inodes > 0
    ? percent((volume.inodes - volume.availableInodes) / volume.inodes) : null;
  return el("div", { class: "facts" },
    el("h3", {}, nameText(volume.mountPoint, 30), " ",
      el("span", { class: "faint" }, `${volume.type}${volume.readOnly ? ", read-only" : ""}`)),
    el("p", {}, levelBadge(volume.level)),
    el("dl", {},
      fact("available", volume.available, `${share} of ${bytes(volume.total.bytes)}`),
      fact("important", volume.important, "", "Available when everything that may go has gone"),
      fact("optional", volume.optional, "", "Available for what may as well not be stored"),
      inodes === null ? null : [el("dt", {}, "inodes"), el("dd", {}, `${inodes} used`)]),
    el("p", {}, el("span", { class: `outlook ${urgency(volume.forecast)}` }, outlookText(volume.forecast)),
      " ", el("span", { class: "faint" }, levelsText(volume.forecast))));
}

function fact(name, figure, more, meaning) {
  const source = `${meaning ? `${meaning}; ` : ""}${sourceWords[figure.source] ?? figure.source}`;
  return [el("dt", { title: source }, name),
    el("dd", { title: source }, el("strong", {}, bytes(figure.bytes)), more)];
}

// MARK: - Drawing

/** Firmly used, used by what may go, and free, with marks at the thresholds. */
function ring(volume, size) {
  const total = volume.total.bytes;
  const available = volume.available.bytes;
  const isLarge = size > 60;
  const title = volumeTitle(volume);
  const picture = svg("svg", {
    class: `ring ${volume.level ?? "none"}`, viewBox: "0 0 100 100", width: size, height: size,
    role: isLarge ? "img" : "presentation", "aria-label": isLarge ? title : null,
    "aria-hidden": isLarge ? null : "true",
  });
  const radius = isLarge ? 42 : 38;
  const thickness = isLarge ? 13 : 20;
  picture.append(svg("circle", { class: "free", cx: 50, cy: 50, r: radius, "stroke-width": thickness }));
  if (!(total > 0) || available === undefined) return picture;
  const used = Math.min(1, Math.max(0, 1 - available / total));
  const important = volume.important.bytes ?? available;
  const firm = Math.min(used, Math.max(0, 1 - important / total));
  if (used > firm) picture.append(arc("purgeable", radius, thickness, firm, used));
  if (firm > 0) picture.append(arc("firm", radius, thickness, 0, firm));
  if (isLarge) {
    for (const [name, threshold] of [["warning", volume.warningBytes], ["critical", volume.criticalBytes]]) {
      if (!threshold || threshold >= total) continue;
      const share = 1 - threshold / total;
      picture.append(arc(`threshold ${name}`, radius, thickness + 5, share - 0.004, share + 0.004));
    }
    picture.append(
      svg("text", { class: "share", x: 50, y: 50 }, percent(used)),
      svg("text", { class: "caption", x: 50, y: 64 }, "used"));
  }
  return picture;
}

function volumeTitle(volume) {
  const total = volume.total.bytes;
  if (!(total > 0)) return `${visible(volume.mountPoint)}: size not known`;
  const used = percent(1 - volume.available.bytes / total);
  return `${visible(volume.mountPoint)}: ${used} of ${bytes(total)} used, ${bytes(volume.available.bytes)} `
    + `available, ${bytes(volume.important.bytes)} when everything that may go has gone; level ${volume.level ?? "none"}`;
}

/** From one share of the whole to another, clockwise from the top. */
function arc(name, radius, thickness, from, to) {
  if (to - from >= 0.9999) {
    return svg("circle", { class: name, cx: 50, cy: 50, r: radius, "stroke-width": thickness });
  }
  const point = (share) => {
    const angle = 2 * Math.PI * share - Math.PI / 2;
    return `${(50 + radius * Math.cos(angle)).toFixed(3)} ${(50 + radius * Math.sin(angle)).toFixed(3)}`;
  };
  return svg("path", {
    class: name, "stroke-width": thickness,
    d: `M ${point(from)} A ${radius} ${radius} 0 ${to - from > 0.5 ? 1 : 0} 1 ${point(to)}`,
  });
}
