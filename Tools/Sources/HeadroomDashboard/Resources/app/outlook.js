// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// The forecast in words, as `headroom forecast` has them.

import { age, span, spanRange } from "./format.js";

/** `fills in about 41 days (31–60)` */
export function outlookText(forecast) {
  if (!forecast) return "there is no history of it yet";
  const { full } = forecast;
  switch (full.state) {
    case "reached": return "is full";
    case "expected": return `fills in about ${range(full)}`;
    case "notExpected": {
      const earliest = full.earliestSeconds === undefined
        ? "" : `, as it looks; at the earliest in ${span(full.earliestSeconds)}`;
      return `does not fill within ${span(full.withinSeconds)}${earliest}`;
    }
    default:
      return `too little is known to tell: samples of ${age(forecast.spanSeconds ?? 0)}; ten minutes are `
        + "the least";
  }
}

/** Of inodes; null where there is nothing to tell. */
export function inodeOutlookText(forecast) {
  if (forecast?.full.state === "reached") return "has no inodes left";
  if (forecast?.full.state === "expected") return `runs out of inodes in about ${range(forecast.full)}`;
  return null;
}

function range(outlook) {
  // mutation: r38c-2
  return spanRange(outlook.likelySeconds, outlook.earliestSeconds, outlook.latestSeconds);
}

/** `warning in about 33 days (25–50); critical in about 38 days (29–57)`; empty where none lies ahead. */
export function levelsText(forecast) {
  const parts = [];
  for (const name of ["warning", "critical"]) {
    const outlook = forecast?.[name];
    if (outlook?.state === "reached") parts.push(`${name} now`);
    else if (outlook?.state === "expected") parts.push(`${name} in about ${range(outlook)}`);
  }
  return parts.join("; ");
}

/** How pressing it is: less than a day, less than two weeks. */
export function urgency(forecast) {
  const full = forecast?.full;
  if (full?.state === "reached") return "critical";
  if (full?.state !== "expected") return "normal";
  return full.likelySeconds < 86400 ? "critical" : full.likelySeconds < 14 * 86400 ? "warning" : "normal";
}
