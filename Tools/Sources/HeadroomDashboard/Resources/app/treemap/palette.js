// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// The colours of the treemap: those of the classes in the style sheet, paler the longer something lies
// unused.

import { classNames } from "./level.js";

const day = 86400;

/** Younger than so many seconds; the last is for everything older. */
const steps = [7 * day, 30 * day, 182 * day, 365 * day, Infinity];
/** How much of the class's colour is left. */
const strengths = [1, 0.82, 0.64, 0.48, 0.34];
/** Of directories no last use may be known. */
const unknownStep = 2;

export const stepCount = steps.length;

/** Which step of paleness something has. */
export function stepOf(lastUse, now) {
  if (lastUse === 0) return unknownStep;
  const age = now - lastUse;
  let step = 0;
  while (age >= steps[step]) step += 1;
  return step;
}

/** The colours that hold now, light or dark. */
export class Palette {
  constructor(element) {
    const style = getComputedStyle(element);
    const read = (name) => parse(style.getPropertyValue(name));
    this.background = read("--panel");
    this.gap = pack(read("--panel"));
    this.ink = read("--ink");
    this.hatch = pack(read("--hatch"));
    this.font = style.fontFamily;
    // Packed, by class and step: the ground, and what its pattern is drawn in.
    this.grounds = [];
    this.patterns = [];
    this.texts = [];
    this.css = [];
    for (const name of classNames) {
      const full = read(`--class-${name}`);
      for (const strength of strengths) {
        const ground = mix(full, this.background, strength);
        const isDark = luminance(ground) < 0.179;
        this.grounds.push(pack(ground));
        this.patterns.push(pack(mix(isDark ? [255, 255, 255] : [0, 0, 0], ground, 0.16)));
        // One of the two has a contrast of 4.5 : 1 on any ground.
        this.texts.push(isDark ? "#fff" : "#000");
        this.css.push(`rgb(${ground.join(" ")})`);
      }
    }
  }
}

function parse(text) {
  const hex = text.trim().replace("#", "");
  return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}

function mix(color, other, share) {
  return color.map((value, index) => Math.round(value * share + other[index] * (1 - share)));
}

/** As the pixels of a canvas are in memory. */
function pack([red, green, blue]) {
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/** Relative luminance (WCAG 2.2). */
function luminance(color) {
  const [red, green, blue] = color.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
