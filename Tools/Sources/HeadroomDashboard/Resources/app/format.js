// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// Figures and names as people read them: rounded as the commands round them. A table in
// Tools/Tests/DashboardTests/figures.json holds both to the same texts.

const byteUnits = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];

/** The amount with three significant digits: `4.93 GB`, `512 B`; `—` for what is not known. */
export function bytes(count) {
  if (count === null || count === undefined) return "—";
  let magnitude = Math.abs(count);
  let unit = 0;
  // 999.5 would be shown as "1000": it belongs to the next unit.
  while (magnitude >= (unit === 0 ? 1000 : 999.5) && unit < byteUnits.length - 1) {
    magnitude /= 1000;
    unit += 1;
  }
  const sign = count < 0 ? "-" : "";
  if (unit === 0) return `${sign}${magnitude} B`;
  const decimals = magnitude < 9.995 ? 2 : magnitude < 99.95 ? 1 : 0;
  return `${sign}${fixed(magnitude, decimals)} ${byteUnits[unit]}`;
}

/** As `toFixed`, which rounds by the binary value: half of the last digit goes up here. */
function fixed(value, decimals) {
  const scale = 10 ** decimals;
  const scaled = String(Math.round(value * scale)).padStart(decimals + 1, "0");
  return decimals === 0 ? scaled : `${scaled.slice(0, -decimals)}.${scaled.slice(-decimals)}`;
}

/** The number with a comma between groups of three digits. */
export function grouped(number) {
  if (number === null || number === undefined) return "—";
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** The number with its noun: `1 file`, `4,213 files`. */
export function counted(number, one, many = `${one}s`) {
  return `${grouped(number)} ${number === 1 ? one : many}`;
}

/** A share between 0 and 1 in whole percent; what is more than nothing is not shown as 0. */
export function percent(share) {
  return share > 0 && share < 0.005 ? "<1 %" : `${Math.round(share * 100)} %`;
}

const day = 86400;

/** An age rounded down to one unit: `3 w`, `14 mo`, `5 d`, `40 s`. */
export function age(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min`;
  if (whole < 2 * day) return `${Math.floor(whole / 3600)} h`;
  if (whole < 14 * day) return `${Math.floor(whole / day)} d`;
  if (whole < 60 * day) return `${Math.floor(whole / (7 * day))} w`;
  if (whole < 730 * day) return `${Math.floor(whole / (30 * day))} mo`;
  return `${Math.floor(whole / (365 * day))} y`;
}

const ageUnits = [
  [365 * day, "year"], [30 * day, "month"], [7 * day, "week"], [day, "day"], [3600, "hour"],
  [60, "minute"], [1, "second"],
];

/** An age in running text: `5 months`, `36 hours`. */
export function ageInWords(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  for (const [length, name] of ageUnits) {
    if (whole >= 2 * length) return `${Math.floor(whole / length)} ${name}s`;
  }
  return whole === 1 ? "1 second" : "0 seconds";
}

// MARK: - What is to come

const spanUnits = [
  ["year", 365 * day], ["month", 30 * day], ["day", day], ["hour", 3600], ["minute", 60],
];

/** The largest unit of which there are at least two and a half; of days up to three months. */
function spanUnit(seconds) {
  return spanUnits.find(([name, length]) => seconds >= length * (name === "month" ? 3 : 2.5))
    ?? ["minute", 60];
}

/** Something that is to come is never "in 0 minutes". */
function spanCount(seconds, length) {
  return Math.max(seconds > 0 ? 1 : 0, Math.floor((seconds + length / 2) / length));
}

/** A span to come: `3 months`, `41 days`. */
export function span(seconds) {
  const [name, length] = spanUnit(seconds);
  return counted(spanCount(seconds, length), name);
}

/** `41 days (31–60)`, all in the unit of the first; without a latest one `41 days (31 or more)`. */
export function spanRange(likely, earliest, latest) {
  const [name, length] = spanUnit(likely);
  const count = spanCount(likely, length);
  const text = `${count} ${count === 1 ? name : `${name}s`}`;
  const first = spanCount(earliest, length);
  if (latest === null || latest === undefined) return `${text} (${first} or more)`;
  const last = spanCount(latest, length);
  return first === last ? text : `${text} (${first}–${last})`;
}

// MARK: - Reading

const readUnits = {
  "": 1, b: 1, k: 1e3, kb: 1e3, m: 1e6, mb: 1e6, g: 1e9, gb: 1e9, t: 1e12, tb: 1e12, p: 1e15, pb: 1e15,
  kib: 2 ** 10, mib: 2 ** 20, gib: 2 ** 30, tib: 2 ** 40, pib: 2 ** 50,
};

/** Reads an amount as people write it: `5 GB`, `1.5GiB`, `800 mb`; null if it is none. */
export function parseBytes(text) {
  const match = /^\s*(\d+(?:[.,]\d+)?)\s*([a-z]*)\s*$/i.exec(text);
  const unit = readUnits[match?.[2].toLowerCase()];
  if (!match || unit === undefined) return null;
  const count = Math.round(Number(match[1].replace(",", ".")) * unit);
  return Number.isSafeInteger(count) ? count : null;
}

// MARK: - Moments

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const dayAndClock = new Intl.DateTimeFormat(undefined, {
  year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit",
});
const dayOnly = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });

/** A moment in the reader's own time zone. */
export function moment(date) {
  return dayAndClock.format(date);
}

export function dayOf(date) {
  return dayOnly.format(date);
}

export function timeOf(date) {
  return clock.format(date);
}

/** `3 h ago`, `just now`. */
export function ago(date, now = new Date()) {
  const seconds = (now - date) / 1000;
  return seconds < 5 ? "just now" : `${age(seconds)} ago`;
}

// MARK: - Names

const controls =
  /[\u0000-\u001F\u007F-\u009F\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]/g;

/** A name with what would turn or break the text around it written out: `\x1B`, `\u{202E}`. */
export function visible(name) {
  return name.replace(controls, (character) => {
    const code = character.codePointAt(0);
    const digits = code.toString(16).toUpperCase();
    return code < 0x100 ? `\\x${digits.padStart(2, "0")}` : `\\u{${digits}}`;
  });
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Percent-encoded bytes as text, with `\xE9` for each that is none. */
export function readableBytes(encoded) {
  const bytes = [];
  for (let at = 0; at < encoded.length; at += 1) {
    if (encoded[at] === "%") {
      bytes.push(Number.parseInt(encoded.slice(at + 1, at + 3), 16));
      at += 2;
    } else bytes.push(encoded.charCodeAt(at));
  }
  let text = "";
  for (let at = 0; at < bytes.length;) {
    const length = [1, 2, 3, 4].find((count) => isText(bytes.slice(at, at + count)));
    text += length ? decoder.decode(new Uint8Array(bytes.slice(at, at + length)))
      : `\\x${bytes[at].toString(16).toUpperCase().padStart(2, "0")}`;
    at += length ?? 1;
  }
  return text;
}

function isText(bytes) {
  try {
    return decoder.decode(new Uint8Array(bytes)).length > 0;
  } catch {
    return false;
  }
}

const graphemes = typeof Intl.Segmenter === "function"
  ? new Intl.Segmenter(undefined, { granularity: "grapheme" }) : null;

/** The characters as people count them: no accent or half of a flag is cut off. */
function characters(text) {
  return graphemes
    ? Array.from(graphemes.segment(text), (part) => part.segment) : Array.from(text);
}

/** The text cut in its middle; the end gets more room than the start, as it says more. */
export function middle(text, length) {
  if (text.length <= length) return text;
  const parts = characters(text);
  if (parts.length <= length) return text;
  if (length < 3) return `${parts.slice(0, Math.max(0, length - 1)).join("")}…`;
  const head = Math.floor((length - 1) * 2 / 5);
  return `${parts.slice(0, head).join("")}…${parts.slice(parts.length - (length - 1 - head)).join("")}`;
}

/** The last component of a path. */
export function baseName(path) {
  const trimmed = path.length > 1 ? path.replace(/\/+$/, "") : path;
  return trimmed.slice(trimmed.lastIndexOf("/") + 1) || trimmed;
}
